import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '#lib/core/trace-settings.ts';
import type { Sample } from './trace-of-event.ts';

/**
 * OpenTelemetry's samplers by their names in `OTEL_TRACES_SAMPLER`. Each decides only by the trace's id and the caller, so that
 * all processes with the same settings decide equally.
 */
export function createSample(name: TraceSettings['OTEL_TRACES_SAMPLER'], ratio: number): Sample {
  const sampler = createSampler(name, ratio);
  return (traceId, caller) => {
    const parent = caller && {
      traceId,
      spanId: caller.spanId,
      traceFlags: caller.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      isRemote: true,
    };
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const { decision } = sampler.shouldSample(context, traceId, '', SpanKind.SERVER, {}, []);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
}

function createSampler(name: TraceSettings['OTEL_TRACES_SAMPLER'], ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}
