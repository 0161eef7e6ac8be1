import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { beforeEach, expect, test, vi } from 'vitest';
import { telemetry } from '#lib/core/telemetry.ts';
import { countExports } from './counting-exporter.ts';

const settings = {
  OTEL_BSP_SCHEDULE_DELAY: 1,
  OTEL_BSP_MAX_QUEUE_SIZE: 4,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 2,
  OTEL_BSP_EXPORT_TIMEOUT: 1000,
};
const span = { spanContext: () => ({ traceFlags: 1 }), resource: {} } as ReadableSpan;

let counts: Record<string, number> = {};
telemetry.spans.listen(({ outcome, count }) => (counts[outcome] = (counts[outcome] ?? 0) + count));
beforeEach(() => (counts = {}));

type Done = Parameters<SpanExporter['export']>[1];

function open() {
  const pending: Done[] = [];
  const logger = { info: vi.fn(), warn: vi.fn() };
  const exporter: SpanExporter = {
    export: (_spans, done) => void pending.push(done),
    shutdown: () => Promise.resolve(),
  };
  const processor = countExports(exporter, settings, logger);
  const end = (count: number): void => {
    for (let index = 0; index < count; index += 1) processor.onEnd(span);
  };
  return { end, pending, logger };
}

test('spans that find the queue full are left out and counted; nobody waits', async () => {
  const { end, pending } = open();
  end(10);
  expect(counts).toEqual({ queue_full: 6 });
  await vi.waitFor(() => expect(pending).toHaveLength(1));
  pending[0]?.({ code: 0 });
  expect(counts).toEqual({ queue_full: 6, exported: 2 });
  end(3);
  expect(counts['queue_full']).toBe(7);
});

test('an export that fails is counted; the log has when it began and when it was over', async () => {
  const { end, pending, logger } = open();
  const settle = async (result: Parameters<Done>[0]): Promise<void> => {
    end(2);
    await vi.waitFor(() => expect(pending).toHaveLength(1));
    pending.pop()?.(result);
  };
  await settle({ code: 1, error: new Error('refused') });
  await settle({ code: 1, error: new Error('refused') });
  expect(counts).toEqual({ export_failed: 4 });
  expect(logger.warn).toHaveBeenCalledOnce();
  await settle({ code: 0 });
  expect(logger.info).toHaveBeenCalledOnce();
});
