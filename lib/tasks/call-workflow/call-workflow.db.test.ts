// Calls with the real executor on PostgreSQL; each run is advanced like by a worker.
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCalls, runs } from '#lib/engine/schema/runs.ts';
import { newId } from '#lib/core/ids.ts';
import { readRun } from '#lib/screens/read-run.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { cancelRun, retryRun } from '#lib/runs/change-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { tryTask } from '#lib/editor/try-task.ts';
import { runDraft } from '#lib/workflows/draft-runs/run-draft.ts';
import {
  deleteWorkflow,
  limitRuns,
  pauseWorkflow,
  setWorkspaceRunLimit,
  unpublishWorkflow,
} from '#lib/workflows/lifecycle.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import { createCallWorkflowExecutor } from './execute.ts';

let context: TestContext;
let engine: TestEngine;
let called: Workflow;

const greeting = {
  id: 2,
  type: 'set_variables',
  settings: { variables: [{ name: 'greeting', value: 'Hi {{task_1_name}}!' }] },
};
const failing = { id: 2, type: 'delay', settings: { mode: 'for', amount: '{{task_1_name}}', unit: 'days' } };
const waiting = { id: 2, type: 'delay', settings: { mode: 'for', amount: 5, unit: 'days' } };
const edge = { from: 1, to: 2 };

beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  engine.executors.set(
    'call_workflow',
    createCallWorkflowExecutor(async () => ({ db: context.ctx.db })),
  );
});
afterAll(() => context.end());
beforeEach(async () => {
  called = await engine.publish({ ...drawing([greeting], [edge]), name: 'Greet' });
});

const publishCaller = (more: object = {}, target: Workflow = called): Promise<Workflow> =>
  engine.publish(
    drawing(
      [
        {
          id: 2,
          type: 'call_workflow',
          settings: {
            called_workflow: target.id,
            body_fields: [{ name: 'name', value: '{{task_1_name}}' }],
            ...more,
          },
        },
      ],
      [edge],
    ),
  );

async function begin(caller: Workflow): Promise<string> {
  const { runId } = await engine.receive(caller, '{"name":"Kim"}');
  await engine.advance(runId);
  return runId;
}

const callsOf = async (runId: string): Promise<string[]> =>
  (await context.ctx.db.select().from(runCalls).where(eq(runCalls.callerRunId, runId)))
    .map((row) => row.runId)
    .toSorted();
const callOf = async (runId: string): Promise<string> => (await callsOf(runId)).at(-1) ?? '';
const statusOf = async (runId: string) => (await getRun(context.ctx, { id: runId })).status;
const taskOf = async (runId: string) =>
  (await getRun(context.ctx, { id: runId })).tasks.find(({ task_id }) => task_id === 2);

test('a called run gets the body, is a run of its own, and its end continues the caller with its result', async () => {
  const runId = await begin(await publishCaller());
  expect(await statusOf(runId)).toBe('waiting');
  const inner = await callOf(runId);
  expect(await getRun(context.ctx, { id: inner })).toMatchObject({
    workflow_id: called.id,
    version: 1,
    draft_revision: null,
    status: 'queued',
  });
  expect(await engine.advance(runId, true)).toBe('not due');
  expect(await engine.advance(inner)).toBe('succeeded');
  expect(await engine.advance(runId, true)).toBe('succeeded');
  expect(await taskOf(runId)).toMatchObject({
    status: 'succeeded',
    output: { run_id: inner, status: 'succeeded', result: { greeting: 'Hi Kim!' } },
  });
  const jobs = await context.ctx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from graphile_worker._private_jobs where payload::text like ${`%${runId}%signaled%`}`,
  );
  expect(jobs.rows[0]?.count).toBe(1);
});

test('a workflow that responds after it completes gives its response as the result', async () => {
  const answering = await engine.publish(
    drawing([greeting], [edge], {
      response_type: 'after_workflow',
      response_body: '{"said": {{task_2_greeting}}}',
    }),
  );
  const runId = await begin(await publishCaller({}, answering));
  await engine.advance(await callOf(runId));
  await engine.advance(runId, true);
  expect((await taskOf(runId))?.output).toMatchObject({ result: { said: 'Hi Kim!' } });
});

test('an after-workflow caller is answered when the called run has ended', async () => {
  const answering = { response_type: 'after_workflow', response_body: '{}' };
  const call = { id: 2, type: 'call_workflow', settings: { called_workflow: called.id } };
  const runId = await begin(await engine.publish(drawing([call], [edge], answering)));
  const answerOf = async () =>
    (await context.ctx.db.select().from(runs).where(eq(runs.id, runId)))[0]?.answer?.status;
  expect(await answerOf()).toBeUndefined();
  await engine.advance(await callOf(runId));
  await engine.advance(runId, true);
  expect(await answerOf()).toBe(200);
});

test('a failed run fails the task with an error that names it; a retry calls again', async () => {
  const broken = await engine.publish({ ...drawing([failing], [edge]), name: 'Broken' });
  const runId = await begin(await publishCaller({}, broken));
  const inner = await callOf(runId);
  expect(await engine.advance(inner)).toBe('failed');
  expect(await engine.advance(runId, true)).toBe('failed');
  const task = await taskOf(runId);
  expect(task?.error).toMatchObject({ code: 'call_failed', details: { run_id: inner } });
  expect(task?.error?.message).toContain(inner);
  await retryRun(context.ctx, { id: runId, from: 'failed_task' });
  await engine.advance(runId);
  expect(await callsOf(runId)).toHaveLength(2);
});

test('a retry takes the output of a called run that was retried by itself and succeeded', async () => {
  const slow = await engine.publish(drawing([waiting], [edge]));
  const runId = await begin(await publishCaller({}, slow));
  const inner = await callOf(runId);
  await engine.advance(inner);
  await cancelRun(context.ctx, { id: inner });
  expect(await engine.advance(runId, true)).toBe('failed');
  expect((await taskOf(runId))?.error?.code).toBe('call_cancelled');
  await retryRun(context.ctx, { id: inner, from: 'failed_task' });
  await context.ctx.db.update(runs).set({ status: 'succeeded' }).where(eq(runs.id, inner));
  await retryRun(context.ctx, { id: runId, from: 'failed_task' });
  expect(await engine.advance(runId)).toBe('succeeded');
  expect(await callsOf(runId)).toEqual([inner]);
});

test('cancelling the caller cancels the runs that it waits for, and those that these wait for', async () => {
  const slow = await engine.publish(drawing([waiting], [edge]));
  const middle = await publishCaller({}, slow);
  const runId = await begin(await publishCaller({}, middle));
  const second = await callOf(runId);
  await engine.advance(second);
  const third = await callOf(second);
  await engine.advance(third);
  await cancelRun(context.ctx, { id: runId });
  expect(await Promise.all([runId, second, third].map(statusOf))).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
  ]);
});

test('a task that does not wait is done at once, and its run is not cancelled with the caller', async () => {
  const slow = await engine.publish(drawing([waiting], [edge]));
  const caller = await publishCaller({ wait_for_end: 'no' }, slow);
  const runId = await begin(caller);
  expect(await statusOf(runId)).toBe('succeeded');
  expect((await taskOf(runId))?.output).toEqual({
    run_id: await callOf(runId),
    status: 'queued',
    result: null,
  });
  expect(await statusOf(await callOf(runId))).toBe('queued');
});

test.each([
  ['cancel', 'cancelled'],
  ['leave', 'waiting'],
])('at the limit of time the task fails; the called run: %s', async (after_limit, status) => {
  const slow = await engine.publish(drawing([waiting], [edge]));
  const limit = { wait_for_end: 'with_limit', limit_amount: 5, limit_unit: 'minutes', after_limit };
  const runId = await begin(await publishCaller(limit, slow));
  const inner = await callOf(runId);
  await engine.advance(inner);
  engine.aheadMs = 10 * 60_000;
  await context.ctx.db.update(runs).set({ resumeAt: new Date() }).where(eq(runs.id, runId));
  expect(await engine.advance(runId)).toBe('failed');
  engine.aheadMs = 0;
  expect((await taskOf(runId))?.error?.code).toBe('call_timed_out');
  expect(await statusOf(inner)).toBe(status);
});

test('a workflow with a limit of runs at once queues called runs, too', async () => {
  await limitRuns(context.ctx, { id: called.id, max_concurrent_runs: 1 });
  const caller = await publishCaller();
  const [first, second] = [await begin(caller), await begin(caller)];
  const [one, two] = [await callOf(first), await callOf(second)];
  expect(await engine.advance(two)).toBe('not due');
  expect(await engine.advance(one)).toBe('succeeded');
  expect(await engine.advance(two)).toBe('succeeded');
  expect(await engine.advance(second, true)).toBe('succeeded');
});

test('called runs do not count for the limit of the workspace: their callers would wait for them forever', async () => {
  const caller = await publishCaller();
  await setWorkspaceRunLimit(context.ctx, { max_concurrent_runs: 1 });
  try {
    const [first, second] = [await begin(caller), await begin(caller)];
    expect([await statusOf(first), await statusOf(second)]).toEqual(['waiting', 'queued']);
    expect(await engine.advance(await callOf(first))).toBe('succeeded');
    // The caller holds the place until it has ended.
    expect(await engine.advance(second)).toBe('not due');
    expect(await engine.advance(first, true)).toBe('succeeded');
    expect(await engine.advance(second)).toBe('waiting');
    const inner = await callOf(second);
    await cancelRun(context.ctx, { id: inner });
    // Nor do they when they are resumed.
    await retryRun(context.ctx, { id: inner, from: 'failed_task' });
    expect(await engine.advance(inner)).toBe('succeeded');
    expect(await engine.advance(second, true)).toBe('succeeded');
  } finally {
    await setWorkspaceRunLimit(context.ctx, { max_concurrent_runs: null });
  }
});

test('a called run that waits for its turn does not keep the one before it from a place in the workspace', async () => {
  await limitRuns(context.ctx, { id: called.id, max_concurrent_runs: 1 });
  const caller = await publishCaller();
  await setWorkspaceRunLimit(context.ctx, { max_concurrent_runs: 1 });
  try {
    const { runId: first } = await engine.receive(caller, '{"name":"Kim"}');
    const { runId: before } = await engine.receive(called, '{"name":"Lee"}');
    expect(await engine.advance(before)).toBe('not due');
    expect(await engine.advance(first)).toBe('waiting');
    const inner = await callOf(first);
    expect(await engine.advance(inner)).toBe('not due');
    const { runId: behind } = await engine.receive(caller, '{"name":"Ann"}');
    expect(await engine.advance(before)).toBe('succeeded');
    // The place is the caller's again.
    expect(await engine.advance(behind)).toBe('not due');
    expect(await engine.advance(inner)).toBe('succeeded');
    expect(await engine.advance(behind)).toBe('not due');
    expect(await engine.advance(first, true)).toBe('succeeded');
    expect(await engine.advance(behind)).toBe('waiting');
    expect(await engine.advance(await callOf(behind))).toBe('succeeded');
    expect(await engine.advance(behind, true)).toBe('succeeded');
  } finally {
    await setWorkspaceRunLimit(context.ctx, { max_concurrent_runs: null });
  }
});

test('a workflow that does not run fails the task with an error that says so', async () => {
  const caller = await publishCaller();
  const failure = async () => (await getRun(context.ctx, { id: await begin(caller) })).error;
  await pauseWorkflow(context.ctx, { id: called.id });
  expect(await failure()).toMatchObject({
    code: 'called_workflow_not_active',
    message: expect.stringContaining('“Greet”') as string,
  });
  await unpublishWorkflow(context.ctx, { id: called.id });
  expect((await failure())?.message).toContain('not published');
  await deleteWorkflow(context.ctx, { id: called.id });
  expect(await failure()).toMatchObject({ code: 'called_workflow_missing' });
});

test('a task that is tested alone says what to do instead', async () => {
  const caller = await publishCaller();
  const input = { id: caller.id, task_id: 2, tried: {}, confirmed: true };
  const executor = engine.executors.get('call_workflow');
  expect(await tryTask(context.ctx, input, () => executor)).toMatchObject({
    kind: 'failed',
    code: 'call_without_run',
  });
});

test('a run of the draft calls the published version, which captures what it would send', async () => {
  const sending = await engine.publish(
    drawing(
      [{ id: 2, type: 'http_request', settings: { url: 'https://example.com/', method: 'DELETE' } }],
      [edge],
    ),
  );
  const caller = await publishCaller({}, sending);
  const sent: string[] = [];
  engine.call = ({ runId }) => {
    sent.push(runId);
    return { kind: 'done', output: {}, runText: 'Sent.' };
  };
  const run = await runDraft(context.ctx, {
    id: caller.id,
    sample_text: '{"name":"Kim"}',
    send_to: null,
    call_services: false,
  });
  await engine.advance(run.id);
  const inner = await callOf(run.id);
  expect(await getRun(context.ctx, { id: inner })).toMatchObject({ version: 1, draft_revision: 0 });
  expect(await engine.advance(inner)).toBe('succeeded');
  expect(await engine.advance(run.id, true)).toBe('succeeded');
  expect(sent).toEqual([]);
  expect((await taskOf(inner))?.captured).toHaveLength(1);
});

test('a called run ends as any other when its caller was removed', async () => {
  const runId = await begin(await publishCaller());
  const inner = await callOf(runId);
  const { db, workspaceId } = context.ctx;
  await db.execute(sql`with gone as (delete from signal_waits where run_id = ${runId}),
    tasks as (delete from task_runs where run_id = ${runId}) delete from runs where id = ${runId}`);
  expect(await engine.advance(inner)).toBe('succeeded');
  expect((await getRun(context.ctx, { id: inner })).called_by?.run_id).toBe(runId);
  const member = { ...context.ctx, workspaceId, role: 'editor', masksNumbers: false };
  expect((await readRun(member as never, inner)).run).toMatchObject({ calledBy: runId, callerName: null });
});

test('calls are at most ten levels deep', async () => {
  const { runId } = await engine.receive(await publishCaller(), '{}');
  const { db, workspaceId } = context.ctx;
  const caller = { callerRunId: newId(), taskId: 2, iteration: '', isAwaited: true };
  await db.insert(runCalls).values({ runId, workspaceId, depth: 10, ...caller });
  expect(await engine.advance(runId)).toBe('failed');
  expect((await taskOf(runId))?.error?.code).toBe('call_too_deep');
});

test('items of a loop that run at once have a called run each', async () => {
  const caller = await engine.publish(
    drawing(
      [
        { id: 2, type: 'loop', settings: { count: 3, at_once: 3 } },
        { id: 3, type: 'call_workflow', settings: { called_workflow: called.id } },
      ],
      [edge, { from: 2, to: 3, branch: 'each' }],
    ),
  );
  const runId = await begin(caller);
  const inner = await callsOf(runId);
  expect(inner).toHaveLength(3);
  for (const id of inner) await engine.advance(id);
  expect(await engine.advance(runId, true)).toBe('succeeded');
  expect(
    (await getRun(context.ctx, { id: runId })).calls.map(({ iteration }) => iteration[0]).sort(),
  ).toEqual([0, 1, 2]);
});
