import type { EventKind, EventOutcome } from '#lib/engine/event-types.ts';
import type { Event, EventSummary } from './schema.ts';
import { maskHeaders } from './mask-headers.ts';
import { readBody } from './read-body.ts';

/**
 * The columns of a summary, of the table `events` as `e`. The first replay is looked up with an inequality, because only the
 * index over replays can serve that, whatever the planner's statistics say.
 */
export const SUMMARY_COLUMNS = `e.id, e.workflow_id, e.connection_id, e.kind, e.outcome, e.reason, e.received_at,
  octet_length(e.body) as body_bytes, e.run_id, e.replay_of,
  coalesce(
    (select replay.replay_of from events replay where replay.replay_of >= e.id order by replay.replay_of limit 1) = e.id,
    false) as replayed`;

export interface SummaryRow {
  id: string;
  workflow_id: string | null;
  connection_id: string | null;
  kind: EventKind;
  outcome: EventOutcome;
  reason: string | null;
  received_at: Date;
  body_bytes: number | null;
  run_id: string | null;
  replay_of: string | null;
  replayed: boolean;
}

export interface EventRow extends SummaryRow {
  headers: Record<string, string>;
  body: Buffer | null;
}

export const toSummary = ({ received_at, ...row }: SummaryRow): EventSummary => ({
  ...row,
  received_at: received_at.toISOString(),
});

export const toEvent = ({ headers, body, ...row }: EventRow): Event => ({
  ...toSummary(row),
  headers: maskHeaders(headers),
  ...readBody(body),
});
