import { weighNext } from '../digests/weigh-window.ts';

// When failures of a workflow are reported: the first immediately, those within the cool-down together at its end.

/** The state of a workflow's failures. Instants are milliseconds since 1970. */
export interface FailureState {
  reportedAtMs: number | null;
  waitingCount: number;
  waitingSinceMs: number | null;
  /** When waiting failures are reported; null: none wait. */
  digestAtMs: number | null;
}

/** New failures. */
export interface NewFailures {
  count: number;
  firstAtMs: number;
}

export interface Telling {
  count: number;
  sinceMs: number;
  /** Others of this workflow were reported recently. */
  isDigest: boolean;
}

export interface Weighed {
  tell: Telling | null;
  state: FailureState;
}

export const NOTHING_REPORTED: FailureState = {
  reportedAtMs: null,
  waitingCount: 0,
  waitingSinceMs: null,
  digestAtMs: null,
};

/** Decides whether new failures are reported now, or wait with the others. */
export function weighFailures(
  state: FailureState,
  { count, firstAtMs }: NewFailures,
  { nowMs, cooldownMs }: { nowMs: number; cooldownMs: number },
): Weighed {
  const { isDirect, state: window } = weighNext(
    { windowStartMs: state.reportedAtMs, directCount: 1, digestAtMs: state.digestAtMs },
    nowMs,
    { direct: 1, windowMs: cooldownMs },
  );
  if (isDirect)
    return {
      tell: { count, sinceMs: firstAtMs, isDigest: false },
      state: { ...NOTHING_REPORTED, reportedAtMs: nowMs },
    };
  return {
    tell: null,
    state: {
      ...state,
      waitingCount: state.waitingCount + count,
      waitingSinceMs: Math.min(state.waitingSinceMs ?? firstAtMs, firstAtMs),
      digestAtMs: window.digestAtMs,
    },
  };
}

/** Reports waiting failures, once they are due. */
export function digestFailures(state: FailureState, nowMs: number): Weighed {
  const { digestAtMs, waitingCount, waitingSinceMs } = state;
  if (digestAtMs === null || digestAtMs > nowMs || waitingCount === 0) return { tell: null, state };
  return {
    tell: { count: waitingCount, sinceMs: waitingSinceMs ?? nowMs, isDigest: true },
    state: { ...NOTHING_REPORTED, reportedAtMs: nowMs },
  };
}
