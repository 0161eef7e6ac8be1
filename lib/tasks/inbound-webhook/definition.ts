import * as z from 'zod';
import { readTriggerConversation } from '#lib/tasks/conversation.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { checkTriggerSettings, triggerSettingsSchema } from '#lib/webhooks/trigger-settings.ts';
import { inboundWebhookKind } from './kind.ts';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhook = {
  ...inboundWebhookKind,
  settings: triggerSettingsSchema.superRefine(checkTriggerSettings),
  conversation: readTriggerConversation,
  outputs: z.looseObject({}),
} satisfies TaskDefinition;
