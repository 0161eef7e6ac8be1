// The tasks of simulated workflows, and the platform of their effects.
import type { Signal } from '#lib/engine/store/deliver-signals.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { WaitRule } from '#lib/engine/run-types.ts';
import {
  type FindExecutor,
  type Resumption,
  type TaskContext,
  type TaskExecutor,
  TaskError,
  type TaskResult,
} from '#lib/engine/task-executor.ts';

/** The behavior of a simulated task. Parts that are left out do not happen. */
export interface Script {
  branch?: string;
  /** Fails permanently. */
  fails?: boolean;
  waitMs?: number;
  loop?: { count: number; atOnce: number; pauseSeconds: number; onItemFailure: 'stop' | 'continue' };
  /** The loop is repeated until this pass, from 1, which a variable says. */
  untilPass?: number;
  passName?: string;
  /** Has an external effect of this duration. */
  effectMs?: number;
  /** Number of refusals by the platform before it accepts. */
  refusals?: number;
  /** The platform accepts it, and the response is lost. */
  losesAnswer?: boolean;
  /** Waits for a signal. */
  listens?: Listens;
}

export interface Listens {
  key: string;
  rule: WaitRule;
  quietMs: number;
  deadlineMs: number;
  /** Delay of the answer after the question arrived; left out: none comes. */
  answerMs?: number;
  /** How often it continues to listen after the deadline. */
  reminders: number;
  /** How often it asks again after a signal. */
  repeats: number;
}

/** The state of an ask between two waits. */
interface Asked {
  reminded: number;
  repeated: number;
  signals: JsonValue[];
}

/** Must not happen twice: an interrupted effect gets an unknown outcome. */
export const SEND = 'send';
/** May happen twice: an interrupted effect is retried. */
export const CALL = 'call';
export const STEP = 'step';
/** Waits for a signal, after an effect that must not happen twice or after none. */
export const ASK = 'ask';

/** The external effects, by run, task and iteration. */
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

/** With the signals of the finished wait, if any. */
function readAsked(resumed: Resumption | undefined): Asked {
  if (!resumed) return { reminded: 0, repeated: 0, signals: [] };
  const { reminded, repeated, signals } = resumed.memory as unknown as Asked;
  const came = resumed.signals;
  return came.length > 0
    ? { reminded, repeated: repeated + 1, signals: [...signals, ...came] }
    : { reminded: reminded + 1, repeated, signals: [...signals] };
}

/** The wait will be answered after a while. */
export type OnAsked = (asked: { key: string; taskRun: Signal['taskRun']; afterMs: number }) => void;

/** @param takesTime whether effects take their configured duration. */
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
      const { fails, waitMs, loop, untilPass, branch } = settings as Script;
      if (fails) throw new TaskError('scripted', 'It is set to fail.');
      if (loop)
        return { kind: 'loop', items: null, ...loop, ...(untilPass ? { isUntil: true as const } : {}) };
      if (waitMs === undefined) return done(branch);
      return { kind: 'wait', until: new Date(now.getTime() + waitMs), output: {}, runText: 'Waited.' };
    },
  };
  const endsLoop: TaskExecutor['endsLoop'] = ({ settings, scope }) => {
    const { passName = '', untilPass } = settings as Script;
    return scope.resolve(passName) === untilPass;
  };
  const effect = (mayRepeat: boolean) => ({
    hasSideEffect: () => true,
    ifInterrupted: () => (mayRepeat ? ('retry' as const) : ('flag' as const)),
    execute: (context: TaskContext) => executeEffect(context, mayRepeat),
  });
  const executors = {
    [STEP]: { ...step, endsLoop },
    [ASK]: ask,
    [SEND]: effect(false),
    [CALL]: effect(true),
  };
  return (type) => executors[type as keyof typeof executors];
}
