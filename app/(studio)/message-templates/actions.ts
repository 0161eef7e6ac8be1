'use server';
import * as z from 'zod';
import { action } from '#lib/auth/authorized-action.ts';
import { recordAudit } from '#lib/members/record-audit.ts';
import { createMessageTemplate as create } from '#lib/message-templates/create-message-template.ts';
import { newMessageTemplateSchema } from '#lib/message-templates/schema.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';

/** Hands a message template in for review. */
export const createMessageTemplate = action(
  'editor',
  newMessageTemplateSchema.extend({ id: z.string() }),
  async (ctx, input) => {
    const created = await create(toMessagingContext(ctx), input);
    await recordAudit(ctx, 'message_template.created', { id: created.id, name: created.name });
    return created;
  },
);
