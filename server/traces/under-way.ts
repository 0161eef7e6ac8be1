// Open spans of the process. Nested operations find theirs by the asynchronous context.
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
  /** Executions in progress, by their keys. */
  executions: Map<object, OpenExecution>;
}

export type UnderWay = AsyncLocalStorage<Open>;

export const isAdvance = (open: Open | undefined): open is OpenAdvance =>
  open !== undefined && 'executions' in open;

const NO_TRACE: Trace = { traceId: '', entryId: undefined, caller: undefined, isSampled: false };
/** Outside every run. */
export const NOWHERE: Open = { trace: NO_TRACE, spanId: '', startMs: 0, write: () => undefined };

/** The start data of a span that ends now. */
export const ended = ({ trace, spanId, startMs }: Open) => ({ trace, spanId, startMs, endMs: nowMs() });
