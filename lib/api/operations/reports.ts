import { exportDeliveryReport } from '#lib/exports/export-report.ts';
import { getMessagePrices, setMessagePrices } from '#lib/messaging/reports/prices.ts';
import { messagePricesSchema } from '#lib/messaging/schema/message-prices.ts';
import { readDeliveryReport } from '#lib/screens/delivery-report.ts';
import { reportQuerySchema, reportSchema } from '#lib/screens/report-types.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Reports';

export const REPORT_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/reports/delivery',
    id: 'getDeliveryReport',
    tag,
    scope: 'read',
    summary:
      'Count what happened to the messages sent in a span of days: accepted, sent, delivered, read, answered and failed, by day, template, number or workflow, with the reasons of failures and the cost by your prices.',
    query: reportQuerySchema,
    response: reportSchema,
    handle: (ctx, { query }) => readDeliveryReport(ctx, query),
  }),
  defineOperation({
    method: 'GET',
    path: '/reports/delivery.csv',
    id: 'exportDeliveryReport',
    tag,
    scope: 'read',
    summary: 'Export the rows of the delivery report as CSV.',
    query: reportQuerySchema,
    mediaTypes: ['text/csv'],
    isTool: false,
    handle: (ctx, { query }) => exportDeliveryReport(ctx, query),
  }),
  defineOperation({
    method: 'GET',
    path: '/workspace/prices',
    id: 'getMessagePrices',
    tag,
    scope: 'read',
    summary: 'Get the prices of messages by category, which reports calculate costs with.',
    response: messagePricesSchema,
    handle: (ctx) => getMessagePrices(ctx),
  }),
  defineOperation({
    method: 'PUT',
    path: '/workspace/prices',
    id: 'setMessagePrices',
    tag,
    scope: 'admin',
    summary:
      'Set the prices of messages by category. Reports calculate with them at once, also for earlier days.',
    body: messagePricesSchema,
    response: messagePricesSchema,
    handle: (ctx, { body }) => setMessagePrices(ctx, body),
  }),
];
