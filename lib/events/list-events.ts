import type { Context } from '#lib/workspaces/context.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/workspaces/paging.ts';
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from './event-row.ts';
import type { EventOutcome, EventSummary } from './schema.ts';

export interface ListEventsInput extends PageInput {
  workflow_id?: string | undefined;
  outcome?: EventOutcome | undefined;
}

/** Each workflow's newest by the index over it, then the newest of these: nothing else is read. */
const OF_WORKFLOWS = `
select e.* from workflows w cross join lateral (
  select ${SUMMARY_COLUMNS} from events e
  where e.workflow_id = w.id and e.id < $2 and ($5::text is null or e.outcome = $5)
  order by e.id desc limit $3
) e
where w.workspace_id = $1 and ($4::uuid is null or w.id = $4)
order by e.id desc limit $3`;

/** Those without a run are few among many: they have an index of their own. */
const NOT_TRIGGERED = `
select ${SUMMARY_COLUMNS} from events e
where e.workspace_id = $1 and e.run_id is null and e.id < $2 and ($4::uuid is null or e.workflow_id = $4) and e.outcome = $5
order by e.id desc limit $3`;

/** The workspace's events, newest first; those of deleted workflows too. */
export async function listEvents(
  ctx: Context,
  { limit, cursor, workflow_id, outcome }: ListEventsInput,
): Promise<Page<EventSummary>> {
  const query = outcome === undefined || outcome === 'triggered' ? OF_WORKFLOWS : NOT_TRIGGERED;
  const values = [ctx.workspaceId, readCursor(cursor), limit + 1, workflow_id ?? null, outcome ?? null];
  const { rows } = await ctx.db.$client.query<SummaryRow>(query, values);
  return toPage(rows, limit, toSummary);
}
