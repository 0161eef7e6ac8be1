import { expect, test } from 'vitest';
import type { CheckedBody } from './check-body.ts';
import { parseObjectBody } from './object-body.ts';
import { answerHandshake, readNotification } from './platform-requests.ts';
import type { Tokens } from './tokens.ts';
import type { NotificationReader, WebhookRequest } from './types.ts';

const reader: NotificationReader = {
  verifyTokenOf: (token) => `verify-${token}`,
  read: async (body, { signature }) => {
    if (body['object'] === undefined) return undefined;
    return signature === 'wrong' ? { problem: 'The signature is wrong.' } : { body: { from: '1', ...body } };
  },
};
const token = { workspaceId: 'workspace', workflowId: 'workflow', hash: Buffer.from('hash') };
const tokens: Tokens = {
  find: async (text) =>
    text === 'known' ? { ...token, publishedVersion: 1, ratePerSecond: null } : undefined,
  forget: () => undefined,
};

const requestOf = (more: Partial<WebhookRequest>): WebhookRequest => ({
  kind: 'production',
  token: 'known',
  method: 'GET',
  headers: {},
  declaredBytes: undefined,
  readBody: async () => true,
  ...more,
});

test.each([
  ['hub.mode=subscribe&hub.verify_token=verify-known&hub.challenge=42%3C', 'known', '42<'],
  ['hub.mode=subscribe&hub.verify_token=verify-known', 'known', ''],
  ['hub.mode=subscribe&hub.verify_token=verify-other&hub.challenge=42', 'known', undefined],
  ['hub.mode=subscribe&hub.verify_token=verify-unknown&hub.challenge=42', 'unknown', undefined],
  ['hub.mode=other&hub.verify_token=verify-known&hub.challenge=42', 'known', undefined],
  ['hub.mode=subscribe&hub.challenge=42', 'known', undefined],
  ['', 'known', undefined],
])('handshake ?%s of the token %s is answered with %j', async (search, asked, challenge) => {
  const answer = await answerHandshake(requestOf({ search, token: asked }), tokens, reader);
  expect(answer?.body).toBe(challenge);
  if (answer) expect(answer.headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8' });
});

const checkedOf = (text: string): CheckedBody => {
  const bytes = Buffer.from(text);
  return { ...parseObjectBody(bytes), bytes };
};
const readText = (text: string, signature = 'right') => {
  const request = requestOf({ method: 'POST', headers: { 'x-hub-signature-256': signature } });
  return readNotification(checkedOf(text), request, 'workspace', reader);
};

test('a notification is stored with its fields', async () => {
  const read = await readText('{"object":"x"}');
  expect(read.bytes?.toString()).toBe('{"from":"1","object":"x"}');
  expect('object' in read && read.object.value).toEqual({ from: '1', object: 'x' });
});

test('one that is not signed by the app is refused, and kept as it came', async () => {
  const read = await readText('{"object": "x"}', 'wrong');
  expect(read).toMatchObject({ refusal: { code: 'forbidden', message: 'The signature is wrong.' } });
  expect(read.bytes?.toString()).toBe('{"object": "x"}');
});

test.each(['{"a":1 }', '[]', '{'])('anything else stays as it is: %s', async (text) => {
  const checked = checkedOf(text);
  const request = requestOf({ method: 'POST' });
  expect(await readNotification(checked, request, 'workspace', reader)).toBe(checked);
});
