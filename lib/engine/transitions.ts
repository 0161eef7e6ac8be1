// Transitions of task runs: each function makes one change of a run's state in memory; run.ts decides when. Instants are
// milliseconds since 1970.
import { backoffMs } from '#lib/core/backoff.ts';
import { isJsonObject, type JsonObject } from '#lib/core/json/value.ts';
import { DONE_BRANCH, LIMIT_BRANCH } from './graph-types.ts';
import { entersLoop, type GraphNode } from './graph.ts';
import { itemIteration, PASSED_OVER, type Step } from './plan.ts';
import type { RunState } from './run-state.ts';
import type { LoopState, TaskRun } from './run-types.ts';
import { type RetryAdvice, TaskError, type TaskResult } from './task-executor.ts';

const DEFAULT_MAX_ATTEMPTS = 5;

/** No branch led to the task, or it is disabled and its children run as if it had succeeded without output. */
export function passBy(
  state: RunState,
  { kind, node, iteration }: Step & { kind: 'skip' | 'pass_over' },
  now: number,
): void {
  const isDisabled = kind === 'pass_over';
  state.set(node.task.id, iteration, {
    status: 'skipped',
    branch: isDisabled ? PASSED_OVER : undefined,
    runText: isDisabled ? 'Skipped: the task is disabled.' : 'Skipped: no branch reached this task.',
    startedAt: now,
    finishedAt: now,
  });
}

/** Applies a task's result: it is done, waits, or is a loop whose items begin. */
export function settleTask(
  state: RunState,
  node: GraphNode,
  taskRun: TaskRun,
  result: TaskResult,
  now: number,
): void {
  const { taskId, iteration } = taskRun;
  if (result.kind === 'listen') return startListening(state, taskRun, result);
  Object.assign(taskRun, NO_WAIT);
  if (result.kind === 'done') {
    const { output, runText, branch } = result;
    state.set(taskId, iteration, {
      status: 'succeeded',
      output,
      runText,
      branch,
      error: undefined,
      finishedAt: now,
    });
  } else if (result.kind === 'wait') {
    const { output, runText } = result;
    const resumeAt = result.until.getTime();
    state.set(taskId, iteration, { status: 'waiting', waitingFor: 'delay', output, runText, resumeAt });
  } else {
    const loop = beginLoop(result);
    state.set(taskId, iteration, { status: 'running', loop });
    const hasBody = node.children.some(entersLoop);
    if (loop.count === 0 || !hasBody) finishLoop(state, taskRun, loop, { passes: 0, last: {} }, now);
  }
}

/** A pause is between two items, so that there are no others at the same time. */
function beginLoop({ kind: _, items, atOnce = 1, ...rest }: TaskResult & { kind: 'loop' }): LoopState {
  const loop: LoopState = {
    ...rest,
    // Another loop may have been given the same list.
    items: items && [...items],
    open: [],
    next: 0,
    atOnce: rest.pauseSeconds > 0 || rest.isUntil ? 1 : atOnce,
    failedCount: 0,
    pastTaskRuns: 0,
  };
  openItems(loop);
  return loop;
}

function openItems(loop: LoopState): void {
  for (; loop.open.length < loop.atOnce && loop.next < loop.count; loop.next += 1) loop.open.push(loop.next);
}

/** Of a task run that waits for no signal. */
const NO_WAIT = { wait: undefined, listening: undefined, memory: undefined } as const;

/** The task is executed again when a signal arrives, as if for the first time: its attempts are counted from one. */
function startListening(
  state: RunState,
  { taskId, iteration, listening }: TaskRun,
  { until, keepsListening, memory, output, runText }: TaskResult & { kind: 'listen' },
): void {
  if (!listening) throw new Error(`Task ${taskId} waits for a signal without having opened a wait.`);
  state.set(taskId, iteration, {
    ...NO_WAIT,
    status: 'waiting',
    waitingFor: 'signal',
    wait: keepsListening ? { ...listening, keepsListening } : listening,
    resumeAt: until.getTime(),
    memory,
    output,
    runText,
    error: undefined,
    attempt: 1,
  });
}

/** A task's failure: it waits for its next attempt where the error allows one, else it has failed for good. */
export function failTask(
  state: RunState,
  node: GraphNode,
  taskRun: TaskRun,
  failure: TaskError,
  now: number,
  random: number,
): void {
  const { taskId, iteration, attempt } = taskRun;
  if (failure.retry.kind === 'put_off')
    return repeatTask(state, taskRun, failure.message, now + failure.retry.seconds * 1000);
  const error = failure.toRunError(taskId);
  const maxAttempts = node.task.max_attempts ?? DEFAULT_MAX_ATTEMPTS;
  if (failure.retry.kind === 'never' || failure.outcomeUnknown || attempt >= maxAttempts) {
    const status = failure.outcomeUnknown ? 'outcome_unknown' : 'failed';
    state.set(taskId, iteration, {
      ...NO_WAIT,
      status,
      output: failure.output,
      error,
      runText: failure.message,
      finishedAt: now,
    });
    return;
  }
  const earlier = {
    attempt,
    started_at: new Date(taskRun.startedAt ?? now).toISOString(),
    finished_at: new Date(now).toISOString(),
    error,
  };
  state.set(taskId, iteration, {
    status: 'waiting',
    waitingFor: 'retry',
    resumeAt: now + retryDelayMs(failure.retry, attempt, random),
    attempts: [...(taskRun.attempts ?? []), earlier],
    error,
    runText: `Attempt ${attempt} of ${maxAttempts} failed: ${failure.message}`,
  });
}

/** An attempt that ended without effect: it is not counted, and repeated at that time. */
export function repeatTask(
  state: RunState,
  { taskId, iteration }: TaskRun,
  reason: string,
  resumeAt: number,
): void {
  state.set(taskId, iteration, {
    status: 'waiting',
    waitingFor: 'repeat',
    resumeAt,
    runText: reason,
  });
}

/** A delay has passed, or a loop's pause. */
export function endWait(state: RunState, taskRun: TaskRun, now: number): void {
  const isDelay = taskRun.waitingFor === 'delay';
  state.set(taskRun.taskId, taskRun.iteration, {
    status: isDelay ? 'succeeded' : 'running',
    resumeAt: undefined,
    waitingFor: undefined,
    ...(isDelay ? { finishedAt: now } : {}),
  });
}

/**
 * A loop's item is over: the next one begins, immediately or after the pause, or the loop is done.
 * @param holds whether the condition of a loop holds that is repeated until then; called after a pass that did not fail
 * @returns the error that the loop fails with, when it stops at a failed item, or its condition cannot be tested
 */
export function endItem(
  state: RunState,
  { taskRun, item, failure }: Step & { kind: 'end_item' },
  now: number,
  holds: () => boolean,
): TaskError | undefined {
  const { loop, taskId, iteration } = taskRun;
  if (!loop) return undefined;
  if (failure) {
    const stops = loop.onItemFailure === 'stop';
    for (const index of stops ? loop.open : [item])
      cancelOpen(state, now, { loopId: taskId, iteration: itemIteration(iteration, index) });
    loop.failedCount += 1;
    if (stops) return itemFailed(loop, item, failure);
  }
  let isMet = false;
  try {
    isMet = loop.isUntil === true && !failure && holds();
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    loop.failedCount += 1;
    return itemFailed(loop, item, { taskId, error });
  }
  const last = loop.isUntil ? outputsOf(state, taskRun, item) : {};
  state.leaveItem(taskRun, loop, item);
  loop.open = loop.open.filter((index) => index !== item);
  if (!isMet) openItems(loop);
  state.dirty.add(taskRun);
  if (loop.open.length === 0) finishLoop(state, taskRun, loop, { passes: item + 1, isMet, last }, now);
  else if (loop.pauseSeconds > 0) {
    const resumeAt = now + loop.pauseSeconds * 1000;
    state.set(taskId, iteration, { status: 'waiting', waitingFor: 'pause', resumeAt });
  }
  return undefined;
}

/** The outputs of a pass as one, for the tasks after the loop: of fields with one name that of the later task. */
function outputsOf(state: RunState, { taskId, iteration }: TaskRun, item: number): JsonObject {
  const taskRuns = state.taskRunsOf(itemIteration(iteration, item));
  return Object.assign(
    {},
    ...(state.graph.scopes.get(taskId) ?? []).map(({ task }) => {
      const { status, output } = taskRuns.get(task.id) ?? {};
      return status === 'succeeded' && isJsonObject(output ?? null) ? output : {};
    }),
  ) as JsonObject;
}

function itemFailed(
  { count, isUntil }: LoopState,
  item: number,
  failure: { taskId: number; error?: { message: string } | undefined },
): TaskError {
  const reason = failure.error?.message ?? 'no reason was given';
  const details = { item, task_id: failure.taskId };
  const what = `${isUntil ? 'Pass' : 'Item'} ${item + 1} of ${count}`;
  return new TaskError('item_failed', `${what} failed: ${reason}`, { details });
}

interface LoopEnd {
  passes: number;
  /** Of a loop that is repeated until its condition holds: it holds. */
  isMet?: boolean;
  /** What the tasks of its last pass gave. */
  last: JsonObject;
}

function finishLoop(state: RunState, taskRun: TaskRun, loop: LoopState, end: LoopEnd, now: number): void {
  const { count, failedCount, isUntil } = loop;
  const { passes, isMet, last } = end;
  const failed = failedCount > 0 ? `, ${failedCount} failed` : '';
  const times = `${passes} ${passes === 1 ? 'time' : 'times'}${failed}`;
  const untilWords = isMet
    ? `Repeated ${times}: the condition is met.`
    : `Limit reached: repeated ${times}, and the condition is not met.`;
  state.set(taskRun.taskId, taskRun.iteration, {
    status: 'succeeded',
    branch: isUntil && !isMet ? LIMIT_BRANCH : DONE_BRANCH,
    output: isUntil
      ? { count: passes, failed_count: failedCount, last }
      : { count, failed_count: failedCount },
    runText: isUntil ? untilWords : `Went through ${count} ${count === 1 ? 'item' : 'items'}${failed}.`,
    finishedAt: now,
  });
}

/** Cancels open task runs of a loop's item, or of the whole run. */
export function cancelOpen(state: RunState, now: number, item?: { loopId: number; iteration: string }): void {
  for (const taskRun of state.all()) {
    const isOpen =
      taskRun.status === 'waiting' || (taskRun.status === 'running' && taskRun.loop !== undefined);
    if (!isOpen || (item && !isInside(state, taskRun, item))) continue;
    state.set(taskRun.taskId, taskRun.iteration, {
      ...NO_WAIT,
      status: 'cancelled',
      runText: 'Cancelled: another task failed.',
      resumeAt: undefined,
      finishedAt: now,
    });
  }
}

/** Items of loops side by side have equal iterations, so the loop must be around the task, too. */
function isInside(
  { graph }: RunState,
  { taskId, iteration }: TaskRun,
  item: { loopId: number; iteration: string },
): boolean {
  if (graph.nodes.get(taskId)?.loops.includes(item.loopId) !== true) return false;
  return iteration === item.iteration || iteration.startsWith(`${item.iteration}.`);
}

const WAITS = { firstMs: 1000, longestMs: 15 * 60 * 1000 };

/**
 * Milliseconds until the next attempt: exponential with full jitter, or at least what the other side asked for (Retry-After).
 * @param attempt the attempt that failed, from 1
 * @param random in [0, 1)
 */
export function retryDelayMs(
  advice: Exclude<RetryAdvice, { kind: 'put_off' }>,
  attempt: number,
  random: number,
): number {
  if (advice.kind === 'after') return Math.min(advice.seconds * 1000, 24 * 60 * 60 * 1000);
  return Math.max(100, Math.floor(backoffMs(attempt - 1, WAITS) * random));
}
