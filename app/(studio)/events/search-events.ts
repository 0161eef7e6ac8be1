import * as z from 'zod';
import type { ListPage } from '#components/live/list-types.ts';
import type { EventListRow } from '#components/events/event-view-types.ts';
import { listEvents } from '#lib/events/list-events.ts';
import { EVENT_OUTCOMES } from '#lib/events/event-types.ts';
import type { EventSummary } from '#lib/events/schema.ts';
import { isId } from '#lib/ids.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { scanPages } from '../runs/scan-pages.ts';
import { timeRangeFields, toTimeRange } from '../runs/time-range.ts';
import { eventTextMatcher } from './event-text.ts';

const EVENTS_A_PAGE = 25;

/** The filters of the events list as its address has them; what cannot be read counts as absent. */
export const eventFilterSchema = z.object({
  workflow: z.string().refine(isId).optional().catch(undefined),
  outcome: z.enum(EVENT_OUTCOMES).optional().catch(undefined),
  text: z.string().trim().max(200).optional().catch(undefined),
  cursor: z.string().max(100).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(100).default(EVENTS_A_PAGE).catch(EVENTS_A_PAGE),
  ...timeRangeFields,
});

/** A page of events that match. */
export async function searchEvents(
  ctx: Context,
  filter: z.output<typeof eventFilterSchema>,
): Promise<ListPage<EventListRow>> {
  const holdsText = eventTextMatcher(ctx, filter.text);
  const { data, ...rest } = await scanPages<EventSummary>({
    list: (page) => listEvents(ctx, { ...page, workflow_id: filter.workflow, outcome: filter.outcome }),
    timeOf: (event) => event.received_at,
    matches: holdsText && ((event) => holdsText(event.id)),
    range: toTimeRange(filter),
    limit: filter.limit,
    cursor: filter.cursor,
  });
  return { data: data.map(toEventRow), ...rest };
}

export const toEventRow = (event: EventSummary): EventListRow => ({
  id: event.id,
  workflowId: event.workflow_id,
  kind: event.kind,
  outcome: event.outcome,
  reason: event.reason,
  receivedAt: event.received_at,
  bodyBytes: event.body_bytes,
  runId: event.run_id,
  isReplay: event.replay_of !== null,
});
