import * as z from 'zod';
import { CHANNELS } from './alert-types.ts';
import { ALERT_KINDS } from './kinds.ts';

/** An alert as the API shows it: `Alert` of alert-types.ts. */
export const alertSchema = z.strictObject({
  id: z.uuid(),
  kind: z.enum(ALERT_KINDS),
  title: z.string(),
  paragraphs: z.array(z.string()).meta({ description: 'What happened, where, and what to do.' }),
  link: z.strictObject({ label: z.string(), path: z.string() }),
  items: z
    .array(z.strictObject({ text: z.string(), path: z.string() }))
    .meta({ description: 'For a digest: its alerts. Each is in the list, too.' }),
  workflow_id: z.uuid().nullable(),
  is_test: z.boolean(),
  created_at: z.string(),
  deliveries: z.array(
    z.strictObject({
      id: z.uuid(),
      channel: z.enum(CHANNELS),
      target: z.string(),
      state: z.enum(['waiting', 'held', 'delivered', 'failed']).meta({
        description: '`held`: the recipient got many alerts just now, and gets it with the next digest.',
      }),
      in_digest: z.boolean().meta({ description: 'It was sent in a digest.' }),
      problem: z.string().nullable(),
      attempts: z.int(),
      delivered_at: z.string().nullable(),
    }),
  ),
});
