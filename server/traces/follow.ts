// Creates spans from the process's telemetry (lib/core/telemetry.ts). docs/operations.md, "Traces", lists them.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
} from '@opentelemetry/semantic-conventions';
import { telemetry, type ObservedRun } from '#lib/core/telemetry.ts';
import { followPlatformCalls, followRequests } from './follow-requests.ts';
import { type EndedSpan, newSpanId, nowMs, SpanKind } from './span-writer.ts';
import { traceOfEvent, traceOfRun, type TraceRules } from './trace-of-event.ts';
import { ended, isAdvance, NOWHERE, type Open, type OpenAdvance, type UnderWay } from './under-way.ts';

type Write = (span: EndedSpan) => void;

/** Starts creating spans. */
export function followProcess(write: Write, rules: TraceRules): void {
  const underWay = new AsyncLocalStorage<Open>();
  followEvents(write, rules);
  followAdvances(write, rules, underWay);
  followExecutions(underWay);
  followRequests(underWay);
  followPlatformCalls(underWay);
  telemetry.traceOf.listen((asked) => {
    const traceId = asked.event
      ? traceOfEvent(asked.event, rules).traceId
      : underWay.getStore()?.trace.traceId;
    if (traceId) asked.trace_id = traceId;
  });
}

/** The first span of each trace. */
function followEvents(write: Write, rules: TraceRules): void {
  telemetry.webhook.listen(({ reason, mode, seconds, kind, method, status, headers, eventId }) => {
    const trace = traceOfEvent({ id: eventId ?? newSpanId(), isReplay: false, headers }, rules);
    if (!trace.isSampled || trace.entryId === undefined) return;
    const route = kind === 'test' ? '/webhook-test/{token}' : '/webhook/{token}';
    const endMs = nowMs();
    write({
      trace,
      spanId: trace.entryId,
      parentId: trace.caller?.spanId,
      name: `${method} ${route}`,
      kind: SpanKind.SERVER,
      startMs: endMs - seconds * 1000,
      endMs,
      attributes: {
        [ATTR_HTTP_REQUEST_METHOD]: method,
        [ATTR_HTTP_ROUTE]: route,
        [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
        'patchbay.webhook.mode': mode,
        ...(eventId !== undefined && { 'patchbay.event.id': eventId }),
        // For a server only its own failures are errors.
        ...(reason !== 'accepted' && status < 500 && { [ATTR_ERROR_TYPE]: reason }),
      },
      error: status >= 500 ? reason : undefined,
    });
  });

  telemetry.event.listen(({ event, origin, original }) => {
    const trace = traceOfEvent(event, rules);
    if (!trace.isSampled || trace.entryId === undefined) return;
    const repeated = original && traceOfEvent(original, rules);
    const startMs = nowMs();
    write({
      trace,
      spanId: trace.entryId,
      parentId: trace.caller?.spanId,
      name: origin,
      startMs,
      endMs: startMs,
      attributes: { 'patchbay.event.id': event.id },
      ...(repeated?.entryId !== undefined && {
        links: [{ traceId: repeated.traceId, spanId: repeated.entryId }],
      }),
    });
  });
}

/** Runs, from each take to the next wait or the end. */
function followAdvances(write: Write, rules: TraceRules, underWay: UnderWay): void {
  const unwritten = new WeakMap<object, EndedSpan[]>();

  telemetry.advance.bind(underWay, ({ run, isFirstLeg }): OpenAdvance => {
    const spans: EndedSpan[] | undefined = isFirstLeg ? [] : undefined;
    return {
      trace: traceOfRun(run, rules),
      spanId: newSpanId(),
      startMs: nowMs(),
      write: spans ? (span) => void spans.push(span) : write,
      spans,
      executions: new Map(),
    };
  });
  telemetry.advanced.listen(({ advance, outcome, leg }) => {
    const opened = underWay.getStore();
    if (!isAdvance(opened) || !opened.trace.isSampled) return;
    opened.write({
      ...ended(opened),
      parentId: opened.trace.entryId,
      name: 'run',
      kind: advance.isFirstLeg ? SpanKind.INTERNAL : SpanKind.CONSUMER,
      attributes: { ...describeRun(advance.run), 'patchbay.run.status': outcome },
      error: outcome === 'failed' ? 'run_failed' : undefined,
    });
    if (leg && opened.spans) unwritten.set(leg, opened.spans);
  });
  telemetry.firstLeg.listen(({ leg }) => {
    for (const span of unwritten.get(leg) ?? []) write(span);
    unwritten.delete(leg);
  });
}

const describeRun = ({ id, workspaceId, workflowId, version, event }: ObservedRun): Attributes => ({
  'patchbay.run.id': id,
  'patchbay.event.id': event.id,
  'patchbay.workspace.id': workspaceId,
  'patchbay.workflow.id': workflowId,
  'patchbay.workflow.version': version,
});

function followExecutions(underWay: UnderWay): void {
  telemetry.execution.bind(underWay, (execution) => {
    const around = underWay.getStore();
    // Outside a run nothing is traced; unsampled operations only send trace headers.
    if (!isAdvance(around) || !around.trace.isSampled) return around ?? NOWHERE;
    const { trace, spanId: parentId, write, executions } = around;
    const opened = { trace, write, parentId, execution, spanId: newSpanId(), startMs: nowMs() };
    executions.set(execution.key, opened);
    return opened;
  });
  telemetry.task.listen(({ key, outcome, isError }) => {
    // The end is published in the context of the advance, not of the execution.
    const around = underWay.getStore();
    const opened = isAdvance(around) ? around.executions.get(key) : undefined;
    if (!isAdvance(around) || !opened) return;
    around.executions.delete(key);
    const { taskId, type, iteration, attempt } = opened.execution;
    opened.write({
      ...ended(opened),
      parentId: opened.parentId,
      name: `task ${type}`,
      attributes: {
        'patchbay.task.id': taskId,
        'patchbay.task.type': type,
        'patchbay.task.attempt': attempt,
        'patchbay.task.outcome': outcome,
        ...(iteration !== '' && { 'patchbay.task.iteration': iteration }),
      },
      error: isError ? outcome : undefined,
    });
  });
}
