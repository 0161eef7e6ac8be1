// The trace of an event and its runs: derived from the event alone, so that web and worker processes agree without storing it
// (docs/decisions/traces.md).
import { hash } from 'node:crypto';
import type { ObservedEvent, ObservedRun } from '#lib/core/telemetry.ts';
import { type CallerTrace, readCallerTrace } from '#lib/core/trace-headers.ts';

export interface Trace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Id of the parent span: 16 hexadecimal digits. Undefined: none. */
  entryId: string | undefined;
  /** Undefined where the trace starts here. */
  caller: CallerTrace | undefined;
  isSampled: boolean;
}

/** @param caller undefined for a trace that starts here */
export type Sample = (traceId: string, caller: CallerTrace | undefined) => boolean;

export interface TraceRules {
  sample: Sample;
  /** Whether a caller's `traceparent` is read. */
  readsCallers: boolean;
}

const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;

/**
 * A trace that starts here has an id derived from the event's, and so has its first span. They are hashes: samplers assume
 * random digits, which an event's id does not have.
 */
export function traceOfEvent({ id, isReplay, headers }: ObservedEvent, rules: TraceRules): Trace {
  // A replay is not from the caller: its headers are those of the replayed event.
  const caller = isReplay || !rules.readsCallers ? undefined : readCallerTrace(headers);
  const digits = hash('sha256', `event ${id}`, 'hex');
  const traceId = caller?.traceId ?? digits.slice(0, TRACE_ID_DIGITS);
  const entryId = digits.slice(TRACE_ID_DIGITS, TRACE_ID_DIGITS + SPAN_ID_DIGITS);
  return { traceId, entryId, caller, isSampled: rules.sample(traceId, caller) };
}

/** A run of a draft has its own trace: its event may be an old one. */
export function traceOfRun({ id, version, event }: ObservedRun, rules: TraceRules): Trace {
  if (version >= 0) return traceOfEvent(event, rules);
  const traceId = hash('sha256', `draft run ${id}`, 'hex').slice(0, TRACE_ID_DIGITS);
  return { traceId, entryId: undefined, caller: undefined, isSampled: rules.sample(traceId, undefined) };
}
