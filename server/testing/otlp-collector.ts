// An OpenTelemetry collector for traces: receives OTLP over HTTP in protobuf, and stores the spans.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'protobufjs';
import * as z from 'zod';

/** The part of opentelemetry/proto/trace/v1/trace.proto, and of what it imports, that is read here. */
const PROTO = `
syntax = "proto3";
message Export { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  repeated Link links = 13; Status status = 15;
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }`;

const Export = parse(PROTO, { keepCase: true }).root.lookupType('Export');

const hex = z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString('hex'));
const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((pairs) =>
    Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0] as string | number])),
  );
const nanos = z.string().transform((text) => Number(BigInt(text) / 1000n) / 1000);
const spanSchema = z.object({
  trace_id: hex,
  span_id: hex,
  trace_state: z.string().default(''),
  parent_span_id: hex.optional(),
  name: z.string(),
  kind: z.number(),
  start_time_unix_nano: nanos,
  end_time_unix_nano: nanos,
  attributes,
  links: z.array(z.object({ trace_id: hex, span_id: hex })).default([]),
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
});
const exportSchema = z.object({
  resource_spans: z
    .array(
      z.object({
        resource: z.object({ attributes }),
        scope_spans: z.array(z.object({ spans: z.array(spanSchema).default([]) })),
      }),
    )
    .default([]),
});

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty: the span is the first one of its trace. */
  parentId: string;
  state: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  isError: boolean;
  /** Milliseconds since 1970. */
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  resource: Record<string, string | number>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spans: CollectedSpan[];
  /** Headers of each request. */
  headers: IncomingMessage['headers'][];
  stop(): Promise<void>;
}

/** Starts one on a free port of loopback. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      headers.push(req.headers);
      const isTraces = req.method === 'POST' && req.url === '/v1/traces';
      if (isTraces) spans.push(...readSpans(Buffer.concat(chunks)));
      res.writeHead(isTraces ? 200 : 404, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function readSpans(body: Buffer): CollectedSpan[] {
  const plain: unknown = Export.toObject(Export.decode(body), { longs: String });
  return exportSchema.parse(plain).resource_spans.flatMap(({ resource, scope_spans }) =>
    scope_spans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.trace_id,
        spanId: span.span_id,
        parentId: span.parent_span_id ?? '',
        state: span.trace_state,
        name: span.name,
        kind: KINDS[span.kind] ?? 'internal',
        isError: span.status.code === 2,
        startMs: span.start_time_unix_nano,
        endMs: span.end_time_unix_nano,
        attributes: span.attributes,
        links: span.links.map((link) => ({ traceId: link.trace_id, spanId: link.span_id })),
        resource: resource.attributes,
      })),
  );
}
