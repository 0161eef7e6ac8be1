import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type MessagingWorld,
  type OpenedRuntime,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { callGraph, type GraphAccess } from '#lib/messaging/platform/graph.ts';
import { getAccessToken, withAccessToken } from './tokens/access-token.ts';
import { createConnection } from './create-connection.ts';
import { getConnection } from './connections.ts';
import { loadConnectionRow } from './connection-rows.ts';
import { replaceTokens } from './stored-tokens.ts';

const ROUNDS = 100;
const CALLERS = 50;

let world: MessagingWorld;
let processes: OpenedRuntime[];

beforeAll(async () => {
  world = await startMessagingWorld();
  // Each with its own connections and memory, like separate processes.
  processes = [world.runtime, ...[1, 2, 3].map(() => world.openRuntime())];
});
afterAll(async () => {
  await Promise.all(processes.slice(1).map((each) => each.close()));
  await world.end();
});
beforeEach(() => world.control('DELETE', 'faults'));

/** Any call with the token of a connection. */
const readMe = (access: GraphAccess) => callGraph(access, { method: 'GET', path: ['me'] });
const tokenCalls = () => world.calls('target=token');

async function expire(connectionId: string): Promise<void> {
  await world.control('POST', 'tokens/expire', { kind: 'access' });
  await world.runtime.hot.query(
    `update connections set token_issued_at = now() - interval '1 hour', token_expires_at = now() - interval '30 minutes' where id = $1`,
    [connectionId],
  );
}

const ask = (connectionId: string, caller: number) => {
  const runtime = processes[caller % processes.length] ?? world.runtime;
  return getAccessToken(world.contextOf(runtime), connectionId);
};

test('50 callers of four processes ask for an expired token, 100 rounds, rotation on: one refresh a round, and it is never called broken', async () => {
  const { id } = await world.connect();
  for (let round = 0; round < ROUNDS; round += 1) {
    await expire(id);
    const before = (await tokenCalls()).length;
    const tokens = await Promise.all(Array.from({ length: CALLERS }, (_, caller) => ask(id, caller)));
    expect((await tokenCalls()).length - before).toBe(1);
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect((await getConnection(world.ctx, { id })).status).toBe('connected');
  }
  await expect(withAccessToken(world.ctx, id, readMe)).resolves.toBeDefined();
  await deleteAll();
}, 120_000);

const deleteAll = () => world.runtime.hot.query('delete from connections');

describe('when a token is refreshed', () => {
  test('not before half of its lifetime is over, then in passing', async () => {
    const { id } = await world.connect();
    const before = (await tokenCalls()).length;
    await getAccessToken(world.ctx, id);
    expect((await tokenCalls()).length).toBe(before);
    await world.runtime.hot.query(
      `update connections set token_issued_at = now() - interval '16 minutes', token_expires_at = now() + interval '14 minutes' where id = $1`,
      [id],
    );
    const { revision } = await getAccessToken(world.ctx, id);
    expect(revision).toBe(2);
    expect((await tokenCalls()).length).toBe(before + 1);
    await deleteAll();
  });

  test('at half-life a refresh that fails does not keep anybody from the token that is still good', async () => {
    const tokens = await world.mint();
    const { id } = await world.connect({ tokens });
    await world.runtime.hot.query(
      `update connections set token_issued_at = now() - interval '16 minutes', token_expires_at = now() + interval '14 minutes' where id = $1`,
      [id],
    );
    await world.control('POST', 'faults', { kind: 'error', target: 'token', http_status: 503 });
    expect((await getAccessToken(world.ctx, id)).accessToken).toBe(tokens.access_token);
    await deleteAll();
  });

  test('a 190 in the middle: one refresh, one repeat', async () => {
    const { id } = await world.connect();
    await world.control('POST', 'tokens/revoke', { kind: 'access' });
    const before = await world.calls('target=graph&path=me');
    const refreshes = (await tokenCalls()).length;
    await expect(withAccessToken(world.ctx, id, readMe)).resolves.toBeDefined();
    expect(
      (await world.calls('target=graph&path=me')).slice(before.length).map(({ status }) => status),
    ).toEqual([401, 200]);
    expect((await tokenCalls()).length - refreshes).toBe(1);
    await deleteAll();
  });

  test('refused again with a new token, the connection has to be reconnected', async () => {
    const { id } = await world.connect();
    await world.control('POST', 'faults', {
      kind: 'error',
      code: 190,
      subcode: 463,
      times: 2,
      path: 'me',
    });
    await expect(withAccessToken(world.ctx, id, readMe)).rejects.toMatchObject({ kind: 'token' });
    expect(await getConnection(world.ctx, { id })).toMatchObject({
      status: 'needs_reconnecting',
      status_reason: 'The access token has expired.',
    });
    await deleteAll();
  });

  test('a token that cannot be refreshed: one refusal that a success follows ends nothing, two end it', async () => {
    const { access_token } = await world.mint({ expires_in: 5_184_000 });
    const { id } = await createConnection(world.ctx, { name: 'Long', access_token });
    const refuse = (times: number) =>
      world.control('POST', 'faults', { kind: 'error', code: 190, subcode: 467, times, path: 'me' });
    const statusNow = async () => (await getConnection(world.ctx, { id })).status;
    await refuse(1);
    await expect(withAccessToken(world.ctx, id, readMe)).resolves.toBeDefined();
    expect(await statusNow()).toBe('connected');
    await refuse(2);
    await expect(withAccessToken(world.ctx, id, readMe)).rejects.toMatchObject({ kind: 'token' });
    expect(await statusNow()).toBe('needs_reconnecting');
    await deleteAll();
  });
});

describe('what breaks a connection', () => {
  test('a revoked refresh token does, with words that say so', async () => {
    const { id } = await world.connect();
    await expire(id);
    await world.control('POST', 'tokens/revoke', { kind: 'refresh' });
    await expect(getAccessToken(world.ctx, id)).rejects.toMatchObject({ isFinal: true });
    const connection = await getConnection(world.ctx, { id });
    expect(connection).toMatchObject({ status: 'needs_reconnecting' });
    expect(connection.status_reason).toMatch(/refresh token/);
    await deleteAll();
  });

  test('a token endpoint that answers 503, or not at all, does not', async () => {
    const { id } = await world.connect();
    await expire(id);
    await world.control('POST', 'faults', { kind: 'error', target: 'token', http_status: 503 });
    await expect(getAccessToken(world.ctx, id)).rejects.toMatchObject({ isFinal: false });
    await world.control('POST', 'faults', { kind: 'drop_before', target: 'token' });
    await expect(getAccessToken(world.ctx, id)).rejects.toMatchObject({ isFinal: false });
    const slow = world.openRuntime({ MESSAGING_TIMEOUT_SECONDS: '0.2' });
    await world.control('POST', 'faults', { kind: 'delay', target: 'token', delay_ms: 2000 });
    await expect(getAccessToken(world.contextOf(slow), id)).rejects.toMatchObject({ isFinal: false });
    await slow.close();
    expect((await getConnection(world.ctx, { id })).status).toBe('connected');
    await deleteAll();
  });

  test('a refresh that another process holds is waited for; its lease ends automatically when that process died', async () => {
    const { id } = await world.connect();
    await expire(id);
    await world.runtime.hot.query(
      `update connections set refresh_lease_id = gen_random_uuid(), refresh_lease_until = now() + interval '600 milliseconds' where id = $1`,
      [id],
    );
    const started = Date.now();
    const { revision } = await getAccessToken(world.ctx, id);
    expect(revision).toBe(2);
    expect(Date.now() - started).toBeGreaterThan(400);
    await deleteAll();
  });

  test('an old token refused while the connection was connected again changes nothing', async () => {
    const { id } = await world.connect();
    await expire(id);
    await world.control('POST', 'tokens/revoke', { kind: 'refresh' });
    await world.control('POST', 'faults', { kind: 'delay', target: 'token', delay_ms: 300 });
    const asking = getAccessToken(world.ctx, id);
    await vi.waitFor(async () => {
      const { rows } = await world.runtime.hot.query(
        'select 1 from connections where id = $1 and refresh_lease_until > now()',
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    const fresh = await world.mint();
    const row = await loadConnectionRow(world.ctx, id);
    const login = {
      step: 'authorized' as const,
      receivedAt: Date.now(),
      accessToken: fresh.access_token,
      refreshToken: fresh.refresh_token,
      expiresInSeconds: 1800,
      refreshExpiresInSeconds: null,
      scopes: row.scopes,
    };
    await world.ctx.db.transaction((tx) => replaceTokens(world.ctx, tx, row, login));
    expect((await asking).accessToken).toBe(fresh.access_token);
    expect((await getConnection(world.ctx, { id })).status).toBe('connected');
    await deleteAll();
  });
});
