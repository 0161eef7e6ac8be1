import * as z from 'zod';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { listMissingForCheck } from '#lib/webhooks/callers/caller-settings.ts';
import { triggerSettingsSchema } from '#lib/webhooks/trigger-settings.ts';
import { readTriggerConversation } from './conversation.ts';
import { inboundWebhookKind } from './kind.ts';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhook = {
  ...inboundWebhookKind,
  settings: triggerSettingsSchema
    .refine((settings) => settings.response_type !== 'redirect' || settings.redirect_url.trim() !== '', {
      path: ['redirect_url'],
      message: 'Enter a redirect URL.',
    })
    .superRefine((settings, context) => {
      for (const { path, message } of listMissingForCheck(settings))
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  conversation: readTriggerConversation,
  outputs: z.looseObject({}),
} satisfies TaskDefinition;
