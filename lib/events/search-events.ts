import type { Context } from '#lib/identity/context.ts';
import { type SummaryRow, toSummary } from './event-row.ts';
import { EVENTS, type ListEventsInput } from './list-events.ts';
import type { EventSummary } from './schema.ts';
import { searchByEvent, type SearchedPage, type SearchInput } from './search-by-event.ts';

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
