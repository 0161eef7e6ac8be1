import * as z from 'zod';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { triggerSettingsSchema } from '#lib/webhooks/trigger-settings.ts';
import { inboundWebhookKind } from './kind.ts';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhook = {
  ...inboundWebhookKind,
  settings: triggerSettingsSchema.refine(
    (settings) => settings.response_type !== 'redirect' || settings.redirect_url.trim() !== '',
    { path: ['redirect_url'], message: 'Enter a redirect URL.' },
  ),
  outputs: z.looseObject({}),
} satisfies TaskDefinition;
