import { describe, expect, test } from 'vitest';
import { pauseWorkflow } from '#lib/workflows/lifecycle.ts';
import { callingGraph, drawing } from '#lib/workflows/testing/test-graphs.ts';
import { cancelRun, retryRun } from './change-run.ts';
import { listRuns } from './list-runs.ts';
import { done } from '#lib/runs/testing/test-engine.ts';
import {
  context,
  engine,
  http,
  get,
  retry,
  statuses,
  refuse,
  runOf,
  setUpRuns,
} from '#lib/runs/testing/test-runs.ts';

setUpRuns();

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

  test('continues at the item of a loop that failed, with the items it had', async () => {
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

  test('continues at the pass that failed of a loop until a condition, and ends as it is met', async () => {
    const until = [{ left: '{{task_3_seat}}', operator: 'equals', right: 'free' }];
    const loop = { id: 2, type: 'loop', settings: { repeat: 'until', until, max_passes: 5 } };
    const note = {
      id: 4,
      type: 'set_variables',
      settings: { variables: [{ name: 'found', value: '{{task_2_last_seat}} after {{task_2_count}}' }] },
    };
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ];
    const runId = await runOf(drawing([loop, http(3), note], edges));
    const passes: string[] = [];
    engine.call = ({ iteration }) => {
      passes.push(iteration);
      if (passes.length === 2) return refuse();
      return done({ seat: iteration === '2' ? 'free' : 'taken' });
    };
    expect(await engine.advance(runId)).toBe('failed');
    expect(await get(runId)).toMatchObject({ error: { code: 'item_failed', details: { item: 1 } } });
    await retry(runId);
    expect(await engine.advance(runId)).toBe('succeeded');
    expect(passes).toEqual(['0', '1', '1', '2']);
    const { tasks } = await get(runId);
    expect(tasks.find(({ task_id }) => task_id === 2)).toMatchObject({
      branch: 'done',
      output: { count: 3, failed_count: 0, last: { seat: 'free' } },
    });
    expect(tasks.find(({ task_id }) => task_id === 4)?.output).toEqual({ found: 'free after 3' });
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

  test('leaves earlier failed items of a loop alone that continues', async () => {
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
    const workflow = await engine.publish(callingGraph());
    const { runId } = await engine.receive(workflow);
    await engine.advance(runId);
    await pauseWorkflow(context.ctx, workflow);
    await expect(startAgain(runId)).rejects.toMatchObject({ code: 'workflow_not_active' });
  });
});
