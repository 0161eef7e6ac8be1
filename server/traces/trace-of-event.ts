// Which trace an event, and all that it starts, belongs to: it follows from the event alone, so that web and worker processes agree
// without anything stored (docs/decisions/traces.md).
import { hash } from 'node:crypto';
import type { ObservedEvent, ObservedRun } from '#lib/core/telemetry.ts';
import { type CallerTrace, readCallerTrace } from '#lib/core/trace-headers.ts';

export interface Trace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Of the span that everything else hangs from: 16 hexadecimal digits. Undefined: there is none. */
  entryId: string | undefined;
  /** Undefined where the trace begins here. */
  caller: CallerTrace | undefined;
  isSampled: boolean;
}

/** @param caller undefined for a trace that begins here */
export type Sample = (traceId: string, caller: CallerTrace | undefined) => boolean;

export interface TraceRules {
  sample: Sample;
  /** Whether a caller's `traceparent` is read. */
  readsCallers: boolean;
}

const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;

/**
 * A trace that begins here has an id made of the event's, and so has its first span. They are hashes: samplers take the digits of a
 * trace's id as random, which those of an event's id are not.
 */
export function traceOfEvent({ id, isReplay, headers }: ObservedEvent, rules: TraceRules): Trace {
  // A replay is nothing that the caller did: its headers are those of the event that it repeats.
  const caller = isReplay || !rules.readsCallers ? undefined : readCallerTrace(headers);
  const digits = hash('sha256', `event ${id}`, 'hex');
  const traceId = caller?.traceId ?? digits.slice(0, TRACE_ID_DIGITS);
  const entryId = digits.slice(TRACE_ID_DIGITS, TRACE_ID_DIGITS + SPAN_ID_DIGITS);
  return { traceId, entryId, caller, isSampled: rules.sample(traceId, caller) };
}

/** A run of a draft has its own trace: its event may be one that came long ago. */
export function traceOfRun({ id, version, event }: ObservedRun, rules: TraceRules): Trace {
  if (version >= 0) return traceOfEvent(event, rules);
  const traceId = hash('sha256', `draft run ${id}`, 'hex').slice(0, TRACE_ID_DIGITS);
  return { traceId, entryId: undefined, caller: undefined, isSampled: rules.sample(traceId, undefined) };
}
