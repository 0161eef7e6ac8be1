// Outgoing requests: of tasks to user-given URLs, and calls of the messaging platform.
import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import { type OutgoingRequest, telemetry } from '#lib/core/telemetry.ts';
import { writeTraceHeaders } from '#lib/core/trace-headers.ts';
import { newSpanId, nowMs, SpanKind } from './span-writer.ts';
import { ended, NOWHERE, type OpenChild, type UnderWay } from './under-way.ts';

/** Each request, except redirects, with the headers of its trace. */
export function followRequests(underWay: UnderWay): void {
  const open = new WeakMap<OutgoingRequest, OpenChild>();
  telemetry.request.listen((request) => {
    const around = underWay.getStore();
    if (!around || around === NOWHERE) return;
    const { trace, write, spanId: parentId } = around;
    const opened = { trace, write, parentId, spanId: newSpanId(), startMs: nowMs() };
    if (trace.isSampled) open.set(request, opened);
    const { traceId, isSampled, caller } = trace;
    request.traceHeaders = writeTraceHeaders({
      traceId,
      spanId: opened.spanId,
      isSampled,
      state: caller?.state,
    });
  });
  telemetry.requested.listen(({ request, status, error }) => {
    const opened = open.get(request);
    if (!opened) return;
    const { method, url, resends } = request;
    opened.write({
      ...ended(opened),
      parentId: opened.parentId,
      name: method,
      kind: SpanKind.CLIENT,
      attributes: {
        [ATTR_HTTP_REQUEST_METHOD]: method,
        ...describeHost(url),
        ...(status !== undefined && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: status }),
        ...(resends > 0 && { [ATTR_HTTP_REQUEST_RESEND_COUNT]: resends }),
      },
      error: error ?? (status !== undefined && status >= 400 ? String(status) : undefined),
    });
  });
}

/** Path and query may contain secrets and customers' numbers. */
const describeHost = ({ protocol, hostname, port }: URL): Attributes => ({
  [ATTR_URL_SCHEME]: protocol.slice(0, -1),
  [ATTR_SERVER_ADDRESS]: hostname,
  [ATTR_SERVER_PORT]: Number(port) || (protocol === 'https:' ? 443 : 80),
});

/** Calls of the platform, without trace headers. */
export function followPlatformCalls(underWay: UnderWay): void {
  telemetry.platformCall.listen(({ operation, outcome, code, url, seconds }) => {
    const around = underWay.getStore();
    if (!around?.trace.isSampled) return;
    const endMs = nowMs();
    around.write({
      trace: around.trace,
      spanId: newSpanId(),
      parentId: around.spanId,
      name: `platform ${operation}`,
      kind: SpanKind.CLIENT,
      startMs: endMs - seconds * 1000,
      endMs,
      attributes: {
        [ATTR_HTTP_REQUEST_METHOD]: operation.split(' ', 1)[0],
        ...describeHost(url),
        ...(code !== undefined && { 'patchbay.platform.error_code': code }),
      },
      error: outcome === 'ok' ? undefined : outcome,
    });
  });
}
