// Exports spans: in batches that nothing waits for, limited in number. Dropped ones are counted.
import type { Logger } from 'pino';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { telemetry } from '#lib/core/telemetry.ts';
import type { TraceSettings } from '#lib/core/trace-settings.ts';

type Batching = Pick<
  TraceSettings,
  | 'OTEL_BSP_SCHEDULE_DELAY'
  | 'OTEL_BSP_MAX_QUEUE_SIZE'
  | 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'
  | 'OTEL_BSP_EXPORT_TIMEOUT'
>;

/** `ExportResultCode.SUCCESS` of @opentelemetry/core, which is a separate package. */
const SUCCESS = 0;

/**
 * Batches spans for an exporter, and publishes the outcome of each. The log has the beginning and the end of a collector's
 * outage.
 */
export function countExports(
  exporter: SpanExporter,
  settings: Batching,
  logger: Pick<Logger, 'info' | 'warn'>,
): SpanProcessor {
  const maxPending = settings.OTEL_BSP_MAX_QUEUE_SIZE;
  let pending = 0;
  let isFailing = false;
  const settle = (count: number, error: Error | undefined): void => {
    pending -= count;
    telemetry.spans.tell({ outcome: error ? 'export_failed' : 'exported', count });
    if (error && !isFailing) logger.warn({ problem: error.message }, 'Spans could not be exported');
    if (!error && isFailing) logger.info('Spans are exported again');
    isFailing = error !== undefined;
  };
  const counted: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        settle(
          spans.length,
          Number(result.code) === SUCCESS ? undefined : (result.error ?? new Error('unknown')),
        );
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counted,
    // It never drops spans: those beyond its limit are left out below, and counted.
    maxQueueSize: maxPending + settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    maxExportBatchSize: settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
    exportTimeoutMillis: settings.OTEL_BSP_EXPORT_TIMEOUT,
  });
  return {
    onStart: () => undefined,
    onEnd(span: ReadableSpan) {
      if (pending >= maxPending) return telemetry.spans.tell({ outcome: 'queue_full', count: 1 });
      pending += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}
