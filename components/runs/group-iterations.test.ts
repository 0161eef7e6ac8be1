import { expect, test } from 'vitest';
import { groupIterations, statusOfItem, type TimelineNode } from './group-iterations.ts';
import type { TaskRunRow } from '#lib/screens/run-types.ts';

const run = (
  taskId: number,
  loops: number[] = [],
  iteration: number[] = [],
  status: TaskRunRow['status'] = 'succeeded',
): TaskRunRow => ({
  taskId,
  name: `Task ${taskId}`,
  type: null,
  iteration,
  loops,
  itemName: null,
  status,
  branch: null,
  runText: null,
  captured: [],
  isTrigger: false,
  attempt: 1,
  earlier: [],
  startedAt: null,
  finishedAt: null,
  resumeAt: null,
});

const show = (nodes: TimelineNode[]): unknown =>
  nodes.map(({ task, items }) =>
    items.length === 0
      ? task.taskId
      : { [task.taskId]: Object.fromEntries(items.map((item) => [item.index, show(item.nodes)])) },
  );

test('items of two loops, one after the other, each come under their own loop', () => {
  const tasks = [
    run(1),
    run(2),
    run(3, [2], [0]),
    run(3, [2], [1]),
    run(4),
    run(5, [4], [0]),
    run(5, [4], [1]),
    run(6),
  ];
  expect(show(groupIterations(tasks))).toEqual([1, { 2: { 0: [3], 1: [3] } }, { 4: { 0: [5], 1: [5] } }, 6]);
});

test('a loop in a loop', () => {
  const tasks = [
    run(2),
    run(3, [2], [0]),
    run(4, [2, 3], [0, 0]),
    run(4, [2, 3], [0, 1]),
    run(3, [2], [1]),
    run(4, [2, 3], [1, 0]),
  ];
  expect(show(groupIterations(tasks))).toEqual([
    { 2: { 0: [{ 3: { 0: [4], 1: [4] } }], 1: [{ 3: { 0: [4] } }] } },
  ]);
});

test('items without their loop stay in sight', () => {
  expect(show(groupIterations([run(3, [2], [7])]))).toEqual([3]);
});

test('items are in the order of their numbers, whichever started first', () => {
  const [loop] = groupIterations([run(2), run(3, [2], [1]), run(3, [2], [0])]);
  expect(loop?.items.map(({ index }) => index)).toEqual([0, 1]);
});

test('the worst of an item is its state', () => {
  const nodes = (statuses: TaskRunRow['status'][]) =>
    groupIterations(statuses.map((s, i) => run(i, [], [], s)));
  expect(statusOfItem({ index: 0, nodes: nodes(['succeeded', 'skipped']) })).toBe('succeeded');
  expect(statusOfItem({ index: 0, nodes: nodes(['succeeded', 'running']) })).toBe('running');
  expect(statusOfItem({ index: 0, nodes: nodes(['failed', 'outcome_unknown', 'running']) })).toBe(
    'outcome_unknown',
  );
});
