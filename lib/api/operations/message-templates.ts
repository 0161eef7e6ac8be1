import * as z from 'zod';
import {
  createMessageTemplate,
  deleteMessageTemplate,
  updateMessageTemplate,
} from '#lib/messaging/message-templates/edit-message-templates.ts';
import {
  getMessageTemplate,
  listMessageTemplates,
} from '#lib/messaging/message-templates/list-message-templates.ts';
import {
  changedTemplateSchema,
  createdTemplateSchema,
  messageTemplateSchema,
  newMessageTemplateSchema,
} from '#lib/messaging/message-templates/schema.ts';
import type { Context } from '#lib/identity/context.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { defineOperation } from '../operation.ts';
import { pageOf } from '#lib/api/schemas.ts';

const tag = 'Message templates';

const filterSchema = z.strictObject({
  business_account_id: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Defaults to the connection's business account." }),
  status: z
    .string()
    .max(50)
    .optional()
    .meta({ description: 'Such as APPROVED, PENDING, REJECTED, DISABLED.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

export const MESSAGE_TEMPLATE_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/connections/{id}/message-templates',
    id: 'listMessageTemplates',
    tag,
    scope: 'read',
    summary: 'List the message templates of a business account, from the platform.',
    query: filterSchema,
    response: pageOf(messageTemplateSchema),
    errors: ['upstream_failed'],
    handle: async (ctx, { params, query: { business_account_id: businessAccountId, ...filter } }) => ({
      data: await listMessageTemplates(toMessagingContext(ctx), { ...params, ...filter, businessAccountId }),
      next_cursor: null,
    }),
  }),
  defineOperation({
    method: 'POST',
    path: '/connections/{id}/message-templates',
    id: 'createMessageTemplate',
    tag,
    scope: 'edit',
    summary: 'Submit a message template for review, which takes 24 to 48 hours.',
    body: newMessageTemplateSchema,
    status: 201,
    response: createdTemplateSchema,
    errors: ['upstream_failed'],
    handle: (ctx, { params, body }) => createMessageTemplate(toMessagingContext(ctx), { ...params, ...body }),
  }),
  defineOperation({
    method: 'PUT',
    path: '/connections/{id}/message-templates/{template_id}',
    id: 'updateMessageTemplate',
    tag,
    scope: 'edit',
    summary: 'Replace the components of a message template, which is reviewed again.',
    body: changedTemplateSchema,
    status: 204,
    errors: ['upstream_failed'],
    handle: async (ctx, { params, body }) =>
      updateMessageTemplate(toMessagingContext(ctx), { ...(await findNamed(ctx, params)), ...body }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/connections/{id}/message-templates/{template_id}',
    id: 'deleteMessageTemplate',
    tag,
    scope: 'edit',
    summary: 'Delete a message template in its language. Workflows that send it fail from then on.',
    status: 204,
    errors: ['upstream_failed'],
    handle: async (ctx, { params }) =>
      deleteMessageTemplate(toMessagingContext(ctx), await findNamed(ctx, params)),
  }),
];

/** The platform also deletes by name, and the audit log records it. @throws AppError `not_found` */
async function findNamed(ctx: Context, { id, template_id: templateId }: { id: string; template_id: string }) {
  const { name } = await getMessageTemplate(toMessagingContext(ctx), { id, templateId });
  return { id, templateId, name };
}
