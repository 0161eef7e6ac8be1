import {
  MESSAGE_KINDS,
  type MessageKind,
  type MessageStart,
} from '#lib/messaging/schema/subscription-kinds.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Which messages start the workflow of a trigger with these settings; null: no connection is selected yet. */
export function readMessageStart(settings: Settings): MessageStart | null {
  const connectionId = textOf(settings['app_connection_id']);
  if (connectionId === '') return null;
  const isKind = (text: string): text is MessageKind => MESSAGE_KINDS.some((kind) => kind === text);
  return {
    connectionId,
    phoneNumberId: textOf(settings['phone_number_id']) || null,
    messageKinds: textsOf(settings['message_kinds']).filter(isKind),
    words: textsOf(settings['words']),
    ...(settings['in_conversations'] === 'also' ? { isAlsoInConversations: true } : {}),
    ...(settings['beside_others'] === 'not' ? { isForRest: true } : {}),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const textsOf = (value: unknown): string[] => [
  ...new Set(Array.isArray(value) ? value.map(textOf).filter(Boolean) : []),
];

/** Description of the messages, for the trigger's card. */
export function describeMessageStart(start: MessageStart | null): string {
  if (!start) return '';
  return start.words.length > 0
    ? `Message with ${start.words.map((word) => `“${word}”`).join(', ')}`
    : 'Any message';
}
