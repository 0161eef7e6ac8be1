// The delivery report as screens and the API have it, from counts to labels and words.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOWEST_ID } from '#lib/core/ids.ts';
import { exportDeliveryReport } from '#lib/exports/export-report.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { getMessagePrices, setMessagePrices } from '#lib/messaging/reports/prices.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { readDeliveryReport } from './delivery-report.ts';
import { type DeliveryReport, reportQuerySchema } from './report-types.ts';

const PHONE = '106540352242922';
const GRAPH = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'Order', settings: {} }], edges: [] };

let context: TestContext;
let ctx: ActorContext;
let workflowId: string;
beforeAll(async () => {
  context = await createTestContext();
  ({ ctx } = context);
  ({ workflowId } = await insertWorkflow(ctx.db.$client, GRAPH, ctx.workspaceId));
  await addDay('2026-03-01', {
    template: 'spring_sale',
    accepted: 10,
    failures: { 131026: 2, 999999: 1, 0: 1 },
  });
  await addDay('2026-03-03', { template: '', accepted: 5 });
  await addDay('2026-03-03', { template: '=sum', accepted: 4, workflow: LOWEST_ID });
});
afterAll(() => context.end());

interface DayOfMessages {
  template: string;
  accepted: number;
  workflow?: string;
  failures?: Record<string, number>;
}

async function addDay(
  day: string,
  { template, accepted, workflow = workflowId, failures = {} }: DayOfMessages,
) {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  await ctx.db.$client.query(
    `insert into message_days (workspace_id, day, is_frozen, phone_number_id, kind, template_name, workflow_id, accepted, sent,
       delivered, read, failed, failures, categories, answered, answer_times)
     values ($1, $2, false, $3, $4, $5, $6, $7, $8, $8, 1, $9, $10, '{"marketing": 3, "free": 1}', 3, '{"7": 2, "19": 1}')`,
    [
      ...[ctx.workspaceId, day, PHONE, template === '' ? 'text' : 'template', template, workflow],
      ...[accepted, accepted - failed, failed, JSON.stringify(failures)],
    ],
  );
}

const read = (query: Record<string, string>, by = ctx): Promise<DeliveryReport> =>
  readDeliveryReport(by, reportQuerySchema.parse(query));

const MARCH = { from: '2026-03-01', to: '2026-03-03' };

test('by day it has every day, also those without messages, and the totals of all', async () => {
  const report = await read(MARCH);
  expect(report.data.map(({ key, accepted }) => [key, accepted])).toEqual([
    ['2026-03-01', 10],
    ['2026-03-02', 0],
    ['2026-03-03', 9],
  ]);
  expect(report.totals).toEqual({
    ...{ accepted: 19, sent: 15, delivered: 15, read: 3, answered: 9, failed: 4 },
    // Six of them within 60 to 90 seconds, so half of all within three quarters of this class.
    median_answer_seconds: 83,
    // The other messages have no category.
    ...{ cost: '0', unpriced: 12 },
  });
  expect(report.data[1]).toMatchObject({ answered: 0, median_answer_seconds: null });
  expect(report.categories).toEqual([
    { category: 'marketing', messages: 9, price: null, cost: null },
    { category: 'free', messages: 3, price: '0', cost: '0' },
  ]);
});

test('costs are those of the entered prices, and what has none is counted', async () => {
  await setMessagePrices(ctx, { currency: 'EUR', prices: { marketing: '0.1131' } });
  const { currency, totals, data, categories } = await read({ ...MARCH, by: 'template' });
  expect([currency, totals.cost, totals.unpriced]).toEqual(['EUR', '1.0179', 3]);
  expect(data.map(({ cost, unpriced }) => [cost, unpriced])).toEqual([
    ['0.3393', 2],
    ['0.3393', 1],
    ['0.3393', 0],
  ]);
  expect(categories[0]).toEqual({ category: 'marketing', messages: 9, price: '0.1131', cost: '1.0179' });
  expect(await getMessagePrices(context.stranger)).toEqual({ currency: 'USD', prices: {} });
  await ctx.db.$client.query('truncate message_prices');
});

test('rows have names for people', async () => {
  const labelsBy = async (by: string) =>
    (await read({ ...MARCH, by })).data.map(({ key, label }) => [key, label]);
  expect(await labelsBy('template')).toEqual([
    ['spring_sale', 'spring_sale'],
    ['text', 'Text'],
    ['=sum', '=sum'],
  ]);
  expect(await labelsBy('workflow')).toEqual([
    [workflowId, 'Test workflow'],
    ['', 'Not sent by a workflow'],
  ]);
  expect(await labelsBy('number')).toEqual([[PHONE, PHONE]]);
});

test('failures have their reason and what to do, the most frequent first', async () => {
  const { failures } = await read(MARCH);
  expect(failures[0]).toEqual({
    code: '131026',
    messages: 2,
    reason: 'Delivery failed',
    fix: expect.stringMatching(/not on the platform/) as string,
  });
  expect(failures.slice(1)).toEqual(
    expect.arrayContaining([
      { code: '999999', messages: 1, reason: 'Another reason', fix: null },
      { code: null, messages: 1, reason: 'The platform gave no reason', fix: null },
    ]),
  );
});

test('another workspace sees nothing of it', async () => {
  expect((await read(MARCH, context.stranger)).totals.accepted).toBe(0);
});

test('the file has the same rows, and no cell that a spreadsheet runs', async () => {
  const { content, headers } = await exportDeliveryReport(
    ctx,
    reportQuerySchema.parse({ ...MARCH, by: 'template' }),
  );
  expect(await new Response(content).text()).toBe(
    [
      'template,label,accepted,sent,delivered,read,failed,answered,median_answer_seconds,cost,unpriced,currency',
      'spring_sale,spring_sale,10,6,6,1,4,3,83,0,5,',
      'text,Text,5,5,5,1,0,3,83,0,4,',
      `'=sum,'=sum,4,4,4,1,0,3,83,0,3,`,
      '',
    ].join('\r\n'),
  );
  expect(headers['Content-Disposition']).toContain('delivery-by-template-2026-03-01-to-2026-03-03.csv');
});

test.each([
  [{ from: '2026-03-02', to: '2026-03-01' }, '"from" must not be after "to".'],
  [
    { from: '2025-01-01', to: '2026-03-01' },
    'A report has at most 366 days: enter a later "from" or an earlier "to".',
  ],
  [{ from: 'yesterday' }, 'Enter a date such as 2026-11-01.'],
  [{ to: '2026-02-30' }, 'Enter a date such as 2026-11-01.'],
])('%j is refused with what to do', (query, message) => {
  expect(reportQuerySchema.safeParse(query).error?.issues.map((issue) => issue.message)).toContain(message);
});

test('a year of ten million messages is read from its counts', async () => {
  const { stranger } = context;
  const { $client: pool } = stranger.db;
  await pool.query(
    `insert into message_days (workspace_id, day, is_frozen, phone_number_id, kind, template_name, workflow_id, accepted, sent,
       delivered, read, failed, failures, categories)
     select $1, date '2025-01-01' + d, false, 'number ' || n % 2, 'template', 'template ' || n, $1, 1370, 1300, 1300, 900, 70,
       '{"131026": 70}', '{"marketing": 1300}'
     from generate_series(0, 364) d, generate_series(1, 20) n`,
    [stranger.workspaceId],
  );
  const year = { from: '2025-01-01', to: '2025-12-31', by: 'template' };
  const { rows } = await readsOfWork(pool, async () => {
    const { totals, data } = await read(year, stranger);
    expect([totals.accepted, data.length]).toEqual([10_001_000, 20]);
  });
  expect(rows['sent_messages'] ?? 0).toBe(0);
  // Totals, rows and reasons.
  expect(rows['message_days']).toBeLessThanOrEqual(3 * 7300);
});
