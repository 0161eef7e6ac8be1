// Notifications of the platform through both doors: the plain Node one and Next's route handlers.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { newId } from '#lib/core/ids.ts';
import { appVerifyToken } from '#lib/messaging/connections/receivers.ts';
import { sealedFor, verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import { message, newMessageId, notification } from '#lib/messaging/testing/notifications.ts';
import { ENCRYPTION_KEYS } from './testing/beside-sandbox.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const DOORS = ['node', 'next'] as const;
const APP_SECRET = 'the-secret-that-signs-notifications-here';
const ACCOUNT = '102290129340398';
const MAX_BYTES = 5_000_000;

let product: TestProduct;
const bases = new Map<string, string>();

beforeAll(async () => {
  product = await startTestProduct({
    parts: [],
    sandbox: false,
    settings: { MESSAGING_APP_SECRET: APP_SECRET },
  });
  for (const door of DOORS) bases.set(door, (await product.start('web', { WEBHOOK_DOOR: door })).base);
});
afterAll(() => product.stop());

/** A connection in a separate workspace, with the path of its receiver. */
async function addConnection(accountId: string | null = null) {
  const [id, workspaceId, token] = [newId(), newId(), newToken()];
  const sealed = createSecretBox(ENCRYPTION_KEYS).seal(token, sealedFor(workspaceId, 'receiver_token', id));
  const pool = product.db.$client;
  await pool.query(`insert into workspaces (id, name) values ($1, 'Notified')`, [workspaceId]);
  await pool.query(
    `insert into connections (id, workspace_id, name, business_account_id, scopes, access_token_encrypted, token_issued_at,
       receiver_token_hash, receiver_token_encrypted, check_due_at)
     values ($1, $2, 'Books', $3, '{}', '', now(), $4, $5, now() + interval '1 day')`,
    [id, workspaceId, accountId, hashToken(token), sealed],
  );
  const countEvents = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::int as count from events where connection_id = $1',
      [id],
    );
    return rows[0]?.count ?? -1;
  };
  const remove = () => pool.query('delete from connections where id = $1', [id]);
  return { token, path: `/hooks/messaging/${token}`, countEvents, remove };
}

const send = (door: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${bases.get(door)}${path}`, { redirect: 'manual', ...init });

const post = (door: string, path: string, body: string, secret = APP_SECRET): Promise<Response> => {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return send(door, path, { method: 'POST', headers, body });
};

const written = (): string => notification(message(newMessageId(), '15550001111', 1_700_000_000));
const challenge = (verifyToken: string): string =>
  `?hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${verifyToken}`;

describe.each(DOORS)('notifications through the door: %s', (door) => {
  it('answers the handshakes of a connection and of the app', async () => {
    const { path, token } = await addConnection();
    for (const asked of [
      path + challenge(verifyTokenOf(token)),
      `/hooks/messaging${challenge(appVerifyToken(APP_SECRET))}`,
    ]) {
      const answer = await send(door, asked);
      expect([answer.status, await answer.text()]).toEqual([200, '12345']);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
    for (const [asked, status] of [
      [path + challenge('wrong'), 403],
      [`/hooks/messaging${challenge('wrong')}`, 403],
      [`/hooks/messaging/unknown${challenge('wrong')}`, 404],
      [path, 403],
    ] as const)
      expect([asked, (await send(door, asked)).status]).toEqual([asked, status]);
  });

  it('stores what is signed over its bytes, and nothing else', async () => {
    const { path, countEvents } = await addConnection();
    const answer = await post(door, path, written());
    expect([answer.status, await answer.text()]).toEqual([200, 'EVENT_RECEIVED']);
    expect(await countEvents()).toBe(1);
    expect((await post(door, path, written(), 'another secret')).status).toBe(403);
    expect((await send(door, path, { method: 'POST', body: written() })).status).toBe(403);
    expect((await post(door, '/hooks/messaging/unknown', written())).status).toBe(404);
    expect(await countEvents()).toBe(1);
    expect((await post(door, path, '{')).status).toBe(200);
    expect(await countEvents()).toBe(2);
  });

  it('gives what comes to the app to the connections of the account', async () => {
    const accountId = `${ACCOUNT}${door === 'node' ? 1 : 2}`;
    const ofAccount = [await addConnection(accountId), await addConnection(accountId)];
    const body = written().replaceAll(/"id":"\d+","time"/g, `"id":"${accountId}","time"`);
    expect((await post(door, '/hooks/messaging', body)).status).toBe(200);
    for (const { countEvents } of ofAccount) expect(await countEvents()).toBe(1);
  });

  it('stores each of many that arrive together before it is answered', async () => {
    const { path, countEvents } = await addConnection();
    const bodies = Array.from({ length: 60 }, written);
    const answers = await Promise.all([...bodies, ...bodies].map((body) => post(door, path, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await countEvents()).toBe(60);
  });

  it('refuses what is too large, and knows no other method', async () => {
    const { path, countEvents } = await addConnection();
    expect((await post(door, path, JSON.stringify('x'.repeat(MAX_BYTES)))).status).toBe(413);
    expect((await post(door, path, JSON.stringify('x'.repeat(MAX_BYTES - 2)))).status).toBe(200);
    expect(await countEvents()).toBe(1);
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect([method, (await send(door, path, { method })).status]).toEqual([method, 405]);
  });

  it('does not know a removed connection, although it knew it before', async () => {
    const { path, remove, countEvents } = await addConnection();
    expect((await post(door, path, written())).status).toBe(200);
    await remove();
    expect((await post(door, path, written())).status).toBe(404);
    expect(await countEvents()).toBe(1);
  });
});
