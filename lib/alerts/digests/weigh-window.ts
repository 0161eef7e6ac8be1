// When many alerts come at once, the first of a window go out one by one, and the others together at its end. The one rule
// for what a recipient gets, and for the failed runs of a workflow.

/** Number of alerts of a kind that a recipient gets one by one within a window. */
export const DIRECT_ALERTS = 5;
export const WINDOW_MINUTES = 10;

export interface Window {
  /** Number that go out one by one. */
  direct: number;
  windowMs: number;
}

export const RECIPIENT: Window = { direct: DIRECT_ALERTS, windowMs: WINDOW_MINUTES * 60_000 };

/** What went out recently. Instants are milliseconds since 1970. */
export interface WindowState {
  /** Null: nothing yet. */
  windowStartMs: number | null;
  directCount: number;
  /** When the digest is due; null: nothing waits for it. */
  digestAtMs: number | null;
}

export const NOTHING_SENT: WindowState = { windowStartMs: null, directCount: 0, digestAtMs: null };

/** Whether another one goes out immediately, or waits for the digest. */
export function weighNext(
  state: WindowState,
  nowMs: number,
  { direct, windowMs }: Window,
): { isDirect: boolean; state: WindowState } {
  const { windowStartMs, directCount, digestAtMs } = state;
  if (digestAtMs !== null) return { isDirect: false, state };
  if (windowStartMs === null || nowMs >= windowStartMs + windowMs)
    return { isDirect: true, state: { windowStartMs: nowMs, directCount: 1, digestAtMs: null } };
  if (directCount < direct) return { isDirect: true, state: { ...state, directCount: directCount + 1 } };
  return { isDirect: false, state: { ...state, digestAtMs: windowStartMs + windowMs } };
}

/** After a digest, what follows is combined again, until a window passes without any. */
export const afterDigest = (nowMs: number, { direct }: Window): WindowState => ({
  windowStartMs: nowMs,
  directCount: direct,
  digestAtMs: null,
});
