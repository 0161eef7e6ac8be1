import * as z from 'zod';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';

/** Maximum number of matching events for one preview or replay. */
export const MAX_MATCHING = 2000;
const MAX_AT_ONCE = 100;

export const replayFilterSchema = z.strictObject({
  workflow_id: z.uuid().optional(),
  outcome: z.enum(EVENT_OUTCOMES).optional(),
  received_from: z.iso.datetime({ offset: true }).optional(),
  received_to: z.iso.datetime({ offset: true }).optional(),
});

export const replayMatchingSchema = replayFilterSchema.extend({
  limit: z.int().min(1).max(MAX_AT_ONCE).default(MAX_AT_ONCE).meta({
    description: 'How many events are replayed, the oldest first. Repeat the request until none is left.',
  }),
});

const count = (description: string) => z.int().meta({ description });

export const replayPreviewSchema = z
  .strictObject({
    new_events: count('Events that never ran: these are replayed.'),
    already_ran: count('Left out: events that already ran or were replayed.'),
    tests: count('Left out: requests to the test URL.'),
    receipts: count('Left out: delivery receipts.'),
    rejected: count('Left out: requests that were rejected or ignored.'),
    removed: count('Left out: events whose body was removed after its retention.'),
    is_complete: z.boolean().meta({
      description: `False where more than ${MAX_MATCHING.toLocaleString('en')} events match: the newest are counted.`,
    }),
    messages: count(
      'Messages that can leave: one for each sending task of the published version, whatever its branch.',
    ),
    people: count('Recipients of these messages that are known from the events.'),
    unknown_recipients: count('Messages whose recipient is known only when the workflow runs.'),
    has_loops: z.boolean().meta({ description: 'A sending task is in a loop: there can be more messages.' }),
  })
  .meta({ id: 'ReplayPreview' });

export const replayResultSchema = z
  .strictObject({
    replayed: z.array(
      z.strictObject({ event_id: z.string(), new_event_id: z.string(), run_id: z.string().nullable() }),
    ),
    failed: z.array(z.strictObject({ event_id: z.string(), message: z.string() })),
    remaining: count('New events that match and were not tried.'),
  })
  .meta({ id: 'ReplayResult' });

export type ReplayPreview = z.infer<typeof replayPreviewSchema>;
export type ReplayResult = z.infer<typeof replayResultSchema>;
