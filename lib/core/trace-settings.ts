// OpenTelemetry's own environment variables, as far as Patchbay supports them (docs/operations.md, "Traces").
import * as z from 'zod';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const PROTOCOL = 'http/protobuf';

const count = z.coerce.number().int().positive();
const address = z.url({ protocol: /^https?$/, error: 'must be like http://collector:4318' });
const protocol = z.string().optional();

export const traceSettingsShape = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  /** Read by the exporter; listed here so that it may come from a file. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  OTEL_PROPAGATORS: z.string().default('tracecontext'),
  OTEL_BSP_SCHEDULE_DELAY: count.default(5000),
  OTEL_BSP_MAX_QUEUE_SIZE: count.default(2048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count.default(512),
  OTEL_BSP_EXPORT_TIMEOUT: count.default(30_000),
};

export type TraceSettings = z.output<z.ZodObject<typeof traceSettingsShape>>;

/** Whether spans are created: an exporter or an endpoint is configured, and traces are not disabled. */
export function makesTraces(settings: TraceSettings): boolean {
  if (settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  if (settings.OTEL_TRACES_EXPORTER !== undefined) return settings.OTEL_TRACES_EXPORTER === 'otlp';
  return (
    settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined
  );
}

/** Whether callers' `traceparent` is read and forwarded, with or without spans of our own. */
export const passesTraces = ({ OTEL_PROPAGATORS: names }: Pick<TraceSettings, 'OTEL_PROPAGATORS'>): boolean =>
  names.split(',').some((name) => name.trim() === 'tracecontext');

/** The share of `OTEL_TRACES_SAMPLER_ARG`, from 0 to 1; NaN where it is none. */
export function samplingRatio({
  OTEL_TRACES_SAMPLER_ARG: text = '1',
}: Pick<TraceSettings, 'OTEL_TRACES_SAMPLER_ARG'>): number {
  const ratio = text.trim() === '' ? NaN : Number(text);
  return ratio >= 0 && ratio <= 1 ? ratio : NaN;
}

/** Lists settings that would not work; nothing where traces are off. */
export function checkTraceSettings(
  settings: TraceSettings,
  report: (name: string, message: string) => void,
): void {
  if (!makesTraces(settings)) return;
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] as const)
    if (![undefined, PROTOCOL].includes(settings[name]))
      report(name, `must be ${PROTOCOL}: no other protocol is supported`);
  if (settings.OTEL_TRACES_SAMPLER.endsWith('ratio') && Number.isNaN(samplingRatio(settings)))
    report('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
}
