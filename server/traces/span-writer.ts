// Spans are created when they end, with ids that were assigned at their start: until then a span only costs two ids.
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  createTraceState,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { type IdGenerator, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { VERSION } from '#lib/core/version.ts';
import type { Trace } from './trace-of-event.ts';

/** A span that has ended. Instants are milliseconds since 1970, with fractions. */
export interface EndedSpan {
  trace: Trace;
  spanId: string;
  /** Undefined: it is the first one of the trace. */
  parentId: string | undefined;
  name: string;
  kind?: SpanKind;
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** Why it failed, in a word (`error.type`). */
  error?: string | undefined;
  /** Of other traces. */
  links?: { traceId: string; spanId: string }[];
}

export { SpanKind };

/** Assigns the ids of the next span. */
class GivenIds implements IdGenerator {
  traceId = '';
  spanId = '';

  generateTraceId(): string {
    return this.traceId;
  }

  generateSpanId(): string {
    return this.spanId;
  }
}

export class SpanWriter {
  readonly #ids = new GivenIds();
  readonly #provider: TracerProvider;
  readonly #tracer;

  constructor(resource: Resource, processor: SpanProcessor) {
    this.#provider = new TracerProvider({ resource, idGenerator: this.#ids, spanProcessors: [processor] });
    this.#tracer = this.#provider.getTracer('patchbay', VERSION);
  }

  /** Passes a span of a sampled trace to the exporter. Never waits. */
  write({
    trace: of,
    parentId,
    spanId,
    name,
    kind,
    startMs,
    endMs,
    attributes,
    error,
    links,
  }: EndedSpan): void {
    this.#ids.traceId = of.traceId;
    this.#ids.spanId = spanId;
    const parent =
      parentId === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, contextOf(of, parentId, parentId === of.caller?.spanId));
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind ?? SpanKind.INTERNAL,
        startTime: startMs,
        attributes: error === undefined ? attributes : { ...attributes, 'error.type': error },
        ...(links && { links: links.map(toLink) }),
      },
      parent,
    );
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(Math.max(startMs, endMs));
  }

  /** Sends the remaining spans. */
  close(): Promise<void> {
    return this.#provider.shutdown();
  }
}

const contextOf = ({ traceId, caller }: Trace, spanId: string, isRemote: boolean): SpanContext => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
  isRemote,
  ...(caller?.state !== undefined && { traceState: createTraceState(caller.state) }),
});

const toLink = (context: { traceId: string; spanId: string }): Link => ({
  context: { ...context, traceFlags: TraceFlags.SAMPLED, isRemote: true },
});

const POOL_BYTES = 8 * 512;
const SPAN_ID_BYTES = 8;
let pool = Buffer.alloc(0);
let used = 0;

/** A new id, generated with many others at once. */
export function newSpanId(): string {
  if (used >= pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  const id = pool.toString('hex', used, used + SPAN_ID_BYTES);
  used += SPAN_ID_BYTES;
  return id === '0000000000000000' ? newSpanId() : id;
}

const REMEASURE_MS = 60_000;
let offsetMs = Date.now() - performance.now();
let measuredAtMs = performance.now();

/** Milliseconds since 1970 with fractions: monotonic between calls, and synchronized with the machine's clock. */
export function nowMs(): number {
  const steadyMs = performance.now();
  if (steadyMs - measuredAtMs > REMEASURE_MS) {
    offsetMs = Date.now() - steadyMs;
    measuredAtMs = steadyMs;
  }
  return offsetMs + steadyMs;
}
