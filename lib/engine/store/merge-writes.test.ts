import { expect, test } from 'vitest';
import type { TakenRun } from '../run-state.ts';
import type { TaskRun } from '../run-types.ts';
import { mergeWrites } from './write.ts';

const run = (id: string, epoch = 1): TakenRun => ({
  id,
  epoch,
  workspaceId: 'workspace',
  workflowId: 'workflow',
  version: 1,
  awaitsAnswer: false,
  event: { id: 'event', isReplay: false, body: {}, headers: {} },
});
const taskRun = (taskId: number): TaskRun => ({ taskId, iteration: '', status: 'running', attempt: 1 });

test('two writes of a run become one: each task run once, the later change over the earlier', () => {
  const [one, two] = [taskRun(1), taskRun(2)];
  const merged = mergeWrites([
    { run: run('a'), taskRuns: [one], change: { status: 'waiting', resumeAt: 5 } },
    { run: run('b'), taskRuns: [], change: {} },
    { run: run('a'), taskRuns: [one, two], change: { status: 'succeeded' } },
  ]);
  expect([...merged.keys()]).toEqual(['a', 'b']);
  expect(merged.get('a')).toMatchObject({
    taskRuns: [one, two],
    change: { status: 'succeeded', resumeAt: 5 },
  });
});

test('of two states of a task run the later is written', () => {
  const [before, after] = [taskRun(1), { ...taskRun(1), status: 'succeeded' as const }];
  const merged = mergeWrites([
    { run: run('a'), taskRuns: [before, taskRun(2)], change: {} },
    { run: run('a'), taskRuns: [after], change: {} },
  ]);
  expect(merged.get('a')?.taskRuns.map(({ taskId, status }) => [taskId, status])).toEqual([
    [1, 'succeeded'],
    [2, 'running'],
  ]);
});

test.each([
  ['before', [1, 2]],
  ['after', [2, 1]],
])('a write of an older epoch that comes %s the newer one is left out', (_, epochs) => {
  const merged = mergeWrites(
    epochs.map((epoch) => ({ run: run('a', epoch), taskRuns: [taskRun(epoch)], change: {} })),
  );
  expect(merged.get('a')?.run.epoch).toBe(2);
  expect(merged.get('a')?.taskRuns.map(({ taskId }) => taskId)).toEqual([2]);
});
