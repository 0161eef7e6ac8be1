// Listeners are the process's: one set of them for all tests of this file.
import { beforeEach, describe, expect, test } from 'vitest';
import { telemetry, traceIdOf } from '#lib/core/telemetry.ts';
import { followProcess } from './follow.ts';
import { createSample } from './sample.ts';
import type { EndedSpan } from './span-writer.ts';
import { traceOfEvent } from './trace-of-event.ts';

const rules = { sample: createSample('parentbased_always_on', 1), readsCallers: true };
let spans: EndedSpan[] = [];
followProcess((span) => void spans.push(span), rules);
beforeEach(() => (spans = []));

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const calledBy = (flags: string) => ({
  id: 'an-event',
  isReplay: false,
  headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-${flags}` },
});
const runOf = (event: ReturnType<typeof calledBy>) => ({
  id: 'a-run',
  workspaceId: 'a-workspace',
  workflowId: 'a-workflow',
  version: 1,
  event,
});
const advanceOf = (isFirstLeg: boolean, flags = '01') => ({ run: runOf(calledBy(flags)), isFirstLeg });

function executeTask(key: object, act: () => void = () => undefined): void {
  const execution = { key, taskId: 2, type: 'http_request', iteration: '', attempt: 1 };
  telemetry.execution.within(execution, act);
  telemetry.task.tell({
    key,
    type: 'http_request',
    outcome: 'done',
    isError: false,
    isFirstLeg: false,
    seconds: 0,
  });
}

function playFirstLeg(leg: object | undefined): void {
  const advance = advanceOf(true);
  telemetry.advance.within(advance, () => {
    executeTask({});
    telemetry.advanced.tell({ advance, outcome: leg ? 'succeeded' : 'left', leg });
  });
}

describe('A first leg', () => {
  test('has spans once it is committed', () => {
    const leg = {};
    playFirstLeg(leg);
    expect(spans).toEqual([]);
    telemetry.firstLeg.tell({ leg });
    expect(spans.map(({ name }) => name)).toEqual(['task http_request', 'run']);
    telemetry.firstLeg.tell({ leg });
    expect(spans).toHaveLength(2);
  });

  test('that comes to nothing, or is not written, has none', () => {
    playFirstLeg(undefined);
    playFirstLeg({});
    telemetry.firstLeg.tell({ leg: {} });
    expect(spans).toEqual([]);
  });
});

describe('An advance', () => {
  test('is what its tasks hang from, and what its requests name', () => {
    const advance = advanceOf(false);
    const request = { method: 'GET', url: new URL('https://example.com/secret?key=1'), resends: 0 };
    telemetry.advance.within(advance, () => {
      executeTask({}, () => {
        telemetry.request.tell(request);
        telemetry.requested.tell({ request, status: 500 });
      });
      telemetry.advanced.tell({ advance, outcome: 'failed' });
    });
    const [sent, task, run] = spans;
    expect([sent?.parentId, task?.parentId]).toEqual([task?.spanId, run?.spanId]);
    expect(run?.parentId).toBe(traceOfEvent(calledBy('01'), rules).entryId);
    expect([sent?.error, task?.error, run?.error]).toEqual(['500', undefined, 'run_failed']);
    expect(request).toMatchObject({ traceHeaders: { traceparent: `00-${TRACE}-${sent?.spanId}-01` } });
    expect(JSON.stringify(spans)).not.toMatch(/secret|key=1/);
  });

  test('that is not sampled has no spans, and its requests say so', () => {
    const advance = advanceOf(false, '00');
    const request = { method: 'GET', url: new URL('https://example.com/'), resends: 0 };
    telemetry.advance.within(advance, () => {
      executeTask({}, () => telemetry.request.tell(request));
      telemetry.advanced.tell({ advance, outcome: 'succeeded' });
    });
    expect(spans).toEqual([]);
    expect(request).toMatchObject({
      traceHeaders: { traceparent: expect.stringMatching(`^00-${TRACE}-.*-00$`) as string },
    });
  });

  test('names its trace in the log lines that are written meanwhile', async () => {
    const found = await telemetry.advance.within(advanceOf(false), async () => {
      await Promise.resolve();
      return traceIdOf();
    });
    expect(found).toEqual({ trace_id: TRACE });
    expect(traceIdOf()).toEqual({});
    expect(traceIdOf(calledBy('00'))).toEqual({ trace_id: TRACE });
  });
});

test('what happens outside of a run has no span and names no trace', () => {
  const request = { method: 'GET', url: new URL('https://example.com/'), resends: 0 };
  executeTask({}, () => telemetry.request.tell(request));
  expect(spans).toEqual([]);
  expect(request).not.toHaveProperty('traceHeaders');
});

test('a webhook that failed here is an error, one that its caller got wrong is not', () => {
  const told = { mode: 'refused', seconds: 0.01, kind: 'production', method: 'POST', headers: {} } as const;
  telemetry.webhook.tell({ ...told, reason: 'invalid_json', status: 400, eventId: 'an-event' });
  telemetry.webhook.tell({ ...told, reason: 'overloaded', status: 503, eventId: undefined });
  expect(spans.map(({ error, attributes }) => [error, attributes['error.type']])).toEqual([
    [undefined, 'invalid_json'],
    ['overloaded', undefined],
  ]);
});
