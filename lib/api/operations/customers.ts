import * as z from 'zod';
import {
  customerSchema,
  customerSummarySchema,
  messageSchema,
  timelineMessageSchema,
} from '#lib/screens/customer-schema.ts';
import {
  type CustomerReader,
  readCustomer,
  readCustomers,
  readMessage,
  readTimeline,
} from '#lib/screens/read-customers.ts';
import { pageOf, pageQuerySchema } from '#lib/api/schemas.ts';
import { type ApiContext, defineOperation, readerOf } from '../operation.ts';

const tag = 'Customers';

const asReader = (ctx: ApiContext): CustomerReader => ({ ...ctx, ...readerOf(ctx) });

export const CUSTOMER_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/customers',
    id: 'listCustomers',
    tag,
    scope: 'read',
    summary:
      'List customers, those first who were last active (to the hour), or search for one. A search that finds little may return short pages, whose next_cursor continues it.',
    query: pageQuerySchema.extend({
      search: z.string().max(200).optional().meta({
        description:
          'A number in any spelling, such as +49 171 1234567, a user id, the platform’s id of a message, or a part of a profile name. Keys with the scope read find numbers by their last four digits only.',
      }),
    }),
    response: pageOf(customerSummarySchema),
    handle: async (ctx, { query }) => {
      const { data, next_cursor } = await readCustomers(asReader(ctx), query, { isList: false });
      return { data, next_cursor };
    },
  }),
  defineOperation({
    method: 'GET',
    path: '/customers/{id}',
    id: 'getCustomer',
    tag,
    scope: 'read',
    summary: 'Get a customer with their 24-hour windows.',
    response: customerSchema,
    handle: (ctx, { params }) => readCustomer(asReader(ctx), params.id),
  }),
  defineOperation({
    method: 'GET',
    path: '/customers/{id}/timeline',
    id: 'listCustomerMessages',
    tag,
    scope: 'read',
    summary:
      'List the messages from and to a customer over all workflows, newest first. Those of the same millisecond share a page, which may be longer than limit.',
    query: pageQuerySchema,
    response: pageOf(timelineMessageSchema),
    handle: (ctx, { params, query }) => readTimeline(asReader(ctx), { ...query, id: params.id }),
  }),
  defineOperation({
    method: 'GET',
    path: '/messages/{id}',
    id: 'getMessage',
    tag,
    scope: 'read',
    summary:
      'Get a message by the platform’s id: the event and the workflow with its version that led to it, the task that sent it, and every status.',
    response: messageSchema,
    handle: (ctx, { params }) => readMessage(asReader(ctx), params.id),
  }),
];
