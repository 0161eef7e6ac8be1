// When many workflows are in trouble at once: the first alerts go to a recipient one by one, the others of that window as a digest.

/** Alerts of a kind that a recipient gets one by one within a window. */
export const DIRECT_ALERTS = 5;
export const WINDOW_MINUTES = 10;
const WINDOW_MS = WINDOW_MINUTES * 60_000;

/** What a recipient got of a kind of alert. Instants are milliseconds since 1970. */
export interface RecipientState {
  /** Null: nothing yet. */
  windowStartMs: number | null;
  directCount: number;
  /** When the digest is due; null: nothing waits for it. */
  digestAtMs: number | null;
}

export const NOTHING_SENT: RecipientState = { windowStartMs: null, directCount: 0, digestAtMs: null };

/** Whether one more alert goes out at once, or waits for the digest. */
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

/** After its digest a recipient gets what follows together again, until a window passes in which nothing comes. */
export const afterDigest = (nowMs: number): RecipientState => ({
  windowStartMs: nowMs,
  directCount: DIRECT_ALERTS,
  digestAtMs: null,
});
