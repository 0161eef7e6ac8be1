import { expect, test } from 'vitest';
import type { Message } from './model.ts';
import { resolveOptions } from './options.ts';
import { addMessage, chatKey, createWorld } from './world.ts';

const message = (number: number): Message => ({
  kind: 'message',
  id: `wamid.${number}`,
  direction: 'out',
  phoneId: '1',
  customer: String(15_550_000_000 + Math.floor(number / 2)),
  type: 'text',
  payload: {},
  rendered: { header: null, media: null, text: '', footer: null, buttons: [], list: null, linkPreview: null },
  templateName: null,
  status: 'delivered',
  steps: [],
  seenByBusiness: true,
  acceptedAt: number,
});

test('past 100,000 messages the oldest are forgotten, in the list and in their chats', () => {
  const world = createWorld(resolveOptions({}, 0));
  for (let number = 0; number < 100_003; number += 1) addMessage(world, message(number));
  expect(world.messages.size).toBe(100_000);
  expect(world.messages.has('wamid.2')).toBe(false);
  expect(world.chats.has(chatKey('1', '15550000000'))).toBe(false);
  expect(world.chats.get(chatKey('1', '15550000001'))?.map(({ id }) => id)).toEqual(['wamid.3']);
});
