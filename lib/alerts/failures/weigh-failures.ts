// When failures of a workflow are told: the first at once, what follows within the cool-down together at its end.

/** What is known of a workflow's failures. Instants are milliseconds since 1970. */
export interface FailureState {
  toldAtMs: number | null;
  waitingCount: number;
  waitingSinceMs: number | null;
  /** When what waits is told; null: nothing waits. */
  digestAtMs: number | null;
}

/** Failures that are new. */
export interface NewFailures {
  count: number;
  firstAtMs: number;
}

export interface Telling {
  count: number;
  sinceMs: number;
  /** Others of this workflow were told before, not long ago. */
  isDigest: boolean;
}

export interface Weighed {
  tell: Telling | null;
  state: FailureState;
}

export const NOTHING_TOLD: FailureState = {
  toldAtMs: null,
  waitingCount: 0,
  waitingSinceMs: null,
  digestAtMs: null,
};

/** What new failures come to: told now, or put with those that wait. */
export function weighFailures(
  state: FailureState,
  { count, firstAtMs }: NewFailures,
  { nowMs, cooldownMs }: { nowMs: number; cooldownMs: number },
): Weighed {
  const isCoolingDown = state.toldAtMs !== null && nowMs < state.toldAtMs + cooldownMs;
  if (!isCoolingDown && state.waitingCount === 0)
    return {
      tell: { count, sinceMs: firstAtMs, isDigest: false },
      state: { ...NOTHING_TOLD, toldAtMs: nowMs },
    };
  return {
    tell: null,
    state: {
      ...state,
      waitingCount: state.waitingCount + count,
      waitingSinceMs: Math.min(state.waitingSinceMs ?? firstAtMs, firstAtMs),
      digestAtMs: state.digestAtMs ?? (state.toldAtMs ?? nowMs) + cooldownMs,
    },
  };
}

/** What waits is told, once it is due. */
export function digestFailures(state: FailureState, nowMs: number): Weighed {
  const { digestAtMs, waitingCount, waitingSinceMs } = state;
  if (digestAtMs === null || digestAtMs > nowMs || waitingCount === 0) return { tell: null, state };
  return {
    tell: { count: waitingCount, sinceMs: waitingSinceMs ?? nowMs, isDigest: true },
    state: { ...NOTHING_TOLD, toldAtMs: nowMs },
  };
}
