// What is under way in the process: spans whose end is to come. What happens within one knows it by the context that it runs in.
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Execution } from '#lib/core/telemetry.ts';
import { type EndedSpan, nowMs } from './span-writer.ts';
import type { Trace } from './trace-of-event.ts';

export interface Open {
  trace: Trace;
  spanId: string;
  startMs: number;
  write: (span: EndedSpan) => void;
}

export interface OpenChild extends Open {
  parentId: string;
}

export interface OpenExecution extends OpenChild {
  execution: Execution;
}

export interface OpenAdvance extends Open {
  /** Of a first leg, until it is written. */
  spans: EndedSpan[] | undefined;
  /** Executions that are under way, by their keys. */
  executions: Map<object, OpenExecution>;
}

export type UnderWay = AsyncLocalStorage<Open>;

export const isAdvance = (open: Open | undefined): open is OpenAdvance =>
  open !== undefined && 'executions' in open;

const NO_TRACE: Trace = { traceId: '', entryId: undefined, caller: undefined, isSampled: false };
/** Outside of every run. */
export const NOWHERE: Open = { trace: NO_TRACE, spanId: '', startMs: 0, write: () => undefined };

/** What a span that ends now has of what it began with. */
export const ended = ({ trace, spanId, startMs }: Open) => ({ trace, spanId, startMs, endMs: nowMs() });
