import { describe, expect, test } from 'vitest';
import { callingGraph, drawing } from '#lib/workflows/testing/test-graphs.ts';
import { cancelRun, resolveTaskRun } from './change-run.ts';
import { done } from '#lib/runs/testing/test-engine.ts';
import {
  context,
  engine,
  get,
  retry,
  statuses,
  refuse,
  runOf,
  setUpRuns,
} from '#lib/runs/testing/test-runs.ts';

setUpRuns();

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
    const runId = await runOf(callingGraph({ response_type: 'after_workflow' }));
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
