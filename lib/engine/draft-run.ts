// A run of a draft is a run like any other, but for what it changes outside: that is captured unless the user let it
// through. The one place where that is decided is here, between an executor and its request.
import type { JsonValue } from '#lib/core/json/value.ts';
import { TaskError, type EffectTarget, type SideEffects } from './task-executor.ts';

/** What the user chose when the draft was run. */
export interface DraftRunOptions {
  /** All messages go to this recipient, for real; null: no message leaves. */
  sendTo: string | null;
  /** Requests that change something at other services leave. */
  callsServices: boolean;
  /** By task id: its settings are not complete, so that it fails with these words. */
  refusals: Readonly<Record<number, string>>;
  /** By task id: what the task gives without being executed. */
  pins: Readonly<Record<number, PinnedOutput>>;
}

export interface PinnedOutput {
  /** JSON text, so that no digit is lost. */
  output: string;
  runText: string;
  branch?: string | undefined;
}

/** Draft runs execute versions below zero: the draft's revision with its sign turned. Published versions start at 1. */
export const versionOfDraft = (revision: number): number => -revision;

/** The draft's revision that a run executes; null for a run of a published version. */
export const draftRevisionOf = (version: number): number | null => (version < 0 ? -version : null);

/** The version that a run executes, of what is said of it: its published version, or the revision of the draft. */
export const executedVersion = (run: { version: number | null; draftRevision: number | null }): number =>
  run.version ?? versionOfDraft(run.draftRevision ?? 0);

/** To whom an effect goes; undefined: it is captured. */
function letThrough(
  { sendTo, callsServices }: DraftRunOptions,
  target: EffectTarget,
): { person: string } | undefined {
  if (target.kind === 'person') return sendTo === null ? undefined : { person: sendTo };
  return target.kind === 'service' && callsServices ? { person: '' } : undefined;
}

/**
 * The side effects of one execution in a draft run. An executor that does not say what it changes cannot change it: the
 * record before its request is refused.
 */
export function guardSideEffects(
  options: DraftRunOptions,
  effects: SideEffects,
  capture: (shown: JsonValue) => void,
): SideEffects {
  let isLetThrough = false;
  return {
    changeOutside: async (effect, act) => {
      const passage = letThrough(options, effect.target);
      if (!passage) {
        capture(effect.shown());
        return effect.instead();
      }
      isLetThrough = true;
      try {
        return await act(passage.person);
      } finally {
        isLetThrough = false;
      }
    },
    recordSideEffect: () => {
      if (isLetThrough) return effects.recordSideEffect();
      const message = 'This task changes something outside that a run of the draft does not let through.';
      return Promise.reject(new TaskError('not_in_draft_runs', message));
    },
    withdrawSideEffect: () => effects.withdrawSideEffect(),
  };
}
