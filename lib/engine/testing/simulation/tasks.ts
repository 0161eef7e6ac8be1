// The tasks of simulated workflows, and the platform that their effects reach.
import type { Signal } from '#lib/engine/store/deliver-signals.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { WaitRule } from '#lib/engine/run-types.ts';
import {
  type FindExecutor,
  type Resumption,
  type TaskContext,
  TaskError,
  type TaskResult,
} from '#lib/engine/task-executor.ts';

/** What a simulated task does. Whatever is left out does not happen. */
export interface Script {
  branch?: string;
  /** It fails for good. */
  fails?: boolean;
  waitMs?: number;
  loop?: { count: number; pauseSeconds: number; onItemFailure: 'stop' | 'continue' };
  /** It changes something outside, which takes so long. */
  effectMs?: number;
  /** The platform refuses it this many times before it accepts. */
  refusals?: number;
  /** The platform accepts it, and its answer is lost. */
  losesAnswer?: boolean;
  /** It waits for a signal. */
  listens?: Listens;
}

export interface Listens {
  key: string;
  rule: WaitRule;
  quietMs: number;
  deadlineMs: number;
  /** Whoever was asked answers so long after the question came; left out: never. */
  answerMs?: number;
  /** How often it goes on listening when the deadline has passed. */
  reminders: number;
  /** How often it asks again when something came. */
  repeats: number;
}

/** What an ask keeps between two waits. */
interface Asked {
  reminded: number;
  repeated: number;
  signals: JsonValue[];
}

/** Must not happen twice: what is left in flight is flagged. */
export const SEND = 'send';
/** May happen twice: what is left in flight is tried again. */
export const CALL = 'call';
export const STEP = 'step';
/** Waits for a signal, after an effect that must not happen twice or after none. */
export const ASK = 'ask';

/** What has happened outside, by run, task and iteration. */
export class Platform {
  readonly accepted = new Map<string, number>();
  readonly #refused = new Map<string, number>();

  /** @returns whether it is accepted. */
  receive(key: string, refusals: number): boolean {
    const refused = this.#refused.get(key) ?? 0;
    if (refused < refusals) {
      this.#refused.set(key, refused + 1);
      return false;
    }
    this.accepted.set(key, (this.accepted.get(key) ?? 0) + 1);
    return true;
  }
}

export const effectKey = (runId: string, taskId: number, iteration: string): string =>
  `${runId}/${taskId}@${iteration}`;

const done = (branch?: string): TaskResult => ({
  kind: 'done',
  output: {},
  runText: 'Done.',
  ...(branch ? { branch } : {}),
});

/** With what came to the wait that is over, or without anything. */
function readAsked(resumed: Resumption | undefined): Asked {
  if (!resumed) return { reminded: 0, repeated: 0, signals: [] };
  const { reminded, repeated, signals } = resumed.memory as unknown as Asked;
  const came = resumed.signals;
  return came.length > 0
    ? { reminded, repeated: repeated + 1, signals: [...signals, ...came] }
    : { reminded: reminded + 1, repeated, signals: [...signals] };
}

/** Whoever was asked is going to answer the wait, after a while. */
export type OnAsked = (asked: { key: string; taskRun: Signal['taskRun']; afterMs: number }) => void;

/** @param takesTime whether effects take as long as they say. */
export function createExecutors(
  platform: Platform,
  takesTime: boolean,
  onAsked: OnAsked = () => undefined,
): FindExecutor {
  const pass = (milliseconds: number): Promise<void> | undefined =>
    takesTime ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;

  async function executeEffect(
    context: TaskContext,
    mayRepeat: boolean,
    onAccepted: () => void = () => undefined,
  ): Promise<TaskResult> {
    const { effectMs = 0, refusals = 0, losesAnswer, branch } = context.settings as Script;
    await pass(1);
    await context.recordSideEffect();
    await pass(1);
    const isAccepted = platform.receive(
      effectKey(context.runId, context.taskId, context.iteration),
      refusals,
    );
    if (isAccepted) onAccepted();
    await pass(effectMs);
    if (!isAccepted) throw new TaskError('refused', 'Not now.', { retry: { kind: 'after', seconds: 0.2 } });
    if (losesAnswer && !mayRepeat) throw new TaskError('lost', 'No answer.', { outcomeUnknown: true });
    return done(branch);
  }

  const ask = {
    hasSideEffect: () => true,
    ifInterrupted: () => 'flag' as const,
    async execute(context: TaskContext): Promise<TaskResult> {
      const { settings, resumed, now } = context;
      const { effectMs, listens } = settings as Script;
      if (!listens) throw new Error('An ask listens.');
      const { key, rule, quietMs, deadlineMs, answerMs, reminders, repeats } = listens;
      const asked = readAsked(resumed);
      const { reminded, repeated, signals } = asked;
      if (resumed && (reminded > reminders || repeated > repeats)) {
        signals.push(...(await resumed.stopListening()));
        return { kind: 'done', output: { signals }, runText: 'Answered.' };
      }
      const { runId, taskId, iteration } = context;
      context.listen({ key, rule, quietMs });
      const answer = (): void => {
        if (answerMs !== undefined)
          onAsked({ key, taskRun: { runId, taskId, iteration }, afterMs: answerMs });
      };
      if (resumed) {
        await pass(20);
        await context.recordWait();
        if (resumed.signals.length > 0) answer();
      } else if (effectMs === undefined) {
        await context.recordWait();
        answer();
      } else {
        await executeEffect(context, false, answer);
      }
      const until = new Date(now.getTime() + deadlineMs);
      const keepsListening = reminded < reminders || repeats > 0;
      return { kind: 'listen', until, keepsListening, memory: { ...asked }, output: {}, runText: 'Asked.' };
    },
  };
  const step = {
    execute({ settings, now }: TaskContext): TaskResult {
      const { fails, waitMs, loop, branch } = settings as Script;
      if (fails) throw new TaskError('scripted', 'It is set to fail.');
      if (loop) return { kind: 'loop', items: null, ...loop };
      if (waitMs === undefined) return done(branch);
      return { kind: 'wait', until: new Date(now.getTime() + waitMs), output: {}, runText: 'Waited.' };
    },
  };
  const effect = (mayRepeat: boolean) => ({
    hasSideEffect: () => true,
    ifInterrupted: () => (mayRepeat ? ('retry' as const) : ('flag' as const)),
    execute: (context: TaskContext) => executeEffect(context, mayRepeat),
  });
  const executors = { [STEP]: step, [ASK]: ask, [SEND]: effect(false), [CALL]: effect(true) };
  return (type) => executors[type as keyof typeof executors];
}
