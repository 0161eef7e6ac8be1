import * as z from 'zod';
import { setAttributes } from '#lib/messaging/attributes/attributes.ts';
import { attributesSchema, newAttributesSchema } from '#lib/messaging/attributes/schema.ts';
import {
  customerSchema,
  customerSummarySchema,
  messageSchema,
  timelineMessageSchema,
} from '#lib/screens/customer-schema.ts';
import { readCustomer, readCustomers, readTimeline } from '#lib/screens/read-customers.ts';
import { type CustomerReader, readMessage } from '#lib/screens/read-message.ts';
import { eraseCustomer, listErasures, previewErasure } from '#lib/workflows/erasure/erase-customer.ts';
import { customerExportSchema, exportCustomer } from '#lib/workflows/erasure/export-customer.ts';
import { pageOf, pageQuerySchema, toPage } from '#lib/api/schemas.ts';
import { type ApiContext, defineOperation, readerOf } from '../operation.ts';

const tag = 'Customers';

const asReader = (ctx: ApiContext): CustomerReader => ({ ...ctx, ...readerOf(ctx) });

const counts = z.record(z.string(), z.int()).meta({
  description:
    'Rows by their kind, such as `events`, `runs`, `task_runs_cleaned`, `messages_sent`, `messages_received`, `statuses`, `consent_evidence`, `holds`, `files`, `mails`, `alerts`.',
});

const erasureSchema = z
  .strictObject({
    id: z.string(),
    requested_at: z.iso.datetime(),
    requested_by: z.string().meta({ description: 'The member or the API key.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'Null: it has not finished.' }),
    waiting_runs: z.int().meta({
      description:
        'Runs in progress that are for other customers, too: their contents are erased when they have ended, and they send nothing to this customer.',
    }),
    counts,
  })
  .meta({ id: 'Erasure', description: 'The receipt of an erasure, which names nobody.' });

export const CUSTOMER_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/customers',
    id: 'listCustomers',
    tag,
    scope: 'read',
    summary: 'List customers by their last activity, or search for one. next_cursor continues a search.',
    query: pageQuerySchema.extend({
      search: z.string().max(200).optional().meta({
        description:
          'A number in any spelling, a user id, the id of a message, or a part of a profile name. With the scope read: the last four digits.',
      }),
    }),
    response: pageOf(customerSummarySchema),
    handle: async (ctx, { query }) => toPage(await readCustomers(asReader(ctx), query, { isList: false })),
  }),
  defineOperation({
    method: 'GET',
    path: '/customers/{id}',
    id: 'getCustomer',
    tag,
    scope: 'read',
    summary: 'Get a customer, by ID or number, with 24-hour windows and attributes.',
    response: customerSchema,
    handle: (ctx, { params }) => readCustomer(asReader(ctx), params.id),
  }),
  defineOperation({
    method: 'PUT',
    path: '/customers/{id}/attributes',
    id: 'setCustomerAttributes',
    tag,
    scope: 'edit',
    summary:
      'Set or remove attributes of a customer, who may be new. `id`: the ID of the customer, or a number with its country code.',
    body: newAttributesSchema,
    response: attributesSchema,
    handle: (ctx, { params, body }) => setAttributes(ctx, { id: params.id, ...body }),
  }),
  defineOperation({
    method: 'GET',
    path: '/customers/{id}/timeline',
    id: 'listCustomerMessages',
    tag,
    scope: 'read',
    summary:
      'List the messages from and to a customer, by ID or number, and writes of their attributes, newest first.',
    query: pageQuerySchema,
    response: pageOf(timelineMessageSchema),
    handle: (ctx, { params, query }) => readTimeline(asReader(ctx), { ...query, id: params.id }),
  }),
  defineOperation({
    method: 'GET',
    path: '/customers/{id}/export',
    id: 'exportCustomer',
    tag,
    scope: 'admin',
    summary:
      'Export everything that is stored of a customer. `id`: the ID of the customer, or a number with its country code.',
    response: customerExportSchema,
    isTool: false,
    handle: (ctx, { params }) => exportCustomer(ctx, params),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/customers/{id}',
    id: 'eraseCustomer',
    tag,
    scope: 'admin',
    summary:
      'Erase everything that is stored of a customer. It cannot be undone. `id`: the ID of the customer, or a number with its country code.',
    query: z.object({
      preview: z
        .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })
        .default(false)
        .meta({ description: 'Only return what would be erased.' }),
    }),
    response: z
      .strictObject({
        erasure: erasureSchema.nullable().meta({ description: 'The receipt; null: it is a preview.' }),
        counts: counts.meta({ description: 'What is stored of the customer, by kind, before the erasure.' }),
        workflows: z
          .array(
            z.strictObject({
              id: z.string(),
              name: z.string(),
              tasks: z.array(z.string()).meta({ description: 'Names of the tasks.' }),
            }),
          )
          .meta({
            description:
              'Workflows whose draft or published version has the number or user ID in its settings. An erasure does not change them: edit them yourself.',
          }),
      })
      .meta({ id: 'ErasedCustomer' }),
    isTool: false,
    handle: async (ctx, { params, query }) => {
      const found = await previewErasure(ctx, params);
      return { erasure: query.preview ? null : await eraseCustomer(ctx, params), ...found };
    },
  }),
  defineOperation({
    method: 'GET',
    path: '/erasures',
    id: 'listErasures',
    tag,
    scope: 'admin',
    summary: 'List the receipts of erased customers, newest first.',
    query: pageQuerySchema,
    response: pageOf(erasureSchema),
    handle: (ctx, { query }) => listErasures(ctx, query),
  }),
  defineOperation({
    method: 'GET',
    path: '/messages/{id}',
    id: 'getMessage',
    tag,
    scope: 'read',
    summary: 'Get a message by the platform’s id: event, workflow and version, task, and every status.',
    response: messageSchema,
    handle: (ctx, { params }) => readMessage(asReader(ctx), params.id),
  }),
];
