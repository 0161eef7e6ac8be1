import { describe, expect, it } from 'vitest';
import type { WorkflowGraph, WorkflowTask } from './graph-types.ts';
import { type DescribeTask, validateGraph } from './validate-graph.ts';

const BRANCHES: Record<string, string[]> = {
  trigger: [],
  plain: [],
  condition: ['true', 'false'],
  loop: ['each', 'done'],
};

const describeTask: DescribeTask = ({ type }) => {
  const branches = BRANCHES[type];
  return branches && { isTrigger: type === 'trigger', branches: branches.map((name) => ({ name })) };
};

const task = (id: number, type: string, more: Partial<WorkflowTask> = {}): WorkflowTask => ({
  id,
  type,
  name: `Task ${id}`,
  settings: {},
  ...more,
});

const edge = (from: number, to: number, branch?: string) =>
  branch === undefined ? { from, to } : { from, to, branch };

const problemsOf = (graph: WorkflowGraph): [path: string, message: string][] =>
  validateGraph(graph, describeTask).map(({ path, message }) => [path, message]);

describe('validation of graphs (docs/api.md)', () => {
  it('accepts a trigger alone, branches, joins, nested loops and what comes after them', () => {
    expect(problemsOf({ tasks: [task(1, 'trigger')], edges: [] })).toEqual([]);
    expect(
      problemsOf({
        tasks: [
          task(1, 'trigger'),
          task(2, 'loop'),
          task(3, 'loop'),
          task(4, 'condition'),
          task(5, 'plain'),
          task(6, 'plain'),
        ],
        edges: [
          edge(1, 2),
          edge(2, 3, 'each'),
          edge(3, 4, 'each'),
          edge(4, 5, 'true'),
          edge(4, 5, 'false'),
          edge(2, 6, 'done'),
        ],
      }),
    ).toEqual([]);
  });

  it.each<[string, WorkflowGraph, string, RegExp]>([
    ['no trigger', { tasks: [task(1, 'plain')], edges: [] }, 'tasks', /needs a trigger/],
    [
      'two triggers',
      { tasks: [task(1, 'trigger'), task(2, 'trigger')], edges: [] },
      'tasks[1]',
      /one trigger only/,
    ],
    [
      'an unknown type',
      { tasks: [task(1, 'trigger'), task(2, 'nope')], edges: [edge(1, 2)] },
      'tasks[1].type',
      /"nope"/,
    ],
    [
      'an id used twice',
      { tasks: [task(1, 'trigger'), task(1, 'plain')], edges: [] },
      'tasks[1].id',
      /used twice/,
    ],
    ['an edge to nowhere', { tasks: [task(1, 'trigger')], edges: [edge(1, 9)] }, 'edges[0].to', /no task 9/],
    [
      'an edge from nowhere',
      { tasks: [task(1, 'trigger')], edges: [edge(9, 1)] },
      'edges[0].from',
      /no task 9/,
    ],
    [
      'an edge into the trigger',
      { tasks: [task(1, 'trigger'), task(2, 'plain')], edges: [edge(1, 2), edge(2, 1)] },
      'edges[1].to',
      /trigger cannot have incoming connections/,
    ],
    [
      'an edge twice',
      { tasks: [task(1, 'trigger'), task(2, 'plain')], edges: [edge(1, 2), edge(1, 2)] },
      'edges[1]',
      /twice/,
    ],
    [
      'an exit that is not named',
      {
        tasks: [task(1, 'trigger'), task(2, 'condition'), task(3, 'plain')],
        edges: [edge(1, 2), edge(2, 3)],
      },
      'edges[1].branch',
      /true, false/,
    ],
    [
      'an exit that is not there',
      { tasks: [task(1, 'trigger'), task(2, 'plain')], edges: [edge(1, 2, 'true')] },
      'edges[0].branch',
      /leave the branch out/,
    ],
    [
      'a failed exit that is not switched on',
      {
        tasks: [task(1, 'trigger'), task(2, 'plain'), task(3, 'plain')],
        edges: [edge(1, 2), edge(2, 3, 'failed')],
      },
      'edges[1].branch',
      /on_failure/,
    ],
    [
      'a cycle',
      {
        tasks: [task(1, 'trigger'), task(2, 'plain'), task(3, 'plain')],
        edges: [edge(1, 2), edge(2, 3), edge(3, 2)],
      },
      'edges',
      /form a cycle/,
    ],
    [
      'an unreachable task',
      { tasks: [task(1, 'trigger'), task(2, 'plain')], edges: [] },
      'tasks[1]',
      /cannot be reached/,
    ],
    [
      'a way out of a loop that is not its done exit',
      {
        tasks: [task(1, 'trigger'), task(2, 'loop'), task(3, 'plain'), task(4, 'plain')],
        edges: [edge(1, 2), edge(2, 3, 'each'), edge(3, 4), edge(2, 4, 'done')],
      },
      'edges[3]',
      /"done" branch/,
    ],
  ])('refuses %s and says where', (_what, graph, path, message) => {
    const problems = problemsOf(graph);
    expect(problems.map(([at]) => at)).toContain(path);
    expect(problems.find(([at]) => at === path)?.[1]).toMatch(message);
  });

  it('accepts a failed exit where on_failure asks for one', () => {
    const failing = task(2, 'plain', { on_failure: 'branch' });
    expect(
      problemsOf({
        tasks: [task(1, 'trigger'), failing, task(3, 'plain')],
        edges: [edge(1, 2), edge(2, 3, 'failed')],
      }),
    ).toEqual([]);
  });
});
