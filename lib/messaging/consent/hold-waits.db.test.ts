import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { countEarlier, holdKey, listPauses } from './hold-waits.ts';
import { setHold } from './holds.ts';

let world: MessagingWorld;
beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());

const GRAPH = {
  tasks: [{ id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} }],
  edges: [],
};

/** A run whose task 2 waits for the end of a hold since these numbers of seconds, with a wait for each. */
async function waitingRun(name: string, status: string, ...sinceSeconds: number[]): Promise<string> {
  const { hot } = world.runtime;
  const { token } = await insertWorkflow(hot, GRAPH, world.workspaceId);
  const runId = await startRun(createIntake(hot), token);
  await hot.query(
    `insert into task_runs (run_id, task_id, iteration, status, attempt) values ($1, 2, '', $2, 1)`,
    [runId, status],
  );
  for (const seconds of sinceSeconds)
    await hot.query(
      `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
       values ($1, $2, $3, $4, 2, '', 'all', 0, now() - make_interval(secs => $5), true)`,
      [newId(), world.workspaceId, holdKey(name), runId, seconds],
    );
  return runId;
}

const earlierThan = (runId: string): Promise<number> =>
  countEarlier(world.runtime.hot, { runId, taskId: 2, iteration: '' });

// Found by the simulation: its process died after it had recorded the second wait.
test('of two runs one is the first, although one of them waits twice', async () => {
  const first = await waitingRun('15550101001', 'running', 30, 10);
  const second = await waitingRun('15550101001', 'waiting', 20);
  expect([await earlierThan(first), await earlierThan(second)]).toEqual([0, 1]);
});

test('a hold that is replaced keeps what it suspended of deadlines, and no more', async () => {
  const customer = '15550101002';
  const hold = (deadlines: 'run' | 'stand_still') =>
    setHold(world.ctx, { id: customer, hours: null, reason: '', sends: 'wait', deadlines });
  const pauses = () => listPauses(world.runtime.hot, { workspaceId: world.workspaceId, recipient: customer });
  await hold('run');
  expect(await pauses()).toEqual([]);
  await hold('stand_still');
  const [first] = await pauses();
  await hold('stand_still');
  expect(await pauses()).toEqual([{ since: first?.since, until: Infinity }]);
  await hold('run');
  const [kept, ...others] = await pauses();
  expect(others).toEqual([]);
  expect(kept?.since).toBe(first?.since);
  expect(kept?.until).toBeLessThanOrEqual(Date.now());
});
