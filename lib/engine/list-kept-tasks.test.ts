import { expect, test } from 'vitest';
import { compileGraph } from './graph.ts';
import { listKeptTasks } from './draft-run.ts';

/** 1 → 2 → 3 → loop 4 (5 → 6) → 7; 8 beside 2, 9 behind the untaken branch 8. */
const graph = compileGraph({
  tasks: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({ id, type: 'any', name: `Task ${id}`, settings: {} })),
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 3, to: 4 },
    { from: 4, to: 5, branch: 'each' },
    { from: 5, to: 6 },
    { from: 4, to: 7, branch: 'done' },
    { from: 1, to: 8 },
    { from: 8, to: 9 },
  ],
});
const succeeded = (...ids: number[]) => new Map(ids.map((id) => [id, 'succeeded' as const]));

test('keeps what succeeded and does not come after the task', () => {
  expect(listKeptTasks(graph, 3, succeeded(1, 2, 3, 4, 7, 8))).toEqual([1, 2, 8]);
  expect(listKeptTasks(graph, 7, succeeded(1, 2, 3, 4, 7))).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a task in a loop starts the loop again', () => {
  expect(listKeptTasks(graph, 6, succeeded(1, 2, 3, 4, 7))).toEqual([1, 2, 3]);
});

test('what is behind a task that did not succeed is executed again; what was skipped is planned again', () => {
  expect(listKeptTasks(graph, 7, succeeded(1, 3, 8))).toEqual([1, 8]);
  expect(listKeptTasks(graph, 7, new Map([...succeeded(1, 9), [8, 'skipped' as const]]))).toEqual([1, 9]);
});
