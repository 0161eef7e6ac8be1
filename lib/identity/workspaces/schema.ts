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
