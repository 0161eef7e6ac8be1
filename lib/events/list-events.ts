import type { Context } from '#lib/workspaces/context.ts';
import { listNewest } from '#lib/workspaces/list-newest.ts';
import type { Page, PageInput } from '#lib/workspaces/paging.ts';
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from './event-row.ts';
import type { EventOutcome } from './event-types.ts';
import type { EventSummary } from './schema.ts';
import type { SearchedTable } from './search-by-event.ts';

export interface ListEventsInput extends PageInput {
  workflow_id?: string | undefined;
  outcome?: EventOutcome | undefined;
}

/** Those without a run are few among many. */
const WITHOUT_RUN = 'e.run_id is null';

export const EVENTS: SearchedTable = {
  alias: 'e',
  name: 'events',
  columns: SUMMARY_COLUMNS,
  stateColumn: 'outcome',
  indexedStates: {
    tested: WITHOUT_RUN,
    not_active: WITHOUT_RUN,
    response_failed: WITHOUT_RUN,
    not_forwarded: WITHOUT_RUN,
    rejected: WITHOUT_RUN,
  },
  hasRowsWithoutWorkflow: true,
  eventId: 'e.id',
  idOfOther: 'select r.event_id from runs r where r.id = $1 and r.workspace_id = $2',
};

/** The workspace's events, newest first; those of deleted workflows too. */
export const listEvents = (
  ctx: Context,
  { workflow_id, outcome, ...page }: ListEventsInput,
): Promise<Page<EventSummary>> =>
  listNewest<SummaryRow, EventSummary>(
    ctx,
    EVENTS,
    { ...page, workflowId: workflow_id, state: outcome },
    toSummary,
  );
