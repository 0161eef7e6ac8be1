// Settings of alerts, with their defaults. Parsed when read and written.
import * as z from 'zod';
import { ALERT_KINDS } from './kinds.ts';

const minutes = z.int().min(1).max(1440);
const hours = z.int().min(1).max(720);

/** Thresholds of a workspace. */
export const alertSettingsSchema = z.strictObject({
  cooldown_minutes: minutes.default(60).meta({
    description:
      'Minimum minutes between alerts about failed runs of a workflow, and between those about its undelivered messages.',
  }),
  silence_hours: hours.nullable().default(null).meta({
    description:
      'Alert after this many hours without events; null: learned from how often the workflow is called.',
  }),
  connection_days: z.int().min(1).max(60).default(7).meta({
    description: 'Days of notice before a connection expires.',
  }),
  queue_minutes: minutes.default(10).meta({
    description: 'Alert when the oldest job has waited longer. First workspace only.',
  }),
  disk_percent: z.int().min(1).max(50).default(10).meta({
    description: 'Alert when a disk has less free space. First workspace only.',
  }),
  database_gigabytes: z.int().min(1).max(100_000).default(50).meta({
    description: 'Alert when the database is larger. First workspace only.',
  }),
});
export type AlertSettings = z.output<typeof alertSettingsSchema>;

/** A workflow's deviations from its workspace. */
export const workflowAlertSettingsSchema = z.strictObject({
  own: z
    .strictObject({ destination_ids: z.array(z.uuid()).max(50), kinds: z.array(z.enum(ALERT_KINDS)) })
    .nullable()
    .default(null)
    .meta({ description: 'Destinations and alerts of this workflow; null: the same as the workspace.' }),
  cooldown_minutes: minutes.nullable().default(null).meta({ description: 'null: the workspace’s setting.' }),
  silence_hours: hours.nullable().default(null).meta({ description: 'null: the workspace’s setting.' }),
});
export type WorkflowAlertSettings = z.output<typeof workflowAlertSettingsSchema>;
