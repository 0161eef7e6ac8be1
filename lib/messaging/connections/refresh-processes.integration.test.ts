import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { getConnection } from './connections.ts';

const PROCESSES = 3;
const CALLERS_EACH = 17;
const ROUNDS = 20;
const SCRIPT = new URL('../testing/ask-for-token.ts', import.meta.url);

let world: MessagingWorld;
let children: ChildProcess[];

beforeAll(async () => {
  world = await startMessagingWorld();
  const given = JSON.stringify({ variables: world.variables, workspaceId: world.workspaceId });
  children = Array.from({ length: PROCESSES }, () => fork(SCRIPT, [given], { stdio: 'inherit' }));
  await Promise.all(children.map((child) => once(child, 'message')));
});
afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    }),
  );
  await world.end();
});

async function ask(child: ChildProcess, connectionId: string): Promise<string[]> {
  const answered = once(child, 'message') as Promise<[{ tokens?: string[]; problem?: string }]>;
  child.send({ connectionId, times: CALLERS_EACH });
  const [{ tokens, problem }] = await answered;
  if (!tokens) throw new Error(problem);
  return tokens;
}

test('three processes ask 17 times each for an expired token, rotation on: one refresh a round', async () => {
  const { id } = await world.connect();
  for (let round = 0; round < ROUNDS; round += 1) {
    await world.control('POST', 'tokens/expire', { kind: 'access' });
    await world.runtime.hot.query(
      `update connections set token_issued_at = now() - interval '1 hour', token_expires_at = now() - interval '30 minutes'`,
    );
    const before = (await world.calls('target=token')).length;
    const tokens = (await Promise.all(children.map((child) => ask(child, id)))).flat();
    expect(tokens).toHaveLength(PROCESSES * CALLERS_EACH);
    expect(new Set(tokens).size).toBe(1);
    expect((await world.calls('target=token')).length - before).toBe(1);
    expect((await getConnection(world.ctx, { id })).status).toBe('connected');
  }
});
