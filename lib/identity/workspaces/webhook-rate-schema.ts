import * as z from 'zod';

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
