import { describe, expect, test } from 'vitest';
import { traceOfEvent, traceOfRun, type TraceRules } from './trace-of-event.ts';
import { createSample } from './sample.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const called = { id: 'an-event', isReplay: false, headers: { traceparent: `00-${TRACE}-${SPAN}-01` } };
const uncalled = { id: 'an-event', isReplay: false, headers: {} };
const rulesOf = (sampler: Parameters<typeof createSample>[0], ratio = 1): TraceRules => ({
  sample: createSample(sampler, ratio),
  readsCallers: true,
});
const always = rulesOf('parentbased_always_on');

describe('The trace of an event', () => {
  test('is the caller’s, and its first span hangs from the caller’s', () => {
    const { traceId, caller, entryId, isSampled } = traceOfEvent(called, always);
    expect({ traceId, spanId: caller?.spanId, isSampled }).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
    expect(entryId).toMatch(/^[\da-f]{16}$/);
  });

  test('is the same in every process, and another one for another event', () => {
    expect(traceOfEvent(uncalled, always)).toEqual(traceOfEvent({ ...uncalled }, always));
    const { traceId, entryId } = traceOfEvent({ ...uncalled, id: 'another' }, always);
    expect(traceId).not.toBe(traceOfEvent(uncalled, always).traceId);
    expect(entryId).not.toBe(traceOfEvent(uncalled, always).entryId);
  });

  test('of a replay begins anew, although its headers are the caller’s', () => {
    const replay = traceOfEvent({ ...called, id: 'a-replay', isReplay: true }, always);
    expect(replay.traceId).not.toBe(TRACE);
    expect(replay.caller).toBeUndefined();
  });

  test('is its own where callers are not read', () => {
    expect(traceOfEvent(called, { ...always, readsCallers: false })).toEqual(traceOfEvent(uncalled, always));
  });

  test('of several runs of the event is one', () => {
    const run = { id: 'a-run', workspaceId: '', workflowId: '', version: 3, event: called };
    expect(traceOfRun(run, always)).toEqual(traceOfRun({ ...run, id: 'its-retry' }, always));
  });

  test('is not that of a draft’s run', () => {
    const run = { id: 'a-run', workspaceId: '', workflowId: '', version: -3, event: called };
    const { traceId, caller, entryId } = traceOfRun(run, always);
    expect(traceId).not.toBe(TRACE);
    expect([caller, entryId]).toEqual([undefined, undefined]);
  });
});

describe('Whether a trace is sampled', () => {
  const unsampled = { ...called, headers: { traceparent: `00-${TRACE}-${SPAN}-00` } };

  test('is decided by the caller, unless the sampler asks nobody', () => {
    expect(traceOfEvent(unsampled, always).isSampled).toBe(false);
    expect(traceOfEvent(unsampled, rulesOf('always_on')).isSampled).toBe(true);
    expect(traceOfEvent(called, rulesOf('parentbased_always_off')).isSampled).toBe(true);
    expect(traceOfEvent(called, rulesOf('always_off')).isSampled).toBe(false);
  });

  test('follows the ratio where nobody called', () => {
    const rules = rulesOf('parentbased_traceidratio', 0.1);
    const events = Array.from({ length: 5000 }, (_, index) => ({ ...uncalled, id: `event ${index}` }));
    const sampled = events.filter((event) => traceOfEvent(event, rules).isSampled);
    expect(sampled.length / events.length).toBeGreaterThan(0.08);
    expect(sampled.length / events.length).toBeLessThan(0.12);
  });
});
