import type { EventKind, EventOutcome } from '#lib/engine/event-types.ts';
import type { Event, EventSummary } from './schema.ts';
import { isUtf8 } from 'node:buffer';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { isSecretName } from '#lib/core/secret-names.ts';

/**
 * The columns of a summary, of the table `events` as `e`. The first replay is looked up with an inequality, because only the
 * index over replays can serve that, whatever the planner's statistics say.
 */
export const SUMMARY_COLUMNS = `e.id, e.workflow_id, e.connection_id, e.kind, e.outcome, e.reason, e.received_at,
  octet_length(e.body) as body_bytes, e.body_removed_at, e.run_id, e.replay_of, e.duplicate_of,
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
  body_removed_at: Date | null;
  run_id: string | null;
  replay_of: string | null;
  duplicate_of: string | null;
  replayed: boolean;
}

export interface EventRow extends SummaryRow {
  headers: Record<string, string>;
  body: Buffer | null;
}

export const toSummary = ({ received_at, body_removed_at, ...row }: SummaryRow): EventSummary => ({
  ...row,
  received_at: received_at.toISOString(),
  body_removed_at: body_removed_at?.toISOString() ?? null,
});

export const toEvent = ({ headers, body, ...row }: EventRow): Event => ({
  ...toSummary(row),
  headers: maskHeaders(headers),
  ...readBody(body),
});

export interface ShownBody {
  body: JsonValue;
  body_format: 'json' | 'text' | 'binary' | 'none';
  body_base64?: string;
}

/** A stored body for display: its JSON value with all digits, else its text, else its bytes in base64. */
export function readBody(bytes: Buffer | null): ShownBody {
  if (bytes === null) return { body: null, body_format: 'none' };
  try {
    return { body: parseJsonBytes(bytes), body_format: 'json' };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  if (isUtf8(bytes)) return { body: bytes.toString('utf8'), body_format: 'text' };
  return { body: null, body_format: 'binary', body_base64: bytes.toString('base64') };
}

const MASK = '••••';
const SHOWN_CHARACTERS = 4;
/** The end of a shorter value would reveal too much. */
const MIN_LENGTH_TO_SHOW = 20;

/** Headers for display: only the last four characters of values that could be secrets. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? mask(value) : value]),
  );
}

const mask = (value: string): string =>
  value.length < MIN_LENGTH_TO_SHOW ? MASK : MASK + value.slice(-SHOWN_CHARACTERS);
