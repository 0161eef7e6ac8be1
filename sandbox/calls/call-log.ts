/** One call to the graph API or to the token endpoint, as the control API lists it. */
export type LoggedCall = {
  /** Sandbox clock, ISO 8601; `real_at_ms` is real time, for measuring. */
  at: string;
  real_at_ms: number;
  target: 'graph' | 'token';
  method: string;
  /** Of graph calls: the one that was asked for, such as `v18.0`. */
  version?: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  /** Demo account of the token, if it was valid. */
  account: string | null;
  /** null: the connection was dropped. */
  status: number | null;
  error_code: number | null;
  fault: string | null;
};

const MOST_KEPT = 50_000;

/** The calls since the last reset: `total` counts all, `entries` keeps the latest 50,000. */
export type CallLog = { total: number; entries: LoggedCall[] };

/** An empty log. */
export function createCallLog(): CallLog {
  return { total: 0, entries: [] };
}

/** Adds a call. */
export function logCall(log: CallLog, call: LoggedCall): void {
  log.total += 1;
  log.entries.push(call);
  if (log.entries.length > MOST_KEPT * 1.2) log.entries = log.entries.slice(-MOST_KEPT);
}
