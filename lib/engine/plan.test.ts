import { describe, expect, it } from 'vitest';
import { compileGraph } from './graph.ts';
import type { WorkflowEdge, WorkflowTask } from './graph-types.ts';
import { PASSED_OVER, planRun, type Step } from './plan.ts';
import type { LoopState, TaskRun } from './run-types.ts';

const NOW = 1000;

const graphOf = (edges: WorkflowEdge[], tasks: Record<number, Partial<WorkflowTask>> = {}) => {
  const ids = new Set([1, ...edges.flatMap(({ from, to }) => [from, to])]);
  return compileGraph({
    tasks: [...ids].map((id) => ({ id, type: 'any', name: `Task ${id}`, settings: {}, ...tasks[id] })),
    edges,
  });
};

/** Due steps, by task run: `2@0` is task 2 in the first item of a loop. */
function plan(graph: ReturnType<typeof graphOf>, taskRuns: Record<string, Partial<TaskRun>>) {
  const all = Object.entries(taskRuns).map(([key, taskRun]): TaskRun => {
    const [id, iteration = ''] = key.split('@');
    return { taskId: Number(id), iteration, status: 'succeeded', attempt: 1, ...taskRun };
  });
  const taskRunsOf = (wanted: string) =>
    new Map(all.filter(({ iteration }) => iteration === wanted).map((each) => [each.taskId, each]));
  const planned = planRun(graph, taskRunsOf, NOW, ({ type }) => (type === 'any' ? undefined : type));
  return planned.status === 'active' ? planned.steps.map(show) : planned;
}

function show(step: Step): string {
  const iteration = 'iteration' in step ? step.iteration : step.taskRun.iteration;
  const item = step.kind === 'end_item' ? ` item ${step.item}` : '';
  return `${step.kind} ${step.node.task.id}${iteration === '' ? '' : `@${iteration}`}${item}`;
}

const loop = (index: number): LoopState => ({
  items: null,
  count: 2,
  open: [index],
  next: index + 1,
  atOnce: 1,
  failedCount: 0,
  pauseSeconds: 0,
  onItemFailure: 'stop',
  pastTaskRuns: 0,
});

const FORK: WorkflowEdge[] = [
  { from: 1, to: 2, branch: 'true' },
  { from: 1, to: 3, branch: 'false' },
  { from: 3, to: 4 },
  { from: 2, to: 5 },
  { from: 4, to: 5 },
];

describe('what is due in a run', () => {
  it('begins with the trigger, and ends when every task is settled', () => {
    const graph = graphOf([{ from: 1, to: 2 }]);
    expect(plan(graph, {})).toEqual(['execute 1']);
    expect(plan(graph, { 1: {} })).toEqual(['execute 2']);
    expect(plan(graph, { 1: {}, 2: {} })).toEqual({ status: 'succeeded' });
  });

  it('is nothing new while tasks execute', () => {
    expect(plan(graphOf([{ from: 1, to: 2 }]), { 1: { status: 'running' } })).toEqual([]);
  });

  it('skips all of a branch that was not taken in one go, and not what another way leads to', () => {
    expect(plan(graphOf(FORK), { 1: { branch: 'true' } })).toEqual(['execute 2', 'skip 3', 'skip 4']);
    const skipped = { 3: { status: 'skipped' }, 4: { status: 'skipped' } } as const;
    expect(plan(graphOf(FORK), { 1: { branch: 'true' }, ...skipped, 2: {} })).toEqual(['execute 5']);
  });

  it('waits for every parent before a task where branches meet', () => {
    const both = graphOf([
      { from: 1, to: 2 },
      { from: 1, to: 3 },
      { from: 2, to: 4 },
      { from: 3, to: 4 },
    ]);
    expect(plan(both, { 1: {}, 2: {}, 3: { status: 'running' } })).toEqual([]);
    expect(plan(both, { 1: {}, 2: {}, 3: {} })).toEqual(['execute 4']);
  });

  it('passes over a disabled task, and runs what follows it but for its `failed` branch', () => {
    const graph = graphOf(
      [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 2, to: 4, branch: 'failed' },
      ],
      { 2: { disabled: true } },
    );
    expect(plan(graph, { 1: {} })).toEqual(['pass_over 2']);
    const passed = { status: 'skipped', branch: PASSED_OVER } as const;
    expect(plan(graph, { 1: {}, 2: passed })).toEqual(['execute 3', 'skip 4']);
  });
});

describe('a wait', () => {
  const graph = graphOf([
    { from: 1, to: 2 },
    { from: 1, to: 3 },
  ]);

  it('is over at its instant, not before', () => {
    const until = (resumeAt: number) => ({ 1: {}, 2: { status: 'waiting', resumeAt } as const, 3: {} });
    expect(plan(graph, until(NOW + 1))).toEqual({ status: 'waiting', resumeAt: NOW + 1 });
    expect(plan(graph, until(NOW))).toEqual(['resume 2']);
  });

  it('of the run is the shortest of its waits', () => {
    const waits = {
      2: { status: 'waiting', resumeAt: 9000 },
      3: { status: 'waiting', resumeAt: 5000 },
    } as const;
    expect(plan(graph, { 1: {}, ...waits })).toEqual({ status: 'waiting', resumeAt: 5000 });
  });
});

describe.each(['failed', 'outcome_unknown'] as const)('a task that is %s', (status) => {
  const edges: WorkflowEdge[] = [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 2, to: 4, branch: 'failed' },
    { from: 1, to: 5 },
  ];

  it('stops the run: nothing further starts, and what executes is awaited', () => {
    expect(plan(graphOf(edges), { 1: {}, 2: { status }, 5: { status: 'running' } })).toEqual([]);
    expect(plan(graphOf(edges), { 1: {}, 2: { status } })).toMatchObject({
      status: 'failed',
      failure: { taskId: 2 },
    });
  });

  it.each([
    ['continue', ['execute 3', 'skip 4']],
    ['branch', ['skip 3', 'execute 4']],
  ] as const)('with on_failure "%s" is followed by %j', (on_failure, expected) => {
    expect(plan(graphOf(edges, { 2: { on_failure } }), { 1: {}, 2: { status }, 5: {} })).toEqual(expected);
  });

  it.each([
    ['true', 'false', ['skip 3', 'execute 4']],
    ['each', 'done', ['execute 4']],
  ])('and continues leaves by the exit that promises least, of "%s" and "%s"', (best, least, expected) => {
    const graph = graphOf(
      [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: best },
        { from: 2, to: 4, branch: least },
      ],
      { 2: { on_failure: 'continue', type: least } },
    );
    expect(plan(graph, { 1: {}, 2: { status } })).toEqual(expected);
  });
});

describe('a loop', () => {
  const graph = graphOf([
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 3, to: 4 },
    { from: 2, to: 5, branch: 'done' },
  ]);
  const running = (index: number) => ({ 1: {}, 2: { status: 'running', loop: loop(index) } as const });

  it('runs its body for the item under way, and nothing after it', () => {
    expect(plan(graph, running(0))).toEqual(['execute 3@0']);
    expect(plan(graph, { ...running(1), '3@0': {}, '4@0': {} })).toEqual(['execute 3@1']);
  });

  it('ends an item when its tasks are settled, or when one of them has failed for good', () => {
    expect(plan(graph, { ...running(0), '3@0': {}, '4@0': {} })).toEqual(['end_item 2 item 0']);
    expect(plan(graph, { ...running(0), '3@0': { status: 'failed' } })).toEqual(['end_item 2 item 0']);
  });

  it('waits as its body does', () => {
    const waiting = { status: 'waiting', resumeAt: 7000 } as const;
    expect(plan(graph, { ...running(0), '3@0': waiting })).toEqual({ status: 'waiting', resumeAt: 7000 });
  });

  it('is followed by what comes after it once it is done', () => {
    expect(plan(graph, { 1: {}, 2: { branch: 'done' } })).toEqual(['execute 5']);
  });
});

describe.each(['stop', 'continue'] as const)(
  'a loop of several items at once that is to %s',
  (onItemFailure) => {
    const graph = graphOf([
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 3, to: 4 },
    ]);
    const items: LoopState = { ...loop(0), count: 9, open: [1, 4, 5], next: 6, atOnce: 3, onItemFailure };
    const running = { 1: {}, 2: { status: 'running', loop: items } } as const;
    const executing = { status: 'running' } as const;
    const failed = { status: 'failed' } as const;

    it('runs its body for each open item, and for no other', () => {
      expect(plan(graph, running)).toEqual(['execute 3@1', 'execute 3@4', 'execute 3@5']);
      expect(plan(graph, { ...running, '3@1': {}, '4@1': {}, '3@4': executing, '3@5': {} })).toEqual([
        'end_item 2 item 1',
        'execute 4@5',
      ]);
    });

    it('waits for the shortest wait of its items, and not while one of them executes', () => {
      const until = (resumeAt: number) => ({ status: 'waiting', resumeAt }) as const;
      const waiting = { ...running, '3@1': until(9000), '3@4': until(5000) };
      expect(plan(graph, { ...waiting, '3@5': until(7000) })).toEqual({ status: 'waiting', resumeAt: 5000 });
      expect(plan(graph, { ...waiting, '3@5': executing })).toEqual([]);
    });

    it('with an item that failed', () => {
      const taskRuns = { ...running, '3@1': {}, '3@4': failed };
      const continues = onItemFailure === 'continue';
      expect(plan(graph, { ...taskRuns, '3@5': executing }), 'while another one executes').toEqual(
        continues ? ['execute 4@1', 'end_item 2 item 4'] : [],
      );
      expect(plan(graph, { ...taskRuns, '3@5': failed }), 'and another one').toEqual(
        continues ? ['execute 4@1', 'end_item 2 item 4', 'end_item 2 item 5'] : ['end_item 2 item 4'],
      );
    });
  },
);
