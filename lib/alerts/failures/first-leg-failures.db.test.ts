import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIntake } from '#lib/webhooks/intake.ts';
import { makeArrival } from '#lib/testing/start-run.ts';
import { failedRuns } from '../schema.ts';
import { AlertWorld } from '../testing/alert-world.ts';

let world: AlertWorld;
beforeAll(async () => {
  world = await AlertWorld.open();
});
afterAll(() => world.end());

test('a run that fails in its first leg is noted with its webhook; one that succeeds beside it is not', async () => {
  const workflow = await world.publish();
  const intake = createIntake(world.ctx.db.$client);
  const receive = async (status: 'failed' | 'succeeded') => {
    const at = Date.now();
    const error = { code: 'not_a_list', message: 'No list.' };
    const change = { status, finishedAt: at, ...(status === 'failed' ? { error } : {}) };
    const arrival = makeArrival(workflow.webhook.token, {
      receivedAt: new Date(at),
      response: { version: 1, problem: null, leg: { change, taskRuns: [], startedAt: at } },
    });
    await intake(arrival);
    return arrival.runId;
  };
  const [failed] = await Promise.all([receive('failed'), receive('succeeded')]);
  expect(await world.ctx.db.select().from(failedRuns)).toMatchObject([
    { runId: failed, workflowId: workflow.id, workspaceId: world.ctx.workspaceId },
  ]);
});
