import { escapeHtml } from '../http/html.ts';
import type { Message } from '../model.ts';
import { chatKey, findWindowEnd, type World } from '../world.ts';
import { ICONS, statusIcon } from './icons.ts';
import { renderReactions, renderReplies } from './replies-view.ts';

const MOST_SHOWN = 200;

/** `14:05`, on the sandbox's clock, in the time zone of this machine. */
export function showTime(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function showDay(ms: number, month: 'short' | 'long'): string {
  return new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month });
}

/** The messages of a chat as the customer sees them, with the delivery state that the business sees. */
export function renderThread(world: World, customer: string, phoneId: string, chat: Message[]): string {
  let day = '';
  const reactions = findReactions(chat);
  // A reaction is shown at its message.
  const isShown = ({ type, payload }: Message): boolean =>
    type !== 'reaction' || !reactions.targets.has(reactions.targetOf(payload));
  const shown = chat.filter(isShown).slice(-MOST_SHOWN);
  const bubbles = shown.map((message) => {
    const messageDay = showDay(message.acceptedAt, 'long');
    const separator = messageDay === day ? '' : `<li class="day"><span>${messageDay}</span></li>`;
    day = messageDay;
    const bubble = renderBubble(message, customer, phoneId, {
      quoted: findQuoted(world, message),
      reactions: reactions.of(message.id),
    });
    return separator + bubble;
  });
  if ((world.typing.get(chatKey(phoneId, customer)) ?? 0) > world.clock.nowMs()) bubbles.push(TYPING);
  const empty = `<li class="nothing">No messages yet. Write something below: it reaches the business as an incoming message.</li>`;
  return `<ol class="thread" id="thread" data-live aria-label="Messages" aria-live="polite" tabindex="0">${bubbles.join('\n') || empty}</ol>${renderWindow(world, customer, phoneId)}`;
}

function renderWindow(world: World, customer: string, phoneId: string): string {
  const end = findWindowEnd(world, phoneId, customer);
  const open = end !== null && world.clock.nowMs() < end;
  const words = open
    ? `24-hour window open until ${showDay(end, 'short')}, ${showTime(end)}: the business may send text and media.`
    : '24-hour window closed: the business may send templates only.';
  return `<p class="window ${open ? 'open' : 'closed'}" id="window" data-live>${words}</p>`;
}

const TYPING = `<li class="bubble theirs typing"><div class="content" role="img" aria-label="The business is typing"><i></i><i></i><i></i></div></li>`;

function renderBubble(
  message: Message,
  customer: string,
  phoneId: string,
  { quoted, reactions }: { quoted: Message | undefined; reactions: string[] },
): string {
  const { rendered, direction, status } = message;
  const mine = direction === 'in';
  const failed = message.steps.at(-1)?.errors?.[0];
  const tick = statusIcon(mine ? (message.seenByBusiness ? 'read' : 'delivered') : status);
  const kind =
    message.templateName === null
      ? ''
      : `<span class="kind">Template <b>${escapeHtml(message.templateName)}</b></span>`;
  const cards = renderCards(message);
  const sticker = message.type === 'sticker' ? ' sticker' : '';
  return `<li class="bubble ${mine ? 'mine' : 'theirs'} ${status}${sticker}" id="${domId(message.id)}">
<div class="content">
${quoted ? renderQuote(quoted) : ''}
${renderMedia(message)}
${cards}
${rendered.header === null ? '' : `<p class="header">${formatText(rendered.header)}</p>`}
${rendered.linkPreview === null ? '' : renderPreview(rendered.linkPreview)}
${rendered.text === '' || cards !== '' ? '' : `<p class="text">${formatText(rendered.text)}</p>`}
${rendered.footer === null || cards !== '' ? '' : `<p class="footer">${escapeHtml(rendered.footer)}</p>`}
<p class="meta">${kind}<time datetime="${new Date(message.acceptedAt).toISOString()}">${showTime(message.acceptedAt)}</time>${tick}</p>
</div>
${reactions.length === 0 ? '' : `<p class="reacted" role="img" aria-label="Reactions: ${escapeHtml(reactions.join(' '))}">${reactions.map((emoji) => `<span>${escapeHtml(emoji)}</span>`).join('')}</p>`}
${renderReplies(message, customer, phoneId)}
${mine ? '' : renderReactions(message, customer, phoneId)}
${failed ? `<p class="failure">Not delivered: ${escapeHtml(failed.title)} (${failed.code})</p>` : ''}
</li>`;
}

/** Ids of messages contain characters that are invalid in selectors. */
function domId(messageId: string): string {
  return `m-${messageId.replaceAll(/[^A-Za-z0-9]/g, '')}`;
}

function renderMedia({ type, rendered: { media, text } }: Message): string {
  if (!media) return '';
  const source = `/phone-media/${media.mediaId}`;
  const name = escapeHtml(media.filename ?? 'File');
  switch (media.kind) {
    case 'image':
      return `<a href="${source}" target="_blank"><img src="${source}" alt="${escapeHtml(text || (type === 'sticker' ? 'Sticker' : 'Picture'))}"></a>`;
    case 'video':
      return `<video src="${source}" controls></video>`;
    case 'audio':
      return `<audio src="${source}" controls></audio>`;
    case 'document':
      return `<a class="document" href="${source}" target="_blank">${ICONS.file}<span>${name}</span></a>`;
  }
}

function renderPreview(link: string): string {
  const host = URL.canParse(link) ? new URL(link).host : link;
  return `<a class="preview" href="${escapeHtml(link)}" target="_blank" rel="noreferrer">${ICONS.link}<span><b>${escapeHtml(host)}</b><small>${escapeHtml(link)}</small></span></a>`;
}

// Places and contacts, as on a phone.

type Place = { latitude: number; longitude: number; name?: string; address?: string };
type Contact = {
  name?: { formatted_name?: string };
  phones?: { phone?: string }[];
  emails?: { email?: string }[];
  org?: { company?: string };
};

/** Empty for other messages. */
function renderCards({ type, payload }: Message): string {
  if (type === 'location') return renderPlace(payload['location'] as Place);
  if (type === 'contacts') return (payload['contacts'] as Contact[]).map(renderContact).join('');
  return '';
}

function renderPlace({ latitude, longitude, name, address }: Place): string {
  const position = `${latitude}, ${longitude}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return `<a class="preview" href="${escapeHtml(map)}" target="_blank" rel="noreferrer">${ICONS.place}<span><b>${escapeHtml(name ?? position)}</b><small>${escapeHtml(address ?? position)}</small></span></a>`;
}

function renderContact({ name, phones = [], emails = [], org }: Contact): string {
  const lines = [org?.company, ...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)];
  const shown = lines.flatMap((line) => (line ? `<small>${escapeHtml(line)}</small>` : []));
  return `<div class="preview contact">${ICONS.contact}<span><b>${escapeHtml(name?.formatted_name ?? '')}</b>${shown.join('')}</span></div>`;
}

// The quoted message, and the reactions.

const MOST_QUOTED_CHARACTERS = 120;

type Reaction = { message_id?: string; emoji?: string };

const reactionOf = (payload: Message['payload']): Reaction => payload['reaction'] ?? {};

/** The reactions of a chat: the last one of each side counts, and an empty one removes it. */
function findReactions(chat: readonly Message[]) {
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

/** The message that one quotes; undefined: none, or a removed one. */
function findQuoted(world: World, { payload, direction }: Message): Message | undefined {
  const context = (payload['context'] ?? {}) as { id?: string; message_id?: string };
  return world.messages.get((direction === 'out' ? context.message_id : context.id) ?? '');
}

function renderQuote({ direction, rendered, type }: Message): string {
  const text = rendered.text || rendered.media?.filename || type;
  const short = text.length > MOST_QUOTED_CHARACTERS ? `${text.slice(0, MOST_QUOTED_CHARACTERS)}…` : text;
  return `<blockquote class="quote"><b>${direction === 'in' ? 'You' : 'Business'}</b>${escapeHtml(short)}</blockquote>`;
}

/** A message's text as HTML: *bold*, _italic_, ~struck~, ```code``` and links, like in messaging apps. */
export function formatText(text: string): string {
  return escapeHtml(text)
    .split(/(https?:\/\/[^\s<]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : formatMarks(part),
    )
    .join('');
}

function formatMarks(html: string): string {
  return html
    .replaceAll(/```([^`]+)```/g, '<code>$1</code>')
    .replaceAll(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s.,!?)])/g, '$1<strong>$2</strong>')
    .replaceAll(/(^|[\s(])_([^_\n]+)_(?=$|[\s.,!?)])/g, '$1<em>$2</em>')
    .replaceAll(/(^|[\s(])~([^~\n]+)~(?=$|[\s.,!?)])/g, '$1<s>$2</s>');
}
