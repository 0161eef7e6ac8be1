import { describe, expect, test } from 'vitest';
import { readCallerTrace, writeTraceHeaders } from './trace-headers.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const read = (traceparent: string, tracestate?: string) =>
  readCallerTrace({ traceparent, ...(tracestate === undefined ? {} : { tracestate }) });

describe('A caller’s traceparent', () => {
  test('names the trace, the span and whether it is sampled', () => {
    expect(read(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(read(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
    expect(read(`00-${TRACE}-${SPAN}-03`)?.isSampled).toBe(true);
  });

  test('of a later version is read as far as it is known', () => {
    expect(read(`01-${TRACE}-${SPAN}-01-more`)?.traceId).toBe(TRACE);
  });

  test.each([
    ['nothing', ''],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['several values', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ])('is ignored with %s', (_what, traceparent) => {
    expect(read(traceparent)).toBeUndefined();
  });

  test('comes back as it was, with its tracestate', () => {
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=a,other=b' };
    const caller = readCallerTrace(headers);
    expect(caller && writeTraceHeaders(caller)).toEqual(headers);
  });

  test('loses a tracestate that is too long or has characters that no header has', () => {
    expect(read(`00-${TRACE}-${SPAN}-01`, `v=${'a'.repeat(600)}`)?.state).toBeUndefined();
    expect(read(`00-${TRACE}-${SPAN}-01`, 'v=ä')?.state).toBeUndefined();
  });
});
