import type { Context } from '#lib/identity/context.ts';
import type { Page, PageInput } from '#lib/identity/paging/paging.ts';
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from './event-row.ts';
import { EVENT_OUTCOMES, type EventOutcome } from '#lib/engine/event-types.ts';
import type { EventSummary } from './schema.ts';
import { searchByEvent, type SearchedTable } from './search-by-event.ts';

export interface ListEventsInput extends PageInput {
  workflow_id?: string | undefined;
  outcome?: EventOutcome | undefined;
}

export const EVENTS: SearchedTable = {
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
  idOfOther: 'select r.event_id from runs r where r.id = $1 and r.workspace_id = $2',
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
