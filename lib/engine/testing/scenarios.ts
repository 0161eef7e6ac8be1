// The engine's semantics as scenarios (docs/engine.md). Each is run twice: in memory under a jumping clock (semantics.test.ts),
// and on PostgreSQL through queue and worker (semantics.db.test.ts).
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { RunStatus, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { TaskError, type TaskExecutor, type TaskResult } from '#lib/engine/task-executor.ts';

/** The behavior of a scripted task. */
export interface Script {
  branch?: string;
  waitMs?: number;
  /** Waits this long for a signal, and takes the branch `signal` or `deadline`. */
  listenMs?: number;
  fail?: 'never' | 'backoff' | 'unknown';
  /** Fails this many times, then succeeds. */
  failTimes?: number;
  /** Fails for these items of the loop around it. */
  failFor?: number[];
  /** Takes the branch `true` for even items, `false` for odd ones. */
  evenBranch?: true;
  loop?: { count: number; atOnce?: number; pauseSeconds?: number; onItemFailure?: 'stop' | 'continue' };
  /** The loop is repeated until a variable has a value; its condition cannot be tested where the variable is missing. */
  until?: { variable: string; is: JsonValue };
  /** The output has the item of the loop around it. */
  givesItem?: true;
}

export interface Scenario {
  name: string;
  graph: WorkflowGraph;
  status: RunStatus;
  /** By task and iteration (`2`, `2@0`, `2@1.0`); all task runs, or none with `counts`. */
  taskRuns?: Record<string, TaskRunStatus>;
  /** Number of task runs of each task. */
  counts?: Record<string, number>;
  /** The response for an after-workflow caller: the tasks that had succeeded by then; false for a failed run. */
  answered?: number[] | false;
}

/** The key for which listening tasks wait. */
const SIGNAL_KEY = 'the key of all scenarios';

/** A task that executes its script under the engine's own semantics. */
const scriptedExecutor: TaskExecutor = {
  execute(context): TaskResult {
    const { settings, attempt, iteration, now, resumed } = context;
    const script = settings as Script;
    const item = Number(iteration.split('.').at(-1));
    if (script.fail) {
      const retry =
        script.fail === 'backoff' ? { kind: 'after' as const, seconds: 0.01 } : { kind: 'never' as const };
      if (script.failTimes === undefined || attempt <= script.failTimes) {
        throw new TaskError('scripted', 'It is set to fail.', {
          retry,
          outcomeUnknown: script.fail === 'unknown',
        });
      }
    }
    if (script.failFor?.includes(item)) throw new TaskError('scripted', `Item ${item} is set to fail.`);
    if (script.waitMs !== undefined) {
      return { kind: 'wait', until: new Date(now.getTime() + script.waitMs), output: {}, runText: 'Waited.' };
    }
    if (resumed) {
      const branch = resumed.signals.length > 0 ? 'signal' : 'deadline';
      return { kind: 'done', output: { signals: [...resumed.signals] }, runText: 'Resumed.', branch };
    }
    if (script.listenMs !== undefined) {
      context.listen({ key: SIGNAL_KEY });
      const until = new Date(now.getTime() + script.listenMs);
      return { kind: 'listen', until, memory: null, output: {}, runText: 'Listens.' };
    }
    if (script.loop) {
      const { pauseSeconds = 0, onItemFailure = 'stop', ...loop } = script.loop;
      const until = script.until ? { isUntil: true as const } : {};
      return { kind: 'loop', items: null, ...loop, pauseSeconds, onItemFailure, ...until };
    }
    if (script.givesItem) return { kind: 'done', output: { given: item }, runText: 'Done.' };
    const branch = script.evenBranch ? String(item % 2 === 0) : script.branch;
    return { kind: 'done', output: { done: true }, runText: 'Done.', ...(branch ? { branch } : {}) };
  },
  endsLoop({ settings, scope }) {
    const { variable = '', is } = (settings as Script).until ?? {};
    const value = scope.resolve(variable);
    if (value === undefined) throw new TaskError('scripted', `${variable} is missing.`);
    return value === is;
  },
};

/** A task type whose failures take its own branch when the run continues. */
const FORK = 'fork';

export const findScriptedExecutor = (type: string): TaskExecutor =>
  type === FORK ? { ...scriptedExecutor, branchAfterFailure: () => 'false' } : scriptedExecutor;

const trigger: WorkflowTask = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} };

const task = (id: number, script: Script = {}, more: Partial<WorkflowTask> = {}): WorkflowTask => ({
  id,
  type: 'script',
  name: `Task ${id}`,
  settings: { ...script },
  ...more,
});

/** Edges as `1>2` or, with a branch, `2:true>3`. */
const edges = (...drawn: string[]): WorkflowGraph['edges'] =>
  drawn.map((text) => {
    const [, from, branch, to] = /^(\d+)(?::(\w+))?>(\d+)$/.exec(text) ?? [];
    return { from: Number(from), to: Number(to), ...(branch ? { branch } : {}) };
  });

const draw = (tasks: WorkflowTask[], ...drawn: string[]): WorkflowGraph => ({
  tasks: [trigger, ...tasks],
  edges: edges(...drawn),
});

export const SCENARIOS: Scenario[] = [
  {
    name: 'a diamond joins once, after both of its ways',
    graph: draw([task(2), task(3), task(4), task(5)], '1>2', '2>3', '2>4', '3>5', '4>5'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded', 4: 'succeeded', 5: 'succeeded' },
    answered: [1, 2, 3, 4, 5],
  },
  {
    name: 'a branch that is not taken is skipped, not failed, with all behind it',
    graph: draw(
      [task(2, { branch: 'true' }), task(3), task(4), task(5)],
      '1>2',
      '2:true>3',
      '2:false>4',
      '4>5',
    ),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded', 4: 'skipped', 5: 'skipped' },
  },
  {
    name: 'a join of a taken and a skipped way runs',
    graph: draw(
      [task(2, { branch: 'false' }), task(3), task(4), task(5)],
      '1>2',
      '2:true>3',
      '2:false>4',
      '3>5',
      '4>5',
    ),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'skipped', 4: 'succeeded', 5: 'succeeded' },
  },
  {
    name: 'two parallel Delays pass side by side, each with its own end',
    graph: draw([task(2, { waitMs: 60 }), task(3, { waitMs: 120 }), task(4)], '1>2', '1>3', '2>4', '3>4'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded', 4: 'succeeded' },
    answered: [1],
  },
  {
    name: 'after-workflow with a Delay in one of two branches answers when the Delay is reached',
    graph: draw([task(2), task(3, { waitMs: 80 }), task(4)], '1>2', '2>3', '3>4'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded', 4: 'succeeded' },
    answered: [1, 2],
  },
  {
    name: 'a task that waits for a signal that never comes is executed again at its deadline',
    graph: draw([task(2, { listenMs: 80 }), task(3), task(4)], '1>2', '2:signal>3', '2:deadline>4'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'skipped', 4: 'succeeded' },
    answered: [1],
  },
  {
    name: 'waits for signals and Delays pass side by side, each with its own end',
    graph: draw(
      [task(2, { listenMs: 60 }), task(3, { listenMs: 120 }), task(4, { waitMs: 80 }), task(5)],
      '1>2',
      '1>3',
      '1>4',
      '2:deadline>5',
      '3:deadline>5',
      '4>5',
    ),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded', 4: 'succeeded', 5: 'succeeded' },
  },
  {
    name: 'a wait for a signal inside of a Loop ends in every item',
    graph: draw(
      [task(2, { loop: { count: 2 } }), task(3, { listenMs: 30 }), task(4)],
      '1>2',
      '2:each>3',
      '2:done>4',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 2, 4: 1 },
  },
  {
    name: 'a task that waits for a signal is cancelled when another task fails',
    graph: draw([task(2, { fail: 'never' }), task(3, { listenMs: 60_000 })], '1>2', '1>3'),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'failed', 3: 'cancelled' },
  },
  {
    name: 'a failed task stops the run by default; what waits elsewhere is cancelled',
    graph: draw([task(2, { fail: 'never' }), task(3), task(4, { waitMs: 60_000 })], '1>2', '2>3', '1>4'),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'failed', 4: 'cancelled' },
  },
  {
    name: 'a failed run answers its caller with an error',
    graph: draw([task(2, { fail: 'never' }), task(3)], '1>2', '2>3'),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'failed' },
    answered: false,
  },
  {
    name: 'a failed task that continues lets its children run',
    graph: draw([task(2, { fail: 'never' }, { on_failure: 'continue' }), task(3)], '1>2', '2>3'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'failed', 3: 'succeeded' },
    answered: [1, 3],
  },
  {
    name: 'a failed task that continues leaves by the branch that its type names, where it has several',
    graph: draw(
      [task(2, { fail: 'never' }, { type: FORK, on_failure: 'continue' }), task(3), task(4)],
      '1>2',
      '2:true>3',
      '2:false>4',
    ),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'failed', 3: 'skipped', 4: 'succeeded' },
  },
  {
    name: 'a failed task with a failed branch takes that way only',
    graph: draw(
      [task(2, { fail: 'never' }, { on_failure: 'branch' }), task(3), task(4)],
      '1>2',
      '2>3',
      '2:failed>4',
    ),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'failed', 3: 'skipped', 4: 'succeeded' },
  },
  {
    name: 'a task with a failed branch that succeeds does not take it',
    graph: draw([task(2, {}, { on_failure: 'branch' }), task(3), task(4)], '1>2', '2>3', '2:failed>4'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded', 4: 'skipped' },
  },
  {
    name: 'a retryable failure is tried again until it succeeds',
    graph: draw([task(2, { fail: 'backoff', failTimes: 2 }), task(3)], '1>2', '2>3'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 3: 'succeeded' },
  },
  {
    name: 'a retryable failure ends after its last attempt',
    graph: draw([task(2, { fail: 'backoff' }, { max_attempts: 3 })], '1>2'),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'failed' },
  },
  {
    name: 'an unknown outcome is never tried again by itself',
    graph: draw([task(2, { fail: 'unknown' }, { max_attempts: 3 })], '1>2'),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'outcome_unknown' },
  },
  {
    name: 'a disabled task is passed over: its children run',
    graph: draw([task(2, { fail: 'never' }, { disabled: true }), task(3)], '1>2', '2>3'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'skipped', 3: 'succeeded' },
  },
  {
    name: 'a Loop with an If inside takes a way for each item, then continues',
    graph: draw(
      [task(2, { loop: { count: 3 } }), task(3, { evenBranch: true }), task(4), task(5), task(6)],
      '1>2',
      '2:each>3',
      '3:true>4',
      '3:false>5',
      '2:done>6',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      6: 'succeeded',
      '3@0': 'succeeded',
      '4@0': 'succeeded',
      '5@0': 'skipped',
      '3@1': 'succeeded',
      '4@1': 'skipped',
      '5@1': 'succeeded',
      '3@2': 'succeeded',
      '4@2': 'succeeded',
      '5@2': 'skipped',
    },
    answered: [1, 2, 6],
  },
  {
    name: 'a Loop in a Loop goes through its items once for each item around it',
    graph: draw(
      [task(2, { loop: { count: 2 } }), task(3, { loop: { count: 3 } }), task(4), task(5)],
      '1>2',
      '2:each>3',
      '3:each>4',
      '3:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 2, 4: 6, 5: 2 },
  },
  {
    name: 'a Loop with a Delay inside waits in every item',
    graph: draw(
      [task(2, { loop: { count: 3 } }), task(3, { waitMs: 30 }), task(4), task(5)],
      '1>2',
      '2:each>3',
      '3>4',
      '2:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 3, 4: 3, 5: 1 },
  },
  {
    name: 'a Loop pauses between its items',
    graph: draw([task(2, { loop: { count: 3, pauseSeconds: 0.05 } }), task(3)], '1>2', '2:each>3'),
    status: 'succeeded',
    counts: { 2: 1, 3: 3 },
  },
  {
    name: 'an item that fails stops its Loop and the run by default',
    graph: draw(
      [task(2, { loop: { count: 3 } }), task(3, { failFor: [1] }), task(4)],
      '1>2',
      '2:each>3',
      '2:done>4',
    ),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'failed', '3@0': 'succeeded', '3@1': 'failed' },
  },
  {
    name: 'a Loop that continues takes the next item after one that failed',
    graph: draw(
      [task(2, { loop: { count: 3, onItemFailure: 'continue' } }), task(3, { failFor: [0, 1] }), task(4)],
      '1>2',
      '2:each>3',
      '2:done>4',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      4: 'succeeded',
      '3@0': 'failed',
      '3@1': 'failed',
      '3@2': 'succeeded',
    },
  },
  {
    name: 'an item that fails leaves the items of a Loop beside it alone',
    graph: draw(
      [
        task(2, { loop: { count: 1, onItemFailure: 'continue' } }),
        task(3, { fail: 'never' }),
        task(4, { loop: { count: 1 } }),
        task(5, { waitMs: 40 }),
      ],
      '1>2',
      '2:each>3',
      '1>4',
      '4:each>5',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      4: 'succeeded',
      '3@0': 'failed',
      '5@0': 'succeeded',
    },
  },
  {
    name: 'a Loop until a condition ends after the pass in which it holds',
    graph: draw(
      [
        task(2, { loop: { count: 9 }, until: { variable: 'task_3_given', is: 2 } }),
        task(3, { givesItem: true }),
        task(4),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '2:done>4',
      '2:limit>5',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      '3@0': 'succeeded',
      '3@1': 'succeeded',
      '3@2': 'succeeded',
      4: 'succeeded',
      5: 'skipped',
    },
  },
  {
    name: 'a Loop until a condition, with pauses and waits, ends at its limit by its own exit',
    graph: draw(
      [
        task(2, { loop: { count: 3, pauseSeconds: 0.02 }, until: { variable: 'task_2_round', is: 4 } }),
        task(3, { waitMs: 20 }),
        task(4),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '2:done>4',
      '2:limit>5',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      '3@0': 'succeeded',
      '3@1': 'succeeded',
      '3@2': 'succeeded',
      4: 'skipped',
      5: 'succeeded',
    },
  },
  {
    name: 'a pass that failed does not end a Loop that continues, even if its condition held',
    graph: draw(
      [
        task(2, {
          loop: { count: 4, onItemFailure: 'continue' },
          until: { variable: 'task_2_index', is: 1 },
        }),
        task(3, { failFor: [1] }),
        task(4),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '2:done>4',
      '2:limit>5',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      '3@0': 'succeeded',
      '3@1': 'failed',
      '3@2': 'succeeded',
      '3@3': 'succeeded',
      4: 'skipped',
      5: 'succeeded',
    },
  },
  {
    name: 'a Loop fails with the pass after which its condition cannot be tested',
    graph: draw(
      [task(2, { loop: { count: 4 }, until: { variable: 'task_3_missing', is: 1 } }), task(3), task(4)],
      '1>2',
      '2:each>3',
      '2:done>4',
    ),
    status: 'failed',
    taskRuns: { 1: 'succeeded', 2: 'failed', '3@0': 'succeeded' },
  },
  {
    name: 'a Loop until a condition in a Loop tests it for the item around it',
    graph: draw(
      [
        task(2, { loop: { count: 2 } }),
        task(3, { loop: { count: 5 }, until: { variable: 'task_3_round', is: 2 } }),
        task(4),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '3:each>4',
      '3:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 2, 4: 4, 5: 2 },
  },
  {
    name: 'a Loop of several items at once goes through all of them',
    graph: draw(
      [task(2, { loop: { count: 7, atOnce: 3 } }), task(3, { evenBranch: true }), task(4), task(5)],
      '1>2',
      '2:each>3',
      '3:true>4',
      '2:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 7, 4: 7, 5: 1 },
    answered: [1, 2, 5],
  },
  {
    name: 'a Loop of several items at once takes further items while one waits',
    graph: draw(
      [
        task(2, { loop: { count: 5, atOnce: 2 } }),
        task(3, { evenBranch: true }),
        task(4, { waitMs: 40 }),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '3:true>4',
      '2:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 5, 4: 5, 5: 1 },
  },
  {
    name: 'an item that fails stops its Loop of several items at once, and cancels what waits in the others',
    graph: draw(
      [
        task(2, { loop: { count: 5, atOnce: 3 } }),
        task(3, { evenBranch: true }),
        task(4, { waitMs: 60_000 }),
        task(5, { fail: 'never' }),
        task(6),
      ],
      '1>2',
      '2:each>3',
      '3:true>4',
      '3:false>5',
      '2:done>6',
    ),
    status: 'failed',
    taskRuns: {
      1: 'succeeded',
      2: 'failed',
      '3@0': 'succeeded',
      '4@0': 'cancelled',
      '5@0': 'skipped',
      '3@1': 'succeeded',
      '4@1': 'skipped',
      '5@1': 'failed',
      '3@2': 'succeeded',
      '4@2': 'cancelled',
      '5@2': 'skipped',
    },
  },
  {
    name: 'a Loop of several items at once that continues leaves the others alone when one fails',
    graph: draw(
      [
        task(2, { loop: { count: 4, atOnce: 4, onItemFailure: 'continue' } }),
        task(3, { failFor: [1, 2] }),
        task(4, { waitMs: 40 }),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '3>4',
      '2:done>5',
    ),
    status: 'succeeded',
    taskRuns: {
      1: 'succeeded',
      2: 'succeeded',
      5: 'succeeded',
      '3@0': 'succeeded',
      '4@0': 'succeeded',
      '3@1': 'failed',
      '3@2': 'failed',
      '3@3': 'succeeded',
      '4@3': 'succeeded',
    },
  },
  {
    name: 'a Loop of several items at once in another goes through its items for each item around it',
    graph: draw(
      [
        task(2, { loop: { count: 3, atOnce: 2 } }),
        task(3, { loop: { count: 3, atOnce: 2 } }),
        task(4, { waitMs: 20 }),
        task(5),
      ],
      '1>2',
      '2:each>3',
      '3:each>4',
      '3:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 3, 4: 9, 5: 3 },
  },
  {
    name: 'a Loop without items is done at once',
    graph: draw([task(2, { loop: { count: 0 } }), task(3), task(4)], '1>2', '2:each>3', '2:done>4'),
    status: 'succeeded',
    taskRuns: { 1: 'succeeded', 2: 'succeeded', 4: 'succeeded' },
  },
  {
    name: '1,000 iterations',
    graph: draw(
      [task(2, { loop: { count: 1000 } }), task(3), task(4), task(5)],
      '1>2',
      '2:each>3',
      '3>4',
      '2:done>5',
    ),
    status: 'succeeded',
    counts: { 2: 1, 3: 1000, 4: 1000, 5: 1 },
  },
];
