import * as z from 'zod';
import { isJsonObject } from '#lib/core/json/value.ts';
import { type ReadConversation, toSaidByCustomer } from '#lib/tasks/conversation.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { toText } from '#lib/variables/to-text.ts';
import { listMissingForCheck } from '#lib/webhooks/callers/caller-settings.ts';
import { listMissingForKey } from '#lib/webhooks/duplicates/duplicate-settings.ts';
import { triggerSettingsSchema } from '#lib/webhooks/trigger-settings.ts';
import { inboundWebhookKind } from './kind.ts';
import { messageStartShape } from './message-start.ts';

/** The customer's message that started the run, if any (docs/messaging.md, Notifications). */
export const readTriggerConversation: ReadConversation = ({ output }) => {
  if (!isJsonObject(output) || output['kind'] !== 'message') return undefined;
  const said = toSaidByCustomer(output, toText(output['message_id']));
  return said && { customer: toText(output['from']), messages: [said] };
};

/** The inbound webhook trigger (spec: Inbound Webhook Trigger Task). Its output is the body of the event. */
export const inboundWebhook = {
  ...inboundWebhookKind,
  settings: z
    .strictObject({ ...messageStartShape, ...triggerSettingsSchema.shape })
    .refine((settings) => settings.starts_on !== 'messages' || settings.app_connection_id.trim() !== '', {
      path: ['app_connection_id'],
      message: 'Select the connection whose messages start the workflow.',
    })
    .refine((settings) => settings.response_type !== 'redirect' || settings.redirect_url.trim() !== '', {
      path: ['redirect_url'],
      message: 'Enter a redirect URL.',
    })
    .superRefine((settings, context) => {
      for (const { path, message } of [...listMissingForCheck(settings), ...listMissingForKey(settings)])
        context.addIssue({ code: 'custom', path: [path], message });
    }),
  conversation: readTriggerConversation,
  outputs: z.looseObject({}),
} satisfies TaskDefinition;
