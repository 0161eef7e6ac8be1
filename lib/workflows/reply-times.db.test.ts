import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { runs, taskRuns } from '#lib/engine/schema/runs.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { loadReplyTimes } from './reply-times.ts';

let world: TestContext;
let ctx: ActorContext;
beforeAll(async () => {
  world = await createTestContext();
  ({ ctx } = world);
});
afterAll(() => world.end());

const drawing = {
  name: 'Reply',
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'Webhook', settings: { response_type: 'after_workflow' } },
    { id: 2, type: 'delay', name: 'Wait', settings: { amount: '5', unit: 'minutes' } },
  ],
  edges: [{ from: 1, to: 2 }],
};
const limitMs = 30_000;
const START = new Date('2026-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(START.getTime() + ms);

async function insertRun(workflowId: string, ms: number | null, more: object = {}): Promise<string> {
  const id = newId();
  const finishedAt = ms === null ? null : after(ms);
  await ctx.db.insert(runs).values({
    id,
    workspaceId: ctx.workspaceId,
    workflowId,
    version: 1,
    eventId: newId(),
    awaited: true,
    status: 'succeeded',
    createdAt: START,
    finishedAt,
    ...more,
  });
  return id;
}

test('half of the runs, 95 of 100, and callers who waited in vain', async () => {
  const { id } = await createWorkflow(ctx, drawing);
  await publishWorkflow(ctx, { id });
  for (let n = 1; n <= 20; n += 1) await insertRun(id, n * 100);
  await insertRun(id, 31_000);
  await insertRun(id, 40_000, { awaited: false });
  await insertRun(id, 900_000, { version: -3 });
  await insertRun(id, 900_000, { retryOf: newId() });
  expect(await loadReplyTimes(ctx, { id, limitMs })).toEqual({
    runs: 22,
    p50Ms: 1100,
    p95Ms: 31_000,
    late: 1,
    limitMs,
  });
});

test('a run that waits has answered its caller before; one that has not ended has not', async () => {
  const { id } = await createWorkflow(ctx, drawing);
  await publishWorkflow(ctx, { id });
  const runId = await insertRun(id, null, { status: 'waiting' });
  await ctx.db.insert(taskRuns).values({ runId, taskId: 2, status: 'waiting', startedAt: after(250) });
  expect(await loadReplyTimes(ctx, { id, limitMs })).toMatchObject({ runs: 1, p50Ms: 250, late: 0 });
  await insertRun(id, null, { status: 'running' });
  expect(await loadReplyTimes(ctx, { id, limitMs })).toMatchObject({ runs: 2, late: 1 });
});

test('no runs yet, and a workflow of another workspace', async () => {
  const { id } = await createWorkflow(ctx, drawing);
  expect(await loadReplyTimes(ctx, { id, limitMs })).toMatchObject({ runs: 0, p50Ms: 0, late: 0 });
  await expect(loadReplyTimes({ ...ctx, workspaceId: newId() }, { id, limitMs })).rejects.toMatchObject({
    code: 'not_found',
  });
});
