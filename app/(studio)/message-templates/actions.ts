'use server';
import * as z from 'zod';
import { action } from '#lib/identity/auth/authorized-action.ts';
import { createMessageTemplate as create } from '#lib/messaging/message-templates/create-message-template.ts';
import { newMessageTemplateSchema } from '#lib/messaging/message-templates/schema.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

/** Hands a message template in for review. */
export const createMessageTemplate = action(
  'editor',
  newMessageTemplateSchema.extend({ id: z.string() }),
  (ctx, input) => create(toMessagingContext(ctx), input),
);
