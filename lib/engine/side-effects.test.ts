// When a side effect is recorded, and the outcome of an execution that ended before or after that.
import { describe, expect, it } from 'vitest';
import { compileGraph } from './graph.ts';
import type { IfInterrupted } from './graph-types.ts';
import { advanceRun } from './run.ts';
import { RunState } from './run-state.ts';
import type { TaskRun } from './run-types.ts';
import type { RunChange } from './engine-deps.ts';
import { RunLostError, type TaskContext, TaskError, type TaskResult } from './task-executor.ts';

const NOW = Date.UTC(2026, 0, 1);
const DONE: TaskResult = { kind: 'done', output: {}, runText: 'Sent.' };

interface World {
  execute: (context: TaskContext) => Promise<TaskResult>;
  /** The state that a killed process left. */
  found?: Partial<TaskRun>;
  ifInterrupted?: IfInterrupted;
  maxAttempts?: number;
  /** Whether the worker still holds the run at a write. */
  isOurs?: () => boolean;
}

/** A run of the trigger and one task that sends. */
async function advance({ execute, found, ifInterrupted, maxAttempts, isOurs = () => true }: World) {
  const send = { id: 2, type: 'send', name: 'Send', settings: {}, max_attempts: maxAttempts };
  const graph = compileGraph({
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { ...send, ...(ifInterrupted ? { if_interrupted: ifInterrupted } : {}) },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const taken = {
    id: 'run',
    epoch: 1,
    workspaceId: 'workspace',
    workflowId: 'workflow',
    version: 1,
    awaitsAnswer: false,
    event: { id: 'event', isReplay: false, body: {}, headers: {} },
  };
  const earlier: TaskRun[] = [{ taskId: 1, iteration: '', status: 'succeeded', attempt: 1 }];
  if (found) earlier.push({ taskId: 2, iteration: '', status: 'running', attempt: 1, ...found });
  const written: { task: Partial<TaskRun> | undefined; change: RunChange }[] = [];
  const unexpected: unknown[] = [];
  const outcome = await advanceRun(new RunState(taken, graph, found ? earlier : []), {
    store: {
      write: async (_run, changed, change) => {
        if (!isOurs()) return false;
        const task = [...changed].find(({ taskId }) => taskId === 2);
        written.push({ task: task && structuredClone(task), change });
        return true;
      },
      loadSignals: async () => [],
    },
    findExecutor: () => ({ execute, hasSideEffect: () => true, ifInterrupted: () => 'flag' }),
    clock: { now: () => new Date(NOW) },
    random: () => 0.5,
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    onUnexpectedError: (error) => void unexpected.push(error),
    stopping: new AbortController().signal,
  });
  return { outcome, written, unexpected, task: written.at(-1)?.task };
}

const databaseIsAway = () => Object.assign(new Error('The server is shutting down.'), { code: '57P01' });

describe('a side effect', () => {
  it('is on record before the executor continues, and no longer once its outcome is', async () => {
    const { outcome, written } = await advance({
      async execute(context) {
        await context.recordSideEffect();
        await context.recordSideEffect();
        return DONE;
      },
    });
    expect(outcome).toBe('succeeded');
    expect(written).toMatchObject([
      { task: { status: 'running', inFlight: true }, change: {} },
      { task: { status: 'succeeded', inFlight: undefined }, change: { status: 'succeeded' } },
    ]);
  });

  it('is not begun when the run is not ours any more', async () => {
    let sent = false;
    const { outcome, written } = await advance({
      isOurs: () => false,
      async execute(context) {
        await expect(context.recordSideEffect()).rejects.toThrow(RunLostError);
        await context.recordSideEffect();
        sent = true;
        return DONE;
      },
    });
    expect({ outcome, sent, written }).toEqual({ outcome: 'lost', sent: false, written: [] });
  });

  it('is taken back when an answer says that nothing happened', async () => {
    const { written } = await advance({
      async execute(context) {
        await context.recordSideEffect();
        await context.withdrawSideEffect();
        await context.recordSideEffect();
        return DONE;
      },
    });
    expect(written.map(({ task }) => task?.inFlight)).toEqual([true, false, true, undefined]);
  });
});

describe('an execution that a dead process left behind', () => {
  it('is repeated, and not counted, when its side effect was not on record', async () => {
    const { outcome, task } = await advance({ found: {}, execute: async () => DONE });
    expect(outcome).toBe('succeeded');
    expect(task).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('is flagged when it was, and never repeated', async () => {
    const { outcome, task } = await advance({
      found: { inFlight: true },
      execute: () => Promise.reject(new Error('It was executed again.')),
    });
    expect(outcome).toBe('failed');
    expect(task).toMatchObject({
      status: 'outcome_unknown',
      error: { code: 'interrupted' },
      inFlight: undefined,
    });
  });

  it('is repeated as a further attempt when it was, but may be', async () => {
    const { task } = await advance({
      found: { inFlight: true },
      ifInterrupted: 'retry',
      execute: async () => DONE,
    });
    expect(task).toMatchObject({ status: 'succeeded', attempt: 2 });
  });
});

describe('an execution that is put off', () => {
  it('costs no attempt, however often, and is told that it was', async () => {
    const putOff = () =>
      Promise.reject(
        new TaskError('rate_exceeded', 'Not its turn.', { retry: { kind: 'put_off', seconds: 6 } }),
      );
    const { outcome, task } = await advance({ maxAttempts: 1, execute: putOff });
    expect(outcome).toBe('waiting');
    expect(task).toMatchObject({ status: 'waiting', waitingFor: 'repeat', attempt: 1, resumeAt: NOW + 6000 });
    expect(task).toMatchObject({ runText: 'Not its turn.' });
    expect(task?.attempts ?? []).toEqual([]);
    const found = { status: 'waiting', waitingFor: 'repeat', resumeAt: NOW } as const;
    const again = await advance({ maxAttempts: 1, found, execute: putOff });
    expect(again.task).toMatchObject({ status: 'waiting', attempt: 1 });
    const told: unknown[] = [];
    const last = await advance({
      maxAttempts: 1,
      found,
      execute: async ({ isRepeat }) => {
        told.push(isRepeat);
        return DONE;
      },
    });
    expect(last.task).toMatchObject({ status: 'succeeded', attempt: 1 });
    expect(told).toEqual([true]);
  });
});

describe('a database that goes away while a task executes', () => {
  it('costs no attempt when nothing was done: the task is executed again', async () => {
    const { outcome, task, unexpected } = await advance({
      maxAttempts: 1,
      execute: () => Promise.reject(databaseIsAway()),
    });
    expect(outcome).toBe('waiting');
    expect(task).toMatchObject({ status: 'waiting', waitingFor: 'repeat', attempt: 1, resumeAt: NOW + 1000 });
    expect(unexpected).toEqual([]);
    const again = await advance({
      maxAttempts: 1,
      found: { status: 'waiting', waitingFor: 'repeat', resumeAt: NOW },
      execute: async () => DONE,
    });
    expect(again.task).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('leaves the outcome unknown when something may have been done', async () => {
    const { task } = await advance({
      async execute(context) {
        await context.recordSideEffect();
        throw databaseIsAway();
      },
    });
    expect(task).toMatchObject({ status: 'outcome_unknown', error: { code: 'internal' } });
  });

  it('is no reason to repeat what failed for another one', async () => {
    const { task } = await advance({
      execute: () => Promise.reject(new TaskError('refused', 'No.', { cause: databaseIsAway() })),
    });
    expect(task).toMatchObject({ status: 'failed', error: { code: 'refused' } });
  });
});
