import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/core/json/value.ts';
import { findSharedMessages } from '#lib/messaging/schema/shared-messages.ts';
import { MESSAGE_KINDS, type MessageFilter } from '#lib/messaging/schema/subscription-kinds.ts';
import { MESSAGES } from '#lib/messaging/testing/message-samples.ts';
import { flattenChange } from './flatten-change.ts';
import { parseNotification } from './parse-notification.ts';
import { type Wanted, wantsChange } from './subscribers.ts';

const ALL: Wanted = { kinds: ['messages'], phone_number_id: null, message_kinds: [], words: [] };

function messageOf(content: JsonObject): JsonObject {
  const message = { id: 'wamid.1', from: '15550001111', timestamp: '1700000000', ...content };
  const value = { metadata: { phone_number_id: '3' }, messages: [message] };
  const [change] = parseNotification({ entry: [{ id: '2', changes: [{ field: 'messages', value }] }] });
  return flattenChange(change ?? expect.unreachable(), 'connection');
}

const saying = (body: string): JsonObject => messageOf({ type: 'text', text: { body } });

test('messages of all numbers, or of one', () => {
  expect(wantsChange(ALL, saying('Hi'))).toBe(true);
  expect(wantsChange({ ...ALL, kinds: ['statuses'] }, saying('Hi'))).toBe(false);
  expect(wantsChange({ ...ALL, phone_number_id: '3' }, saying('Hi'))).toBe(true);
  expect(wantsChange({ ...ALL, phone_number_id: '4' }, saying('Hi'))).toBe(false);
});

describe('kinds', () => {
  const KIND_OF: Record<string, string> = {
    text: 'text',
    'text after an ad': 'text',
    reply: 'text',
    'question about a product': 'text',
    image: 'media',
    video: 'media',
    document: 'media',
    'voice message': 'media',
    sticker: 'media',
    location: 'location',
    contacts: 'contacts',
    'quick reply of a template': 'button',
    button: 'button',
    'row of a list': 'button',
    flow: 'form',
    'flow whose answers are no JSON': 'form',
    reaction: 'reaction',
    'removed reaction': 'reaction',
    order: 'order',
  };

  test.each(MESSAGES.map(([title, content]) => [title, content] as const))('%s', (title, content) => {
    const wanting = MESSAGE_KINDS.filter((kind) =>
      wantsChange({ ...ALL, message_kinds: [kind] }, messageOf(content)),
    );
    expect(wanting).toEqual([KIND_OF[title] ?? 'other']);
  });
});

test.each([
  ['Stop', ['stop'], true],
  ['Please STOP it!', ['stop'], true],
  ['nonstop', ['stop'], false],
  ['I book it', ['cancel', 'book'], true],
  ['book a table', ['book a table'], true],
  ['book, a table', ['book a table'], true],
  ['a table to book', ['book a table'], false],
  ['Straße 1', ['STRAßE'], true],
  ['👍', ['👍'], true],
  ['はい', ['はい'], true],
  ['', ['stop'], false],
])('%s: says one of %j: %j', (text, words, isWanted) => {
  expect(wantsChange({ ...ALL, words }, saying(text))).toBe(isWanted);
});

test('the text of a button counts, too', () => {
  const tap = messageOf({ type: 'button', button: { text: 'Cancel', payload: 'c' } });
  expect(wantsChange({ ...ALL, words: ['cancel'] }, tap)).toBe(true);
});

test.each([
  [{}, {}, []],
  [{ words: ['menu'] }, {}, ['menu']],
  [{}, { words: ['menu'] }, ['menu']],
  [{ words: ['menu', 'table'] }, { words: ['TABLE', 'order'] }, ['TABLE']],
  [{ words: ['book a table'] }, { words: ['table'] }, ['book a table']],
  [{ words: ['menu'] }, { words: ['order'] }, null],
  [{ words: ['now'] }, { words: ['no'] }, null],
  [{ phoneNumberId: '1' }, { phoneNumberId: '2' }, null],
  [{ phoneNumberId: '1' }, { phoneNumberId: null }, []],
  [{ phoneNumberId: '1' }, { phoneNumberId: '1' }, []],
  [{ messageKinds: ['text'] }, { messageKinds: ['media'] }, null],
  [{ messageKinds: ['text', 'media'] }, { messageKinds: ['media'] }, []],
  [{ messageKinds: ['text'], words: ['menu'] }, {}, ['menu']],
] satisfies [Partial<MessageFilter>, Partial<MessageFilter>, string[] | null][])(
  'two triggers with %j and %j share %j',
  (one, other, shared) => {
    const all: MessageFilter = { phoneNumberId: null, messageKinds: [], words: [] };
    expect(findSharedMessages({ ...all, ...one }, { ...all, ...other })).toEqual(shared);
    // What a workflow for certain words or kinds starts on is not the rest.
    const isCertain = 'words' in other || 'messageKinds' in other;
    const rest = findSharedMessages({ ...all, ...one, isForRest: true }, { ...all, ...other });
    expect(rest).toEqual(isCertain ? null : shared);
    const bothForRest = [one, other].map((each) => ({ ...all, ...each, isForRest: true })) as [
      MessageFilter,
      MessageFilter,
    ];
    expect(findSharedMessages(...bothForRest)).toEqual(shared);
  },
);
