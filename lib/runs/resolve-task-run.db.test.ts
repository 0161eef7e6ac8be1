import { describe, expect, test } from 'vitest';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import { resolveTaskRun } from './change-run.ts';
import { done } from '#lib/runs/testing/test-engine.ts';
import { context, engine, http, loseAnswer, runOf, setUpRuns } from '#lib/runs/testing/test-runs.ts';

setUpRuns();

describe('docs/engine.md: a task whose outcome is unknown', () => {
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

  test('marked as done is not executed again, and the run continues', async () => {
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
      run_text: 'Marked as done manually.',
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

  test('two of them: the run continues when both are resolved', async () => {
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
