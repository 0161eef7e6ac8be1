import * as z from 'zod';
import type { EventListRow } from '#lib/screens/event-types.ts';
import type { ListPage, WorkflowOfRow } from './list-types.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import type { EventSummary } from '#lib/events/schema.ts';
import { searchEvents } from '#lib/events/search-events.ts';
import { hidesNumbersFrom } from '#lib/messaging/mask.ts';
import { withWorkflowNames } from '#lib/screens/with-workflow-names.ts';
import { listFilterFields, toListInput } from '#lib/screens/list-filter.ts';

/** The URL filters of the events list; invalid values count as absent. */
export const eventFilterSchema = z.object({
  ...listFilterFields,
  outcome: z.enum(EVENT_OUTCOMES).optional().catch(undefined),
});

/** A page of matching events. */
export async function readEvents(
  ctx: Pick<MemberContext, 'role' | 'masksNumbers'> & Parameters<typeof searchEvents>[0],
  filter: z.output<typeof eventFilterSchema>,
): Promise<ListPage<EventListRow & WorkflowOfRow>> {
  const { data, ...rest } = await searchEvents(ctx, {
    ...toListInput(filter),
    outcome: filter.outcome,
    hidesNumbers: hidesNumbersFrom(ctx),
  });
  return { data: await withWorkflowNames(ctx, data.map(toEventRow)), ...rest };
}

export const toEventRow = (event: EventSummary): EventListRow => ({
  id: event.id,
  workflowId: event.workflow_id,
  connectionId: event.connection_id,
  kind: event.kind,
  outcome: event.outcome,
  reason: event.reason,
  receivedAt: event.received_at,
  bodyBytes: event.body_bytes,
  runId: event.run_id,
  isReplay: event.replay_of !== null,
  isReplayed: event.replayed,
});
