// An event and the outputs of its run's tasks, which the editor uses as a sample. JSON is passed as text: numbers keep their
// digits.

import type { EventKind } from '#lib/engine/event-types.ts';

export interface SampleTask {
  taskId: number;
  /** The JSON of the output; undefined when there was none. */
  outputText: string | undefined;
  run: boolean | undefined;
  runText: string | undefined;
}

export interface Sample {
  eventId: string;
  kind: EventKind;
  /** ISO 8601. */
  receivedAt: string;
  /** The body as JSON text. */
  bodyText: string;
  headers: Record<string, string>;
  tasks: SampleTask[];
}

/** A request in the list of the trigger's panel. */
export interface ListenedEvent {
  id: string;
  kind: EventKind;
  outcome: string;
  reason: string | null;
  receivedAt: string;
  runId: string | null;
}

/** Result of trying one task. */
export type TryResult =
  | { kind: 'asks'; question: string }
  | { kind: 'succeeded'; runText: string; branch: string | undefined; outputText: string }
  | { kind: 'failed'; code: string; message: string; detailsText: string | undefined };
