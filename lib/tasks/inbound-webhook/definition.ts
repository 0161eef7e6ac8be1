import * as z from 'zod';
import { readTriggerConversation } from '#lib/tasks/conversation.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { checkTriggerSettings, triggerSettingsSchema } from '#lib/webhooks/trigger-settings.ts';
import { inboundWebhookKind } from './kind.ts';

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhook = {
  ...inboundWebhookKind,
  settings: triggerSettingsSchema.superRefine(checkTriggerSettings),
  conversation: readTriggerConversation,
  outputs: z.looseObject({}),
} satisfies TaskDefinition;

export const inboundWebhookExample: TaskExample = {
  says: 'Answers the caller with the number of the order.',
  event: { order: { number: 'A-1001', total: 184.35 } },
  settings: { response_body: '{"status": "received", "order": "{{order.number}}"}' },
  output: { status: 'received', order: 'A-1001' },
};
