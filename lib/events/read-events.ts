import { sql } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { EVENT_OUTCOMES, type EventOutcome } from '#lib/engine/event-types.ts';
import { type NewestInput, newestRows } from '#lib/engine/store/list-newest.ts';
import type { Context } from '#lib/identity/context.ts';
import { explainMissing } from '#lib/identity/workspaces/retention.ts';
import { messageOfReceipt } from '#lib/messaging/notifications/outcome-reasons.ts';
import type { Page, PageInput } from '#lib/core/db/paging.ts';
import {
  type EventRow,
  readBody,
  SUMMARY_COLUMNS,
  type SummaryRow,
  toEvent,
  toSummary,
} from './event-row.ts';
import type { Event, EventSummary } from './schema.ts';
import { searchByEvent, type SearchedPage, type SearchedTable, type SearchInput } from './search-by-event.ts';

export interface ListEventsInput extends PageInput {
  workflow_id?: string | undefined;
  outcome?: EventOutcome | undefined;
}

const EVENTS: SearchedTable = {
  alias: 'e',
  name: 'events',
  columns: SUMMARY_COLUMNS,
  stateColumn: 'outcome',
  rare: {
    states: EVENT_OUTCOMES.filter((outcome) => outcome !== 'triggered'),
    column: 'outcome',
    condition: `e.outcome <> 'triggered'`,
  },
  eventId: 'e.id',
  idOfOther: (id, workspaceId) =>
    sql`select r.event_id from runs r where r.id = ${id} and r.workspace_id = ${workspaceId}`,
  idsOfEvents: (events) => sql`select event_id as id from (${events}) keyed`,
  idsOfRuns: (runs) => sql`select r.event_id as id from (${runs}) listed cross join lateral (
    select event_id from runs where id = listed.id limit 1) r`,
  idsOfDocuments: (ids) => sql`select unnest(${sql.param(ids)}::uuid[]) as id`,
};

/** The workspace's events, newest first, including those of deleted workflows. A page may be short: see `searchByEvent`. */
export async function listEvents(
  ctx: Context,
  { workflow_id, outcome, ...page }: ListEventsInput,
): Promise<Page<EventSummary>> {
  const input = { ...page, workflowId: workflow_id, state: outcome, hidesNumbers: false };
  const { data, next_cursor } = await searchByEvent<SummaryRow, EventSummary>(ctx, EVENTS, input, toSummary);
  return { data, next_cursor };
}

type SearchEventsInput = ListEventsInput & Pick<SearchInput, 'text' | 'hidesNumbers' | 'fromMs' | 'toMs'>;

/** A page of the workspace's events, filtered by text and time; see `searchByEvent`. */
export const searchEvents = (
  ctx: Context,
  { workflow_id, outcome, ...input }: SearchEventsInput,
): Promise<SearchedPage<EventSummary>> =>
  searchByEvent<SummaryRow, EventSummary>(
    ctx,
    EVENTS,
    { ...input, workflowId: workflow_id, state: outcome },
    toSummary,
  );

/** No receipt is longer. */
const MAX_RECEIPT_BYTES = 65_536;

/** The delivery receipts among events, with the platform's id of each one's message; empty: unknown. */
export async function findReceipts(
  ctx: Context,
  events: readonly EventSummary[],
): Promise<Map<string, string>> {
  const ids = events.filter(({ kind }) => kind === 'notification').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await ctx.db.$client.query<{ id: string; body: Buffer | null }>(
    `select id, body from events
     where id = any($1::uuid[]) and workspace_id = $2 and octet_length(body) <= ${MAX_RECEIPT_BYTES}`,
    [ids, ctx.workspaceId],
  );
  return new Map(
    rows.flatMap(({ id, body }) => {
      const messageId = messageOfReceipt(readBody(body).body);
      return messageId === null ? [] : [[id, messageId] as const];
    }),
  );
}

/**
 * Events with headers and bodies, newest first: at most `limit`, and only as many as have `maxBodyBytes` together, at least one.
 * Empty: there are no more.
 */
export async function listWholeEvents(
  ctx: Context,
  input: NewestInput,
  maxBodyBytes: number,
): Promise<Event[]> {
  const read = { columns: 'e.id, coalesce(octet_length(e.body), 0) as size', rows: input.limit };
  const rows = await queryRows<EventRow>(
    ctx.db,
    sql`
with newest as materialized (
  ${newestRows(ctx, EVENTS, input, read)}
), measured as materialized (
  select id, row_number() over from_newest as place, sum(size) over from_newest as bytes
  from newest window from_newest as (order by id desc rows unbounded preceding)
)
select ${sql.raw(SUMMARY_COLUMNS)}, e.headers, e.body
from (select id from measured where place = 1 or bytes <= ${maxBodyBytes}) wanted
  cross join lateral (select * from events where id = wanted.id limit 1) e
order by e.id desc`,
  );
  return rows.map(toEvent);
}

const GET = `select ${SUMMARY_COLUMNS}, e.headers, e.body from events e where e.id = $1 and e.workspace_id = $2`;

/** An event with its headers and body. @throws AppError `not_found` */
export async function getEvent(ctx: Context, { id }: { id: string }): Promise<Event> {
  const { rows } = isId(id) ? await ctx.db.$client.query<EventRow>(GET, [id, ctx.workspaceId]) : { rows: [] };
  if (!rows[0]) throw await noSuchEvent(ctx, id);
  return toEvent(rows[0]);
}

const noSuchEvent = async (ctx: Context, id: string): Promise<AppError> =>
  new AppError('not_found', (await explainMissing(ctx, 'events', id)) ?? 'This event does not exist.');

/** Of an event whose body is asked for after its retention. */
export const BODY_REMOVED = 'The body of this event was removed after its retention.';

/** An event's body byte for byte; of an unreadable one the stored part. @throws AppError `not_found` */
export async function getEventBody(ctx: Context, { id }: { id: string }): Promise<Buffer> {
  const { rows } = isId(id)
    ? await ctx.db.$client.query<{ body: Buffer | null; body_removed_at: Date | null }>(
        'select body, body_removed_at from events where id = $1 and workspace_id = $2',
        [id, ctx.workspaceId],
      )
    : { rows: [] };
  if (!rows[0]) throw await noSuchEvent(ctx, id);
  if (rows[0].body_removed_at) throw new AppError('not_found', BODY_REMOVED);
  if (!rows[0].body) throw new AppError('not_found', 'The body of this event was too large to store.');
  return rows[0].body;
}
