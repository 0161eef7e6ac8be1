// Trace headers between processes (W3C Trace Context).

/** The caller's trace, from its `traceparent`. */
export interface CallerTrace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Of the caller's span: 16 hexadecimal digits. */
  spanId: string;
  isSampled: boolean;
  /** `tracestate`, unchanged. */
  state: string | undefined;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;
/** Longer ones may be dropped (3.3.1.5). */
const MAX_STATE_CHARACTERS = 512;
const STATE = /^[\x20-\x7e\t]+$/;

/** Reads `traceparent` and `tracestate` (3.2, 3.3); undefined where they are missing or invalid. */
export function readCallerTrace({
  traceparent,
  tracestate,
}: Readonly<Record<string, string>>): CallerTrace | undefined {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent?.trim() ?? '') ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED,
    state: readState(tracestate),
  };
}

const readState = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= MAX_STATE_CHARACTERS && STATE.test(text) ? text : undefined;

/** The headers of a request that belongs to a trace. */
export function writeTraceHeaders({
  traceId,
  spanId,
  isSampled,
  state,
}: CallerTrace): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}
