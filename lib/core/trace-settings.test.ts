import { describe, expect, test } from 'vitest';
import { parseSettings } from './env.ts';
import { makesTraces, passesTraces } from './trace-settings.ts';

const DATABASE_URL = 'postgres://localhost/patchbay';
const settingsOf = (given: Record<string, string>) => parseSettings({ DATABASE_URL, ...given });
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('Traces', () => {
  test('are made where an endpoint or the exporter is named', () => {
    expect(makesTraces(settingsOf({}))).toBe(false);
    expect(makesTraces(settingsOf(ENDPOINT))).toBe(true);
    expect(makesTraces(settingsOf({ OTEL_TRACES_EXPORTER: 'otlp' }))).toBe(true);
  });

  test('are not where they are switched off', () => {
    expect(makesTraces(settingsOf({ ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }))).toBe(false);
    expect(makesTraces(settingsOf({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }))).toBe(false);
  });

  test('of callers are passed on unless the propagators leave them out', () => {
    expect(passesTraces(settingsOf({}))).toBe(true);
    expect(passesTraces(settingsOf({ OTEL_PROPAGATORS: 'b3, tracecontext' }))).toBe(true);
    expect(passesTraces(settingsOf({ OTEL_PROPAGATORS: 'none' }))).toBe(false);
  });
});

describe('A setting of traces that cannot be used', () => {
  test.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
  ])('is named: %s=%s', (name, value) => {
    expect(() => settingsOf({ ...ENDPOINT, [name]: value })).toThrow(name);
  });

  test.each(['1.5', '-1', 'half', ' '])('is named: a ratio of "%s"', (ratio) => {
    const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio };
    expect(() => settingsOf({ ...ENDPOINT, ...sampler })).toThrow('OTEL_TRACES_SAMPLER_ARG');
  });

  test('is no concern where no traces are made', () => {
    expect(() => settingsOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).not.toThrow();
  });
});
