import * as z from 'zod';
import { GraphError } from '../graph-error.ts';

/** One call to the graph API or to the token endpoint, for the control API. */
export type LoggedCall = {
  /** Sandbox clock, ISO 8601; `real_at_ms` is real time, for measuring. */
  at: string;
  real_at_ms: number;
  target: 'graph' | 'token';
  method: string;
  /** For graph calls: the requested version, such as `v18.0`. */
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

/** The calls since the last reset: `total` counts all, `entries` has the latest 50,000. */
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

/** A fault set by the control API (`POST /__sandbox/faults`). It applies to `times` matching calls. */
export const faultSchema = z.strictObject({
  kind: z.enum(['error', 'delay', 'drop', 'drop_before', 'malformed', 'claims']),
  times: z.number().int().positive().default(1),
  /** Only calls of this kind: the graph API, or the identity provider's token endpoint. */
  target: z.enum(['graph', 'token']).default('graph'),
  /** Only paths (without the version) that contain this. */
  path: z.string().optional(),
  method: z.string().optional(),
  /** Only messages to this number. */
  recipient: z.string().optional(),
  /** kind error */
  code: z.number().int().default(131000),
  subcode: z.number().int().optional(),
  http_status: z.number().int().min(400).max(599).optional(),
  message: z.string().optional(),
  details: z.string().default('Forced by the control API.'),
  retry_after: z.number().min(0).optional(),
  /** kind delay: before the call is processed, or after (the response is late). */
  delay_ms: z.number().int().min(0).max(600_000).default(1000),
  when: z.enum(['before', 'after']).default('before'),
  /** kind claims (target token): overrides claims of the next ID token, null: removes one. */
  claims: z.record(z.string(), z.json()).default({}),
});

export type Fault = z.infer<typeof faultSchema> & { id: string; left: number };

/** The first fault that matches a call, with one use less; null if there is none. */
export function takeFault(
  { faults }: { faults: Fault[] },
  call: { target: 'graph' | 'token'; method: string; path: string; body: Record<string, unknown> },
): Fault | null {
  const fault = faults.find(
    ({ target, path, method, recipient }) =>
      target === call.target &&
      (path === undefined || call.path.includes(path)) &&
      (method === undefined || method.toUpperCase() === call.method) &&
      (recipient === undefined || digits(recipient) === digits(call.body.to)),
  );
  if (!fault) return null;
  fault.left -= 1;
  if (fault.left === 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}

const digits = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/\D/g, '') : null);

/** The response for a fault of kind error on the graph API. */
export function toGraphError(fault: Fault): GraphError {
  return new GraphError(fault.code, fault.details, {
    ...(fault.subcode === undefined ? {} : { subcode: fault.subcode }),
    ...(fault.http_status === undefined ? {} : { status: fault.http_status }),
    ...(fault.message === undefined ? {} : { message: fault.message }),
    ...(fault.retry_after === undefined ? {} : { retryAfterSeconds: fault.retry_after }),
  });
}
