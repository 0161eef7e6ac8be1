// What a message belongs to: the one that it quotes, and the reactions at it.
import { escapeHtml } from '../http/html.ts';
import type { Message } from '../model.ts';
import type { World } from '../world.ts';

const MOST_QUOTED_CHARACTERS = 120;

type Reaction = { message_id?: string; emoji?: string };

const reactionOf = (payload: Message['payload']): Reaction => payload['reaction'] ?? {};

/** The reactions of a chat: of each side the last one at a message counts, and an empty one removes it. */
export function findReactions(chat: readonly Message[]) {
  const ids = new Set(chat.map(({ id }) => id));
  const byTarget = new Map<string, Map<Message['direction'], string>>();
  const targets = new Set<string>();
  for (const { type, direction, payload, status } of chat) {
    if (type !== 'reaction' || status === 'failed') continue;
    const { message_id: target = '', emoji = '' } = reactionOf(payload);
    if (!ids.has(target)) continue;
    targets.add(target);
    const ofIt = byTarget.get(target) ?? new Map<Message['direction'], string>();
    byTarget.set(target, ofIt.set(direction, emoji));
  }
  return {
    targets,
    targetOf: (payload: Message['payload']): string => reactionOf(payload).message_id ?? '',
    of: (id: string): string[] => [...(byTarget.get(id)?.values() ?? [])].filter((emoji) => emoji !== ''),
  };
}

/** The message that one quotes; undefined: none, or one that is forgotten. */
export function findQuoted(world: World, { payload, direction }: Message): Message | undefined {
  const context = (payload['context'] ?? {}) as { id?: string; message_id?: string };
  return world.messages.get((direction === 'out' ? context.message_id : context.id) ?? '');
}

export function renderQuote({ direction, rendered, type }: Message): string {
  const text = rendered.text || rendered.media?.filename || type;
  const short = text.length > MOST_QUOTED_CHARACTERS ? `${text.slice(0, MOST_QUOTED_CHARACTERS)}…` : text;
  return `<blockquote class="quote"><b>${direction === 'in' ? 'You' : 'Business'}</b>${escapeHtml(short)}</blockquote>`;
}
