// OpenTelemetry, in a separate bundle that is only loaded with traces enabled (server/start-traces.ts).
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import type { Queryable } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { passesTraces, samplingRatio, type TraceSettings } from '#lib/core/trace-settings.ts';
import { VERSION } from '#lib/core/version.ts';
import { countExports } from './traces/counting-exporter.ts';
import { followProcess } from './traces/follow.ts';
import { followStatuses } from './traces/follow-statuses.ts';
import { createSample } from './traces/sample.ts';
import { type EndedSpan, SpanWriter } from './traces/span-writer.ts';

export interface TracesOptions {
  part: 'web' | 'worker';
  settings: TraceSettings;
  /** For look-ups of runs, outside the hot path. */
  pool: Queryable;
  logger: Logger;
}

/** Creates spans from the process's telemetry, until it is closed. */
export function openTraces({ part, settings, pool, logger }: TracesOptions): { close(): Promise<void> } {
  const own = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: 'patchbay',
    [ATTR_SERVICE_VERSION]: VERSION,
    'service.instance.id': newId(),
    'process.pid': process.pid,
    'patchbay.process': part,
  });
  // The exporter reads the variables for endpoint, headers, compression, timeout and certificates.
  const processor = countExports(new OTLPTraceExporter(), settings, logger);
  const writer = new SpanWriter(own.merge(detectResources({ detectors: [envDetector] })), processor);
  const rules = {
    sample: createSample(settings.OTEL_TRACES_SAMPLER, samplingRatio(settings)),
    readsCallers: passesTraces(settings),
  };
  const write = (span: EndedSpan): void => writer.write(span);
  followProcess(write, rules);
  followStatuses({ pool, logger, rules, write });
  return { close: () => writer.close() };
}
