'use server';
import * as z from 'zod';
import { action } from '#lib/identity/auth/authorized-action.ts';
import {
  createMessageTemplate as create,
  deleteMessageTemplate as remove,
  updateMessageTemplate as update,
} from '#lib/messaging/message-templates/edit-message-templates.ts';
import { newMessageTemplateSchema } from '#lib/messaging/message-templates/schema.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

/** Submits a message template for review. */
export const createMessageTemplate = action(
  'editor',
  newMessageTemplateSchema.extend({ id: z.string() }),
  (ctx, input) => create(toMessagingContext(ctx), input),
);

/** Replaces the content of a message template, which is reviewed again. */
export const updateMessageTemplate = action(
  'editor',
  newMessageTemplateSchema.extend({ id: z.string(), templateId: z.string().max(100) }),
  (ctx, input) => update(toMessagingContext(ctx), input),
);

export const deleteMessageTemplate = action(
  'editor',
  z.strictObject({ id: z.string(), templateId: z.string().max(100), name: z.string().max(1000) }),
  (ctx, input) => remove(toMessagingContext(ctx), input),
);
