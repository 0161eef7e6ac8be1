// The platform's notifications at a workflow's own URL.
import { expect, test } from 'vitest';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import {
  message,
  newMessageId,
  notification,
  setUpNotifications,
  status,
} from '#lib/messaging/testing/notifications.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { createNotificationReader } from './read-webhook.ts';

const receiver = setUpNotifications();

const read = (text: string, signature: string | null, workspaceId = receiver.world.workspaceId) => {
  const { hot, platform } = receiver.world.runtime;
  const about = { bytes: Buffer.from(text), signature, workspaceId };
  return createNotificationReader(hot, platform.appSecret).read(JSON.parse(text) as JsonObject, about);
};
const body = () => notification(message(newMessageId(), '15550001111', 1_700_000_000));

test('a notification has the fields that subscribed workflows receive, and what came', async () => {
  const id = newMessageId();
  const text = notification(
    message(id, '15550001111', 1_700_000_000, { type: 'text', text: { body: 'Hello' } }),
    status('wamid.sent', 'read', 1_700_000_001),
  );
  expect(await read(text, receiver.sign(text))).toMatchObject({
    body: {
      ...(JSON.parse(text) as JsonObject),
      kind: 'message',
      message_id: id,
      from: '15550001111',
      text: 'Hello',
      business_account_id: PLATFORM_IDS.books,
      is_verified: true,
      notifications: [
        { kind: 'message', message_id: id },
        { kind: 'status', status: 'read' },
      ],
    },
  });
});

test('a wrong signature is refused where a connection to the account knows the app; else nobody can tell', async () => {
  const text = body();
  expect(await read(text, receiver.sign(`${text} `))).toMatchObject({
    problem: expect.stringContaining('signature') as string,
  });
  const stranger = '00000000-0000-7000-8000-00000000000c';
  for (const [signature, workspaceId] of [
    [null, undefined],
    [receiver.sign(`${text} `), stranger],
    [receiver.sign(text), stranger],
  ] as const) {
    expect(await read(text, signature, workspaceId)).toMatchObject({
      body: { kind: 'message', is_verified: false },
    });
  }
});

test.each([
  '{}',
  '{"entry":[]}',
  '{"object":"x","entry":[]}',
  '{"object":"x","entry":[{"id":"1"}]}',
  '{"object":{},"entry":[{"changes":[]}]}',
  '{"object":"x","entry":"y"}',
])('%s is a webhook as any other', async (text) => {
  expect(await read(text, null)).toBeUndefined();
});

test('what nobody understands is still a notification', async () => {
  const text = '{"object":"x","entry":[5,{"id":"1","changes":[{"field":"hologram","value":{}}]}]}';
  expect(await read(text, null)).toMatchObject({ body: { kind: 'other', object: 'x' } });
});
