import type { Context } from '#lib/identity/context.ts';
import { type SummaryRow, toSummary } from './event-row.ts';
import { EVENTS, type ListEventsInput } from './list-events.ts';
import type { EventSummary } from './schema.ts';
import { searchByEvent, type SearchedPage, type SearchInput } from './search-by-event.ts';

type SearchEventsInput = ListEventsInput & Pick<SearchInput, 'text' | 'hidesNumbers' | 'fromMs' | 'toMs'>;

/** A page of the workspace's events, by a text and a time too; what a text finds is said at `searchByEvent`. */
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
