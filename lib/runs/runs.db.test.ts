import { describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import type { TestContext } from '#lib/identity/testing/test-context.ts';
import { cancelRun, resolveTaskRun, retryRun } from './change-run.ts';
import { getRun } from './get-run.ts';
import { listRuns } from './list-runs.ts';
import { done } from '#lib/runs/testing/test-engine.ts';
import { context, engine, get, refuse, loseAnswer, runOf, setUpRuns } from '#lib/runs/testing/test-runs.ts';

setUpRuns();

describe('a run', () => {
  test('is shown with what its tasks did, outputs with all digits', async () => {
    engine.call = () => done({ status: 200, body: { id: 7 } });
    const workflow = await engine.publish(callingGraph());
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
    const workflow = await engine.publish(callingGraph());
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
