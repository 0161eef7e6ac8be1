import * as z from 'zod';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { findReceipts, getEvent, searchEvents } from '#lib/events/read-events.ts';
import { messageOfReceipt } from '#lib/messaging/notifications/outcome-reasons.ts';
import type { Event, EventSummary } from '#lib/events/schema.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { hidesNumbersFrom, recordMask } from '#lib/messaging/mask.ts';
import type { EventListRow, EventView } from './event-types.ts';
import { listFilterFields, toListInput, withWorkflowNames } from './list-filter.ts';
import { findConnectionName } from './list-picker-options.ts';
import type { ListPage, WorkflowOfRow } from './list-types.ts';

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
  const receipts = await findReceipts(ctx, data);
  const rows = data.map((event) => toEventRow(event, receipts.get(event.id) ?? null));
  return { data: await withWorkflowNames(ctx, rows), ...rest };
}

const toEventRow = (event: EventSummary, receiptOf: string | null): EventListRow => ({
  id: event.id,
  workflowId: event.workflow_id,
  connectionId: event.connection_id,
  kind: event.kind,
  outcome: event.outcome,
  reason: event.reason,
  receivedAt: event.received_at,
  bodyBytes: event.body_bytes,
  bodyRemovedAt: event.body_removed_at,
  runId: event.run_id,
  isReplay: event.replay_of !== null,
  isReplayed: event.replayed,
  receiptOf: receiptOf || null,
});

const MAX_SHOWN_CHARACTERS = 400_000;

/** An event for its page; viewers get customers' numbers masked. @throws AppError `not_found` */
export async function readEvent(ctx: MemberContext, id: string): Promise<EventView> {
  const event = await getEvent(ctx, { id });
  const clean = recordMask(ctx);
  return {
    ...toEventRow(event, event.kind === 'notification' ? messageOfReceipt(event.body) : null),
    replayOf: event.replay_of,
    duplicateOf: event.duplicate_of,
    connectionName: event.connection_id === null ? null : await findConnectionName(ctx, event.connection_id),
    headers: Object.entries(event.headers).sort(([a], [b]) => a.localeCompare(b)),
    body: toShownBody(event, clean, hidesNumbersFrom(ctx)),
  };
}

function toShownBody(
  { body, body_format, body_base64 }: Event,
  clean: (text: string) => string,
  hidesNumbers: boolean,
): EventView['body'] {
  switch (body_format) {
    case 'json': {
      const text = clean(JSON.stringify(body, null, 2));
      return {
        format: 'json',
        text: text.slice(0, MAX_SHOWN_CHARACTERS),
        isCut: text.length > MAX_SHOWN_CHARACTERS,
      };
    }
    case 'text':
      return { format: 'text', text: clean(typeof body === 'string' ? body : '') };
    case 'binary': {
      const base64 = body_base64 ?? '';
      // A number cannot be masked in base64.
      if (hidesNumbers)
        return { format: 'text', text: clean(Buffer.from(base64, 'base64').toString('utf8')) };
      return { format: 'binary', text: base64 };
    }
    case 'none':
      return { format: 'none' };
  }
}
