import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TaskError } from '#lib/engine/task-executor.ts';
import { newId } from '#lib/ids.ts';
import { pauseWorkflow } from '#lib/workflows/pause-workflow.ts';
import { callingDrawing, drawing } from '#lib/workflows/test-drawings.ts';
import { createTestContext, type TestContext } from '#lib/workspaces/test-context.ts';
import { cancelRun } from './cancel-run.ts';
import { getRun } from './get-run.ts';
import { listRuns } from './list-runs.ts';
import { resolveTaskRun } from './resolve-task-run.ts';
import { retryRun } from './retry-run.ts';
import type { Run } from './schema.ts';
import { done, TestEngine } from './test-engine.ts';

let context: TestContext;
let engine: TestEngine;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
});
afterAll(() => context.end());
beforeEach(() => {
  engine.call = () => done();
});

const http = (id: number, more: object = {}) => ({
  id,
  type: 'http_request',
  settings: { url: 'https://example.com/' },
  ...more,
});
const get = (id: string) => getRun(context.ctx, { id });
const retry = (id: string) => retryRun(context.ctx, { id, from: 'failed_task' });
const statuses = (run: Run) =>
  Object.fromEntries(
    run.tasks.map(({ task_id, iteration, status }) => [[task_id, ...iteration].join('.'), status]),
  );

const refuse = () => {
  throw new TaskError('refused', 'The shop said no.');
};
const loseAnswer = () => {
  throw new TaskError('interrupted', 'The answer was lost.', { outcomeUnknown: true });
};

async function runOf(drawn = callingDrawing(), body = '{}'): Promise<string> {
  const { runId } = await engine.receive(await engine.publish(drawn), body);
  return runId;
}

describe('a run', () => {
  test('is shown with what its tasks did, outputs with all digits', async () => {
    engine.call = () => done({ status: 200, body: { id: 7 } });
    const workflow = await engine.publish(callingDrawing());
    const { runId, eventId } = await engine.receive(workflow, '{"total":1.10}');
    expect(await get(runId)).toMatchObject({ status: 'queued', started_at: null, tasks: [] });
    await engine.advance(runId);
    const run = await get(runId);
    expect(run).toMatchObject({
      status: 'succeeded',
      workflow_id: workflow.id,
      version: 1,
      event_id: eventId,
      error: null,
      tasks_next_offset: null,
    });
    expect(
      run.tasks.map(({ task_id, type, name, iteration, run: ran }) => ({
        task_id,
        type,
        name,
        iteration,
        ran,
      })),
    ).toEqual([
      { task_id: 1, type: 'inbound_webhook', name: 'Inbound webhook', iteration: [], ran: true },
      { task_id: 2, type: 'http_request', name: 'HTTP request', iteration: [], ran: true },
    ]);
    expect(JSON.stringify(run.tasks.map(({ output }) => output))).toBe(
      '[{"total":1.10},{"status":200,"body":{"id":7}}]',
    );
  });

  test('is listed by workflow and status, page by page', async () => {
    const workflow = await engine.publish(callingDrawing());
    const runs = [];
    for (let n = 0; n < 4; n += 1) runs.unshift((await engine.receive(workflow)).runId);
    engine.call = refuse;
    await engine.advance(runs[1] ?? '');
    engine.call = () => ({
      kind: 'wait',
      until: new Date(Date.now() + 60_000),
      output: {},
      runText: 'Waits.',
    });
    await engine.advance(runs[2] ?? '');
    const list = async (input: object) =>
      (await listRuns(context.ctx, { limit: 10, workflow_id: workflow.id, ...input })).data.map(
        ({ id }) => id,
      );
    expect(await list({})).toEqual(runs);
    expect(await list({ status: 'failed' })).toEqual([runs[1]]);
    expect(await list({ status: 'waiting' })).toEqual([runs[2]]);
    expect(await list({ status: 'queued' })).toEqual([runs[0], runs[3]]);
    const first = await listRuns(context.ctx, { limit: 3, workflow_id: workflow.id });
    const rest = await listRuns(context.ctx, {
      limit: 3,
      workflow_id: workflow.id,
      cursor: first.next_cursor ?? '',
    });
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(runs);
  });
});

describe('retrying from the failed task', () => {
  test('executes it and what follows, and nothing that succeeded', async () => {
    const drawn = drawing(
      [http(2), http(3), http(4)],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 3, to: 4 },
      ],
    );
    const runId = await runOf(drawn);
    const calls: number[] = [];
    engine.call = ({ taskId }) => {
      calls.push(taskId);
      return taskId === 3 && calls.length < 3 ? refuse() : done();
    };
    expect(await engine.advance(runId)).toBe('failed');
    expect(await get(runId)).toMatchObject({ status: 'failed', error: { code: 'refused', task_id: 3 } });
    expect(await retry(runId)).toMatchObject({ status: 'queued', error: null, finished_at: null });
    expect(
      (await listRuns(context.ctx, { limit: 100, status: 'failed' })).data.map(({ id }) => id),
    ).not.toContain(runId);
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(calls).toEqual([2, 3, 3, 4]);
    expect(statuses(await get(runId))).toEqual({
      1: 'succeeded',
      2: 'succeeded',
      3: 'succeeded',
      4: 'succeeded',
    });
  });

  test('goes on at the item of a loop that failed, with the items it had', async () => {
    const items = { id: 2, type: 'loop', settings: { items: '{{task_1_items}}' } };
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ];
    const runId = await runOf(drawing([items, http(3), http(4)], edges), '{"items":[1.0,2.0,3.0]}');
    const calls: string[] = [];
    engine.call = ({ taskId, iteration }) => {
      calls.push(`${taskId}@${iteration}`);
      return calls.length === 2 ? refuse() : done();
    };
    expect(await engine.advance(runId)).toBe('failed');
    expect(await get(runId)).toMatchObject({ error: { code: 'item_failed', task_id: 2 } });
    await retry(runId);
    expect(statuses(await get(runId))).toEqual({ 1: 'succeeded', 2: 'running', '3.0': 'succeeded' });
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(calls).toEqual(['3@0', '3@1', '3@1', '3@2', '4@']);
    const loop = (await get(runId)).tasks.find(({ task_id }) => task_id === 2);
    expect(loop?.output).toEqual({ count: 3, failed_count: 0 });
  });

  test('leaves failures alone that the run went on from', async () => {
    const tasks = [http(2, { on_failure: 'branch' }), http(3), http(4)];
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 2, to: 4, branch: 'failed' },
    ];
    const runId = await runOf(drawing(tasks, edges));
    engine.call = refuse;
    expect(await engine.advance(runId)).toBe('failed');
    expect(statuses(await get(runId))).toEqual({ 1: 'succeeded', 2: 'failed', 3: 'skipped', 4: 'failed' });
    engine.call = () => done();
    await retry(runId);
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(statuses(await get(runId))).toEqual({ 1: 'succeeded', 2: 'failed', 3: 'skipped', 4: 'succeeded' });
  });

  test('leaves failed items alone that a loop went on without', async () => {
    const items = { id: 2, type: 'loop', settings: { count: 3, on_item_failure: 'continue' } };
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ];
    const runId = await runOf(drawing([items, http(3), http(4)], edges));
    engine.call = ({ taskId, iteration }) => (taskId === 4 || iteration === '1' ? refuse() : done());
    expect(await engine.advance(runId)).toBe('failed');
    const calls: number[] = [];
    engine.call = ({ taskId }) => {
      calls.push(taskId);
      return done();
    };
    await retry(runId);
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(calls).toEqual([4]);
    expect(statuses(await get(runId))).toMatchObject({
      '3.0': 'succeeded',
      '3.1': 'failed',
      '3.2': 'succeeded',
      4: 'succeeded',
    });
  });

  test('leaves earlier failed items of a loop alone that goes on', async () => {
    const settings = { count: 2, on_item_failure: 'continue', pause_seconds: 3600 };
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
    ];
    const runId = await runOf(drawing([{ id: 2, type: 'loop', settings }, http(3)], edges));
    engine.call = refuse;
    expect(await engine.advance(runId)).toBe('waiting');
    await cancelRun(context.ctx, { id: runId });
    engine.call = () => done();
    expect(statuses(await retry(runId))).toEqual({ 1: 'succeeded', 2: 'running', '3.0': 'failed' });
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(statuses(await get(runId))).toEqual({
      1: 'succeeded',
      2: 'succeeded',
      '3.0': 'failed',
      '3.1': 'succeeded',
    });
  });

  test('executes again what was cancelled because another task failed', async () => {
    const wait = { id: 3, type: 'delay', settings: { mode: 'for', amount: 1, unit: 'hours' } };
    const runId = await runOf(
      drawing(
        [http(2), wait],
        [
          { from: 1, to: 2 },
          { from: 1, to: 3 },
        ],
      ),
    );
    engine.call = refuse;
    expect(await engine.advance(runId)).toBe('failed');
    expect(statuses(await get(runId))).toEqual({ 1: 'succeeded', 2: 'failed', 3: 'cancelled' });
    engine.call = () => done();
    await retry(runId);
    expect(await engine.advance(runId)).toBe('waiting');
    expect(statuses(await get(runId))).toEqual({ 1: 'succeeded', 2: 'succeeded', 3: 'waiting' });
  });

  test('is refused for a run that has not failed', async () => {
    const runId = await runOf();
    await expect(retry(runId)).rejects.toMatchObject({ code: 'conflict' });
    await engine.advance(runId);
    await expect(retry(runId)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('succeeded') as string,
    });
  });
});

describe('retrying from the start', () => {
  const startAgain = (id: string) => retryRun(context.ctx, { id, from: 'start' });

  test('is a new run for the same event', async () => {
    const runId = await runOf();
    await expect(startAgain(runId)).rejects.toMatchObject({ code: 'conflict' });
    await engine.advance(runId);
    const again = await startAgain(runId);
    expect(again).toMatchObject({ status: 'queued', retry_of: runId, event_id: (await get(runId)).event_id });
    expect(await engine.advance(again.id)).toBe('succeeded');
  });

  test('needs a workflow that is active', async () => {
    const workflow = await engine.publish(callingDrawing());
    const { runId } = await engine.receive(workflow);
    await engine.advance(runId);
    await pauseWorkflow(context.ctx, workflow);
    await expect(startAgain(runId)).rejects.toMatchObject({ code: 'workflow_not_active' });
  });
});

describe('cancelling', () => {
  const cancel = (id: string) => cancelRun(context.ctx, { id });

  test('ends a run that was not taken yet, for good and once', async () => {
    const runId = await runOf();
    const cancelled = await cancel(runId);
    expect(cancelled).toMatchObject({ status: 'cancelled', finished_at: expect.any(String) as string });
    expect(await cancel(runId)).toEqual(cancelled);
    expect(await engine.advance(runId)).toBe('not due');
    await retry(runId);
    expect(await engine.advance(runId)).toBe('succeeded');
  });

  test('ends what waits', async () => {
    const wait = { id: 2, type: 'delay', settings: { mode: 'for', amount: 1, unit: 'hours' } };
    const runId = await runOf(drawing([wait], [{ from: 1, to: 2 }]));
    await engine.advance(runId);
    const run = await cancel(runId);
    expect(run).toMatchObject({ status: 'cancelled', resume_at: null });
    expect(statuses(run)).toEqual({ 1: 'succeeded', 2: 'cancelled' });
  });

  test('takes the run from the worker that executes it; what was under way has an unknown outcome', async () => {
    const runId = await runOf();
    const started = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    engine.call = async () => {
      started.resolve();
      await answered.promise;
      return done();
    };
    const advancing = engine.advance(runId);
    await started.promise;
    const run = await cancel(runId);
    expect(statuses(run)).toEqual({ 1: 'succeeded', 2: 'outcome_unknown' });
    answered.resolve();
    expect(await advancing).toBe('lost');
    expect(statuses(await get(runId))).toEqual({ 1: 'succeeded', 2: 'outcome_unknown' });
    const resolved = await resolveTaskRun(context.ctx, { id: runId, task_id: 2, iteration: [], as: 'done' });
    expect(resolved).toMatchObject({ status: 'queued' });
    engine.call = refuse;
    expect(await engine.advance(runId)).toBe('succeeded');
  });

  test('tells the caller that waits', async () => {
    const runId = await runOf(callingDrawing({ response_type: 'after_workflow' }));
    expect(await cancel(runId)).toMatchObject({ awaited: true });
    const { rows } = await context.ctx.db.$client.query<{ answer: { status: number; body: string } }>(
      'select answer from runs where id = $1',
      [runId],
    );
    expect(rows[0]?.answer.status).toBe(500);
    expect(JSON.parse(rows[0]?.answer.body ?? '')).toMatchObject({
      error: { code: 'workflow_failed', run_id: runId },
    });
  });

  test('is refused when the run is over', async () => {
    const runId = await runOf();
    await engine.advance(runId);
    await expect(cancel(runId)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('design 4: a task whose outcome is unknown', () => {
  const resolve = (
    id: string,
    as: 'done' | 'resend',
    more: { task_id?: number; iteration?: number[] } = {},
  ) => resolveTaskRun(context.ctx, { id, task_id: 2, iteration: [], as, ...more });
  const chain = () =>
    drawing(
      [http(2), http(3)],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
      ],
    );

  test('marked as done is not executed again, and the run goes on', async () => {
    const runId = await runOf(chain());
    engine.call = loseAnswer;
    expect(await engine.advance(runId)).toBe('failed');
    const calls: number[] = [];
    engine.call = ({ taskId }) => {
      calls.push(taskId);
      return done();
    };
    const run = await resolve(runId, 'done');
    expect(run.tasks[1]).toMatchObject({
      status: 'succeeded',
      run: true,
      run_text: 'Marked as done by hand.',
      output: {},
      error: null,
    });
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(calls).toEqual([3]);
    await expect(resolve(runId, 'done')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('resent is executed again', async () => {
    const runId = await runOf(chain());
    engine.call = loseAnswer;
    await engine.advance(runId);
    const calls: number[] = [];
    engine.call = ({ taskId }) => {
      calls.push(taskId);
      return done();
    };
    await resolve(runId, 'resend');
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(calls).toEqual([2, 3]);
  });

  test('inside a loop is found by its iteration', async () => {
    const items = { id: 2, type: 'loop', settings: { count: 2 } };
    const runId = await runOf(
      drawing(
        [items, http(3)],
        [
          { from: 1, to: 2 },
          { from: 2, to: 3, branch: 'each' },
        ],
      ),
    );
    engine.call = ({ iteration }) => (iteration === '1' ? loseAnswer() : done());
    expect(await engine.advance(runId)).toBe('failed');
    await expect(resolve(runId, 'done', { task_id: 3 })).rejects.toMatchObject({ code: 'not_found' });
    await expect(resolve(runId, 'done', { task_id: 3, iteration: [0] })).rejects.toMatchObject({
      code: 'conflict',
    });
    await resolve(runId, 'done', { task_id: 3, iteration: [1] });
    expect(await engine.advance(runId)).toBe('succeeded');
  });

  test('two of them: the run goes on when both are resolved', async () => {
    const runId = await runOf(
      drawing(
        [http(2), http(3), http(4)],
        [
          { from: 1, to: 2 },
          { from: 1, to: 3 },
          { from: 2, to: 4 },
          { from: 3, to: 4 },
        ],
      ),
    );
    engine.call = loseAnswer;
    await engine.advance(runId);
    engine.call = () => done();
    await resolve(runId, 'done');
    expect(await engine.advance(runId)).toBe('failed');
    await resolve(runId, 'resend', { task_id: 3 });
    expect(await engine.advance(runId)).toBe('succeeded');
  });

  test('that the run went on from can be marked, but not resent', async () => {
    const drawn = drawing(
      [http(2, { on_failure: 'continue' }), http(3)],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
      ],
    );
    const runId = await runOf(drawn);
    engine.call = ({ taskId }) => (taskId === 2 ? loseAnswer() : done());
    expect(await engine.advance(runId)).toBe('succeeded');
    await expect(resolve(runId, 'resend')).rejects.toMatchObject({ code: 'conflict' });
    expect(await resolve(runId, 'done')).toMatchObject({ status: 'succeeded' });
  });
});

test('nothing is found of another workspace, of an unknown id, of what is no id', async () => {
  const runId = await runOf();
  engine.call = loseAnswer;
  await engine.advance(runId);
  const verbs = [
    (ctx: TestContext['ctx'], id: string) => getRun(ctx, { id }),
    (ctx: TestContext['ctx'], id: string) => cancelRun(ctx, { id }),
    (ctx: TestContext['ctx'], id: string) => retryRun(ctx, { id, from: 'failed_task' }),
    (ctx: TestContext['ctx'], id: string) => retryRun(ctx, { id, from: 'start' }),
    (ctx: TestContext['ctx'], id: string) =>
      resolveTaskRun(ctx, { id, task_id: 2, iteration: [], as: 'done' }),
  ];
  const { ctx, stranger } = context;
  for (const verb of verbs) {
    await expect(verb(stranger, runId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(verb(ctx, newId())).rejects.toMatchObject({ code: 'not_found' });
    await expect(verb(ctx, 'x')).rejects.toMatchObject({ code: 'not_found' });
  }
  for (const status of [undefined, 'failed', 'waiting', 'queued'] as const) {
    expect((await listRuns(stranger, { limit: 100, status })).data).toEqual([]);
  }
  expect((await get(runId)).status).toBe('failed');
});
