import { readTriggerConversation } from '#lib/tasks/conversation.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { EXAMPLE_CONNECTION, type TaskExample } from '#lib/tasks/task-example.ts';
import * as z from 'zod';
import { checkTriggerSettings, triggerSettingsSchema } from '#lib/webhooks/trigger-settings.ts';
import { messageTriggerKind } from './kind.ts';
import { messageStartShape } from './message-start.ts';

/** The workflow's URLs work, too: so it has their settings. */
export const messageTrigger = {
  ...messageTriggerKind,
  settings: z
    .strictObject({ ...messageStartShape, ...triggerSettingsSchema.shape })
    .refine((settings) => settings.app_connection_id.trim() !== '', {
      path: ['app_connection_id'],
      message: 'Select the connection whose messages start the workflow.',
    })
    .superRefine(checkTriggerSettings),
  conversation: readTriggerConversation,
  outputs: z.looseObject({}),
} satisfies TaskDefinition;

export const messageTriggerExample: TaskExample = {
  says: 'Starts when a customer writes a text with the word “table” to any number of a connection.',
  event: { kind: 'message', from: '15550102001', type: 'text', text: 'A table for two, please' },
  settings: { app_connection_id: EXAMPLE_CONNECTION, message_kinds: ['text'], words: ['table'] },
  output: { status: 'received' },
};
