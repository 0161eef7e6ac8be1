import * as z from 'zod';
import { EVENT_KINDS, EVENT_OUTCOMES } from '#lib/engine/event-types.ts';

export const eventSummarySchema = z
  .strictObject({
    id: z.string(),
    workflow_id: z
      .string()
      .nullable()
      .meta({ description: 'Null for a notification of the platform that no workflow got.' }),
    connection_id: z
      .string()
      .nullable()
      .meta({ description: 'The connection that the platform sent a notification to.' }),
    kind: z.enum(EVENT_KINDS),
    outcome: z.enum(EVENT_OUTCOMES),
    reason: z.string().nullable().meta({ description: 'Why no run started.' }),
    received_at: z.string(),
    body_bytes: z
      .int()
      .nullable()
      .meta({ description: 'Size of the stored body; null if it was not stored.' }),
    body_removed_at: z.string().nullable().meta({
      description: 'When body and headers were removed after their retention; null: they were not.',
    }),
    run_id: z.string().nullable(),
    replay_of: z.string().nullable().meta({ description: 'The event that was replayed.' }),
    duplicate_of: z
      .string()
      .nullable()
      .meta({ description: 'The first event with the same key, of a duplicate: that one started the run.' }),
    replayed: z.boolean().meta({ description: 'Whether it has been replayed.' }),
  })
  .meta({ id: 'EventSummary' });

export const eventSchema = z
  .strictObject({
    ...eventSummarySchema.shape,
    headers: z.record(z.string(), z.string()).meta({ description: 'Values that may be secrets are masked.' }),
    body: z.unknown().meta({
      description: 'The JSON value, or the text of a body that is not JSON; null if it was not stored.',
    }),
    body_format: z.enum(['json', 'text', 'binary', 'none']),
    body_base64: z.string().optional().meta({ description: 'Instead of body where it is not UTF-8.' }),
  })
  .meta({ id: 'Event' });

export const replayEventSchema = z.strictObject({
  repeat: z.boolean().default(false).meta({
    description:
      'Also replay an event that already ran or was replayed: its requests and messages are sent again.',
  }),
});

export type EventSummary = z.infer<typeof eventSummarySchema>;
export type Event = z.infer<typeof eventSchema>;
export type ReplayEventInput = z.output<typeof replayEventSchema>;
