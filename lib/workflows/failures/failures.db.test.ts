import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { adviseOnFailure } from '#lib/runs/failure-advice.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { runDraft } from '../draft-runs/run-draft.ts';
import { typedDraftRunSchema } from '../draft-runs/schema.ts';
import type { Workflow } from '../schema.ts';
import { callingGraph } from '../testing/test-graphs.ts';
import { MAX_FAILURES_COUNTED } from '#lib/workflows/row-schema.ts';
import { listFailures, lookAtWorkflow } from './list-failures.ts';

let context: TestContext;
let engine: TestEngine;
let userId: string;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  engine.call = () => {
    throw new TaskError('refused', 'The shop refused the order.');
  };
  userId = newId();
  await context.ctx.db.insert(users).values({ id: userId, email: `${userId}@example.com` });
});
afterAll(() => context.end());

const failures = (user = userId) => listFailures(context.ctx, { userId: user });
const fail = async (workflow: Workflow): Promise<string> => {
  const { runId } = await engine.receive(workflow);
  await engine.advance(runId);
  return runId;
};

test('a workflow that failed is news to each user until they look', async () => {
  const workflow = await engine.publish(callingGraph());
  await fail(workflow);
  const runId = await fail(workflow);
  const advice = adviseOnFailure({ code: 'refused' });
  const reason = 'The shop refused the order.';
  const expected = { count: 2, runId, reason, advice, taskName: 'HTTP request' };
  expect((await failures()).get(workflow.id)).toEqual(expected);
  await lookAtWorkflow(context.ctx, { id: workflow.id, userId });
  expect((await failures()).has(workflow.id)).toBe(false);
  expect((await failures(newId())).get(workflow.id)).toEqual(expected);
  await fail(workflow);
  expect((await failures()).get(workflow.id)?.count).toBe(1);
});

test('a run that began before the last look and failed after it is news', async () => {
  const workflow = await engine.publish(callingGraph());
  const { runId } = await engine.receive(workflow);
  await lookAtWorkflow(context.ctx, { id: workflow.id, userId });
  await engine.advance(runId);
  expect((await failures()).get(workflow.id)?.count).toBe(1);
});

test('runs of drafts and of other workspaces are none, and counting ends', async () => {
  const workflow = await engine.publish(callingGraph());
  const input = { id: workflow.id, sample_text: '{}', call_services: true };
  const draft = await runDraft(context.ctx, typedDraftRunSchema.parse(input));
  await engine.advance(draft.id);
  expect((await failures()).has(workflow.id)).toBe(false);
  const runId = await fail(workflow);
  expect((await listFailures(context.stranger, { userId })).size).toBe(0);
  await lookAtWorkflow(context.stranger, { id: workflow.id, userId });
  expect((await failures()).get(workflow.id)?.count).toBe(1);
  for (let n = 0; n < MAX_FAILURES_COUNTED + 5; n += 1)
    await context.ctx.db.$client.query(
      `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, finished_at, error)
       select $2, workspace_id, workflow_id, version, event_id, status, created_at, finished_at, error
       from runs where id = $1`,
      [runId, newId()],
    );
  expect((await failures()).get(workflow.id)?.count).toBe(MAX_FAILURES_COUNTED);
});
