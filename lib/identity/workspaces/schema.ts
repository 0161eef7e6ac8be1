// Input of the workspace's settings: from the forms, and from the REST API.
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';

export const numberMaskingSchema = z.strictObject({ masksNumbers: z.boolean() });

export const twoFactorRequirementSchema = z
  .strictObject({ required: z.boolean() })
  .meta({ id: 'TwoFactorRequirement' });

export const workspaceNameSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'Use at most 100 characters.')
    .refine(isPlainName, CONTROLS_IN_NAME),
});

/** Of the browser; one that is not known is left out. */
export const browserZone = z.string().max(100).optional();

export const newWorkspaceSchema = workspaceNameSchema.extend({ zone: browserZone });

const MAX_REQUESTS_PER_SECOND = 100_000;
const PROBLEM = `Enter a whole number from 1 to ${MAX_REQUESTS_PER_SECOND.toLocaleString('en')}.`;

export const webhookRateSchema = z
  .strictObject({
    requests_per_second: z
      .int(PROBLEM)
      .min(1, PROBLEM)
      .max(MAX_REQUESTS_PER_SECOND, PROBLEM)
      .nullable()
      .meta({ description: 'Webhooks per second over the whole workspace; null: the server default.' }),
  })
  .meta({ id: 'WebhookRate' });

export type WebhookRate = z.infer<typeof webhookRateSchema>;

const MAX_RETENTION_DAYS = 36_500;
const DAYS_PROBLEM = `Enter a whole number of days from 1 to ${MAX_RETENTION_DAYS.toLocaleString('en')}, or nothing to keep it forever.`;

const days = (description: string) =>
  z
    .int(DAYS_PROBLEM)
    .min(1, DAYS_PROBLEM)
    .max(MAX_RETENTION_DAYS, DAYS_PROBLEM)
    .nullable()
    .meta({ description: `${description} Null: forever.` });

export const retentionSchema = z
  .strictObject({
    bodies_days: days(
      'Days until the contents of events and runs are removed: bodies and headers of events, and outputs of tasks. They are removed with their run at the latest.',
    ),
    runs_days: days('Days until runs are deleted, with their task runs and events.'),
    messages_days: days(
      'Days until the records of sent messages are deleted, with their delivery statuses. When a customer last wrote, and their number and user IDs, are deleted as long after the last time.',
    ),
    audit_days: days('Days until entries of the audit log are deleted.'),
  })
  .meta({ id: 'Retention' });

export type Retention = z.infer<typeof retentionSchema>;

/** Of new workspaces. */
export const RETENTION_DEFAULTS: Retention = {
  bodies_days: 30,
  runs_days: 90,
  messages_days: 90,
  audit_days: 400,
};

export const FOR_EVER: Retention = {
  bodies_days: null,
  runs_days: null,
  messages_days: null,
  audit_days: null,
};
