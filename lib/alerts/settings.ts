// What can be set about alerts, with its defaults. Parsed on the way in and out of the database.
import * as z from 'zod';
import { ALERT_KINDS } from './kinds.ts';

const minutes = z.int().min(1).max(1440);
const hours = z.int().min(1).max(720);

/** Thresholds of a workspace. */
export const alertSettingsSchema = z.strictObject({
  cooldown_minutes: minutes.default(60).meta({
    description: 'After a failure was told, further ones of the workflow are told together, once in so long.',
  }),
  silence_hours: hours.nullable().default(null).meta({
    description:
      'A workflow without events for so long is silent; null: learned from how often it was called.',
  }),
  connection_days: z.int().min(1).max(60).default(7).meta({
    description: 'How many days before a connection ends it is told.',
  }),
  queue_minutes: minutes.default(10).meta({
    description: 'A queue whose oldest job is older is told. Only of the first workspace.',
  }),
  disk_percent: z.int().min(1).max(50).default(10).meta({
    description: 'A disk with less free space is told. Only of the first workspace.',
  }),
});
export type AlertSettings = z.output<typeof alertSettingsSchema>;

/** What a workflow has otherwise than its workspace. */
export const workflowAlertSettingsSchema = z.strictObject({
  own: z
    .strictObject({ destination_ids: z.array(z.uuid()).max(50), kinds: z.array(z.enum(ALERT_KINDS)) })
    .nullable()
    .default(null)
    .meta({ description: 'Destinations and alerts of this workflow; null: the same as the workspace.' }),
  cooldown_minutes: minutes.nullable().default(null).meta({ description: 'null: as the workspace has it.' }),
  silence_hours: hours.nullable().default(null).meta({ description: 'null: as the workspace has it.' }),
});
export type WorkflowAlertSettings = z.output<typeof workflowAlertSettingsSchema>;
