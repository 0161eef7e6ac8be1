// When many workflows fail at once, a recipient gets the first alerts one by one, and the others of that window as a digest.

/** Number of alerts of a kind that a recipient gets one by one within a window. */
export const DIRECT_ALERTS = 5;
export const WINDOW_MINUTES = 10;
const WINDOW_MS = WINDOW_MINUTES * 60_000;

/** The recent alerts of a kind to a recipient. Instants are milliseconds since 1970. */
export interface RecipientState {
  /** Null: none yet. */
  windowStartMs: number | null;
  directCount: number;
  /** When the digest is due; null: no alert waits for it. */
  digestAtMs: number | null;
}

export const NOTHING_SENT: RecipientState = { windowStartMs: null, directCount: 0, digestAtMs: null };

/** Whether another alert is sent immediately, or waits for the digest. */
export function weighRecipient(
  state: RecipientState,
  nowMs: number,
): { isDirect: boolean; state: RecipientState } {
  const { windowStartMs, directCount, digestAtMs } = state;
  const startMs = windowStartMs ?? nowMs;
  if (digestAtMs !== null) return { isDirect: false, state };
  if (windowStartMs === null || nowMs >= windowStartMs + WINDOW_MS)
    return { isDirect: true, state: { windowStartMs: nowMs, directCount: 1, digestAtMs: null } };
  if (directCount < DIRECT_ALERTS)
    return { isDirect: true, state: { ...state, directCount: directCount + 1 } };
  return { isDirect: false, state: { ...state, digestAtMs: startMs + WINDOW_MS } };
}

/** After a digest, further alerts are combined again, until a window passes without any. */
export const afterDigest = (nowMs: number): RecipientState => ({
  windowStartMs: nowMs,
  directCount: DIRECT_ALERTS,
  digestAtMs: null,
});
