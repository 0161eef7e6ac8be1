// Data of the events' screens. Instants are ISO 8601.
import { type EventKind, type EventOutcome, NEVER_REPLAYED } from '#lib/engine/event-types.ts';

export interface EventListRow {
  id: string;
  /** Null: a notification that no workflow got. */
  workflowId: string | null;
  connectionId: string | null;
  kind: EventKind;
  outcome: EventOutcome;
  reason: string | null;
  receivedAt: string;
  bodyBytes: number | null;
  /** When retention removed body and headers; null: it did not. */
  bodyRemovedAt: string | null;
  runId: string | null;
  /** It is a replay of another event. */
  isReplay: boolean;
  /** It was replayed. */
  isReplayed: boolean;
  /** Of a delivery receipt: the platform's id of its message. */
  receiptOf: string | null;
}

export interface EventView extends EventListRow {
  replayOf: string | null;
  /** The first event with its key, of a duplicate. */
  duplicateOf: string | null;
  /** Of the connection that received it; null: none, or it was deleted. */
  connectionName: string | null;
  /** Secrets are masked. */
  headers: [name: string, value: string][];
  body:
    | { format: 'json'; text: string; isCut: boolean }
    | { format: 'text'; text: string }
    | { format: 'binary'; text: string }
    | { format: 'none' };
}

/** Whether an event can start a workflow: its own, or one that now subscribes to such a notification. */
export const isReplayable = ({ outcome, kind, workflowId, bodyRemovedAt }: EventListRow): boolean =>
  !NEVER_REPLAYED.has(outcome) && bodyRemovedAt === null && (workflowId !== null || kind === 'notification');
