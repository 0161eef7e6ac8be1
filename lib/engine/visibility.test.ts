import { expect, test } from 'vitest';
import { compileGraph, createVisibility, type GraphNode, listTasksBefore } from './graph.ts';

/** 1 → loop 2 (3 → 4) → 5 → loop 6 (7); 8 beside 5, disabled 9 before 5. */
const graph = compileGraph({
  tasks: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({
    id,
    type: 'any',
    name: `Task ${id}`,
    settings: {},
    disabled: id === 9,
  })),
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 3, to: 4 },
    { from: 2, to: 9, branch: 'done' },
    { from: 9, to: 5 },
    { from: 2, to: 8, branch: 'done' },
    { from: 5, to: 6 },
    { from: 6, to: 7, branch: 'each' },
  ],
});

function node(id: number): GraphNode {
  const found = graph.nodes.get(id);
  if (!found) throw new Error(`Task ${id} is missing.`);
  return found;
}

const why = (reader: number, target: number) => createVisibility(graph, node(reader))(node(target));

test('a task sees the tasks before it, and in a loop those of its own iteration', () => {
  expect([why(5, 1), why(5, 2), why(4, 3), why(4, 2), why(7, 5)]).toEqual(Array(5).fill(undefined));
});

test('says why a task is not seen', () => {
  expect(why(5, 5)).toBe('itself');
  expect(why(5, 3)).toBe('in_another_loop');
  expect(why(7, 3)).toBe('in_another_loop');
  expect(why(5, 8)).toBe('not_before');
  expect(why(6, 9)).toBe('disabled');
});

test('lists what comes before, nearest first', () => {
  expect(listTasksBefore(graph, node(5)).map(({ task }) => task.id)).toEqual([9, 2, 1]);
});
