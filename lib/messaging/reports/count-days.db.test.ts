// What is counted equals what a query over all messages finds, whatever was sent, reported and removed in between.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LOWEST_ID, newId } from '#lib/core/ids.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { newWorkspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { recordStatuses } from '#lib/messaging/notifications/record-statuses.ts';
import type { Owned, StatusChange } from '#lib/messaging/notifications/notification-types.ts';
import { MESSAGE_STATUSES, type MessageStatus } from '#lib/messaging/schema/message-statuses.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { countDueDays, freezeMessages } from './count-days.ts';
import { nextCount } from './count-hours.ts';
import {
  ANSWER_SECONDS,
  REPORT_GROUPINGS,
  type ReportGrouping,
} from '#lib/messaging/schema/report-groupings.ts';
import { type CountedGroup, readCounts } from './read-counts.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.parse('2026-03-20T12:00:00Z');
const NOW = new Date(NOON_MS);
const NUMBERS = ['106540352242922', '106540352242923'];
const TEMPLATES = [undefined, 'order_update', 'spring_sale'];
const WORKFLOWS = [newId(), newId()];
const SPAN = { from: '2025-01-01', to: '2026-12-31' };

let context: TestContext;
let ctx: ActorContext;
beforeAll(async () => {
  context = await createTestContext();
  ({ ctx } = context);
});
afterAll(() => context.end());
beforeEach(() =>
  query('truncate sent_messages, message_days, counted_days, counted_hours, message_counting'),
);

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await ctx.db.$client.query<Row>(text, values)).rows;

interface Sending {
  daysAgo: number;
  number: number;
  template: number;
  /** 2: sent manually. */
  workflow: number;
  /** Until the customer answered; left out: they did not. */
  answerSeconds?: number | undefined;
}

const sendings = fc.record({
  daysAgo: fc.nat(40),
  number: fc.nat(1),
  template: fc.nat(2),
  workflow: fc.nat(2),
  answerSeconds: fc.option(fc.nat(86_399), { nil: undefined }),
}) satisfies fc.Arbitrary<Sending>;

const reports = fc.record({
  message: fc.nat(30),
  status: fc.constantFrom<MessageStatus>(...MESSAGE_STATUSES.slice(1)),
  code: fc.constantFrom(undefined, 131026, 131049),
  category: fc.constantFrom(null, 'marketing', 'utility'),
  type: fc.constantFrom('regular', 'free_customer_service'),
});

let sent = 0;

async function send(
  { daysAgo, number, template, workflow, answerSeconds }: Sending,
  by = ctx,
): Promise<string> {
  const messageId = `wamid.${(sent += 1)}`;
  const templateName = TEMPLATES[template];
  const workflowId = WORKFLOWS[workflow];
  await recordSent(by, {
    messageId,
    connectionId: LOWEST_ID,
    phoneNumberId: NUMBERS[number] ?? '',
    recipient: '15550001111',
    kind: templateName === undefined ? 'text' : 'template',
    templateName,
    taskRun: workflowId === undefined ? null : { runId: newId(), workflowId, taskId: 2, iteration: '' },
  });
  const createdMs = NOON_MS - daysAgo * DAY_MS;
  await query('update sent_messages set created_at = $2, answered_at = $3 where message_id = $1', [
    messageId,
    new Date(createdMs),
    answerSeconds === undefined ? null : new Date(createdMs + 1000 * answerSeconds),
  ]);
  return messageId;
}

interface Report {
  status: MessageStatus;
  code?: number | undefined;
  category?: string | null;
  type?: string;
}

const report = (messageId: string, { status, code, category = null, type = 'regular' }: Report) =>
  recordStatuses(ctx.db.$client, [
    {
      owner: { workspaceId: ctx.workspaceId, connectionId: LOWEST_ID },
      change: {
        kind: 'status',
        messageId,
        phoneNumberId: NUMBERS[0],
        recipient: '15550001111',
        status,
        at: NOW,
        errors: status === 'failed' && code !== undefined ? [{ code }] : [],
        pricing: category === null ? null : { category, type },
      },
    } as unknown as Owned<StatusChange>,
  ]);

const count = (now = NOW) => countDueDays({ pool: ctx.db.$client, now });

/** As if a worker had counted for long enough. */
async function countAgain(): Promise<void> {
  await query('update counted_days set next_at = $1', [NOW]);
  await query('update counted_hours set next_at = $1', [NOW]);
  await count();
}

const KEYS: Readonly<Record<ReportGrouping, string>> = {
  day: `(created_at at time zone 'utc')::date::text`,
  template: `coalesce(template_name, '')`,
  number: 'phone_number_id',
  workflow: `coalesce(workflow_id, '${LOWEST_ID}')::text`,
};

type Numbers = Omit<CountedGroup, 'failures' | 'categories' | 'answer_times'> & { times: number[] };

/** Over the messages themselves; of each answer the first second of its class. */
async function readDirectly(by: ReportGrouping): Promise<Numbers[]> {
  const number = (statuses: string): string => `(count(*) filter (where status in (${statuses})))::int`;
  return query(
    `select ${KEYS[by]} as key, ${by === 'template' ? 'kind' : 'null'} as kind, count(*)::int as accepted,
       ${number(`'sent', 'delivered', 'read', 'played'`)} as sent, ${number(`'delivered', 'read', 'played'`)} as delivered,
       ${number(`'read', 'played'`)} as read, count(answered_at)::int as answered, ${number(`'failed'`)} as failed,
       coalesce(json_agg((select max(first) from unnest($2::int[]) first where first <= extract(epoch from answered_at - created_at)))
         filter (where answered_at is not null), '[]') as times
     from sent_messages where workspace_id = $1 group by 1, 2`,
    [ctx.workspaceId, ANSWER_SECONDS],
  );
}

const sorted = (rows: readonly Numbers[]): Numbers[] =>
  rows
    .map((row) => ({ ...row, times: row.times.toSorted((a, b) => a - b) }))
    .toSorted((a, b) => (`${a.key} ${a.kind}` < `${b.key} ${b.kind}` ? -1 : 1));

/** Over the counts. */
async function readCounted(by: ReportGrouping): Promise<Numbers[]> {
  const { groups } = await readCounts(ctx, { ...SPAN, by });
  return groups.map(({ failures: _, categories: __, answer_times: times, ...group }) => ({
    ...group,
    times: Object.entries(times).flatMap(([index, count]) =>
      Array.from({ length: count }, () => ANSWER_SECONDS[Number(index)] ?? -1),
    ),
  }));
}

test('random messages and statuses are counted as a query over all of them counts, in every grouping', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sendings, { minLength: 1, maxLength: 15 }),
      fc.array(reports, { maxLength: 25 }),
      fc.nat(25),
      async (messages, statuses, countedAfter) => {
        await query('truncate sent_messages, message_days, counted_days, counted_hours');
        const ids: string[] = [];
        for (const message of messages) ids.push(await send(message));
        for (const [index, status] of statuses.entries()) {
          if (index === countedAfter) await count();
          await report(ids[status.message % ids.length] ?? '', status);
        }
        await count();
        await countAgain();
        for (const by of REPORT_GROUPINGS)
          expect(sorted(await readCounted(by))).toEqual(sorted(await readDirectly(by)));
        const { totals, pendingDays } = await readCounts(ctx, { ...SPAN, by: 'day' });
        const failed = await query<{ code: string; n: number }>(
          `select coalesce(errors -> 0 ->> 'code', '0') as code, count(*)::int as n from sent_messages
           where status = 'failed' group by 1`,
        );
        expect(totals.failures).toEqual(Object.fromEntries(failed.map(({ code, n }) => [code, n])));
        expect(pendingDays).toBe(0);
      },
    ),
    { numRuns: 12 },
  );
});

test('what retention removes stays in the counts, and late statuses of the rest still count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(sendings, reports), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (messages, edges, isCountedBefore) => {
        await query('truncate sent_messages, message_days, counted_days, counted_hours');
        const ids: string[] = [];
        for (const [message, status] of messages) {
          const id = await send(message);
          ids.push(id);
          await report(id, status);
        }
        if (isCountedBefore) await count();
        const expected = new Map<ReportGrouping, unknown>();
        for (const by of REPORT_GROUPINGS) expected.set(by, sorted(await readDirectly(by)));
        for (const daysAgo of edges) {
          const due = await query<{ message_id: string; created_at: Date }>(
            'select message_id, created_at from sent_messages where created_at <= $1',
            [new Date(NOON_MS - daysAgo * DAY_MS)],
          );
          await freezeMessages(
            ctx.db.$client,
            ctx.workspaceId,
            due.map((row) => row.created_at),
          );
          await query('delete from sent_messages where message_id = any($1)', [
            due.map((row) => row.message_id),
          ]);
          await countAgain();
        }
        await countAgain();
        for (const by of REPORT_GROUPINGS) expect(sorted(await readCounted(by))).toEqual(expected.get(by));
      },
    ),
    { numRuns: 12 },
  );
});

test('an hour is frozen, the others of its day are counted again', async () => {
  const [early, late] = [
    await send({ daysAgo: 0, number: 0, template: 1, workflow: 0 }),
    await send({ daysAgo: 0, number: 0, template: 1, workflow: 0 }),
  ];
  const at = new Date('2026-03-20T03:20:00Z');
  await query('update sent_messages set created_at = $2 where message_id = $1', [early, at]);
  await freezeMessages(ctx.db.$client, ctx.workspaceId, [at]);
  await query('delete from sent_messages where message_id = $1', [early]);
  await report(late, { status: 'read' });
  await countAgain();
  expect(await readCounted('workflow')).toEqual([
    {
      ...{ key: WORKFLOWS[0], kind: null, accepted: 2, sent: 1, delivered: 1, read: 1, failed: 0 },
      ...{ answered: 0, times: [] },
    },
  ]);
});

test('delivered messages are counted by the category of their price, and what the platform does not charge as free', async () => {
  const one = { daysAgo: 1, number: 0, template: 1, workflow: 0 };
  await report(await send(one), { status: 'sent', category: 'authentication' });
  await report(await send(one), { status: 'delivered', category: 'marketing' });
  await report(await send(one), { status: 'delivered', category: 'utility' });
  await report(await send(one), { status: 'read', category: 'service', type: 'free_customer_service' });
  await send(one);
  await count();
  const { totals } = await readCounts(ctx, { ...SPAN, by: 'day' });
  expect(totals.categories).toEqual({ marketing: 1, utility: 1, free: 1 });
});

test('messages of other systems and of other workspaces are not counted', async () => {
  await report('wamid.other-system', { status: 'read' });
  await send({ daysAgo: 0, number: 0, template: 0, workflow: 0 }, context.stranger);
  await count();
  expect((await readCounts(ctx, { ...SPAN, by: 'day' })).groups).toEqual([]);
  expect((await readCounts(context.stranger, { ...SPAN, by: 'day' })).groups).toHaveLength(1);
});

test('a message from before 0.3.0 has the workflow of its run, while there is one', async () => {
  const runId = newId();
  await query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at)
     values ($1, $2, $3, 1, $4, 'succeeded', now())`,
    [runId, ctx.workspaceId, WORKFLOWS[1], newId()],
  );
  const id = await send({ daysAgo: 0, number: 0, template: 0, workflow: 2 });
  await query('update sent_messages set run_id = $2 where message_id = $1', [id, runId]);
  await count();
  const { groups } = await readCounts(ctx, { ...SPAN, by: 'workflow' });
  expect(groups.map(({ key }) => key)).toEqual([WORKFLOWS[1]]);
});

test('an hour is counted again after a minute, older ones less often', () => {
  const msUntil = (end: string) => nextCount(Date.parse(end), NOW).getTime() - NOON_MS;
  expect(msUntil('2026-03-20T13:00:00Z')).toBe(60_000);
  expect(msUntil('2026-03-20T11:00:00Z')).toBe(450_000);
  expect(msUntil('2026-03-20T04:00:00Z')).toBe(3_600_000);
  expect(msUntil('2026-03-10T04:00:00Z')).toBe(6 * 3_600_000);
});

test('only the hours that are due are read again, and a settled day never', async () => {
  const one = { daysAgo: 0, number: 0, template: 1, workflow: 0 };
  const early = await send(one);
  await query('update sent_messages set created_at = $2 where message_id = $1', [
    early,
    new Date('2026-03-20T03:20:00Z'),
  ]);
  const settled = await send({ ...one, daysAgo: 40 });
  await count();
  const late = await send(one);
  for (const id of [early, late, settled]) await report(id, { status: 'read' });
  const soon = new Date(NOON_MS + 600_000);
  await query('update counted_days set next_at = $1 where next_at is not null', [soon]);
  await count(soon);
  const reads = async () =>
    (await readCounts(ctx, { ...SPAN, by: 'day' })).groups
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ accepted, read }) => [accepted, read]);
  expect(await reads()).toEqual([
    [1, 0],
    [2, 1],
  ]);
  await count(new Date(NOON_MS + 7_200_000));
  expect(await reads()).toEqual([
    [1, 0],
    [2, 2],
  ]);
  const hours = await query<{ hour: number }>('select hour from counted_hours order by hour');
  expect(hours.map(({ hour }) => hour)).toEqual(Array.from({ length: 15 }, (_, hour) => hour));
});

test('an hour that has not begun is counted when it begins', async () => {
  const of = (minutes: number): Date => new Date(NOON_MS + minutes * 60_000);
  const first = await send({ daysAgo: 0, number: 0, template: 1, workflow: 0 });
  await query('update sent_messages set created_at = $2 where message_id = $1', [first, of(-20)]);
  await count(of(-10));
  const day = "select next_at from counted_days where day = '2026-03-20'";
  expect(await query('select from counted_hours where hour >= 12')).toEqual([]);
  await query('update counted_hours set next_at = $1', [of(600)]);
  await query('update counted_days set next_at = $1', [of(-5)]);
  await count(of(-5));
  expect(await query(day)).toEqual([{ next_at: of(0) }]);
  const second = await send({ daysAgo: 0, number: 0, template: 1, workflow: 0 });
  await query('update sent_messages set created_at = $2 where message_id = $1', [second, of(1)]);
  await count(of(2));
  expect((await readCounts(ctx, { ...SPAN, by: 'day' })).groups).toMatchObject([{ accepted: 2 }]);
});

test('days are those of the workspace, also where its zone is half an hour off, and follow another zone', async () => {
  const at = async (instant: string, daysAgo = 0): Promise<void> => {
    const id = await send({ daysAgo, number: 0, template: 1, workflow: 0 });
    await query('update sent_messages set created_at = $2 where message_id = $1', [id, new Date(instant)]);
  };
  // Of India: the evening of the 19th, and midnight.
  await at('2026-03-19T18:29:59Z');
  await at('2026-03-19T18:30:00Z');
  await at('2026-03-19T02:00:00Z');
  await at('2026-01-10T20:00:00Z');
  const daysOf = async () =>
    (await readCounts(ctx, { from: '2026-01-10', to: '2026-03-20', by: 'day' })).groups
      .map(({ key, accepted }) => `${key} ${accepted}`)
      .toSorted();
  const countIn = async (zone: string): Promise<string[]> => {
    await setWorkspaceTime(ctx, newWorkspaceTimeSchema.parse({ zone }));
    await query('update counted_days set next_at = $1 where next_at is not null', [NOW]);
    await query('update counted_hours set next_at = $1', [NOW]);
    await count();
    return daysOf();
  };
  expect(await countIn('Asia/Kolkata')).toEqual(['2026-01-11 1', '2026-03-19 2', '2026-03-20 1']);
  // Days on which nothing changes any more stay as they were counted.
  expect(await countIn('America/New_York')).toEqual(['2026-01-11 1', '2026-03-18 1', '2026-03-19 2']);
  const { totals, groups } = await readCounts(ctx, { from: '2026-03-19', to: '2026-03-19', by: 'number' });
  expect([totals.accepted, groups[0]?.accepted]).toEqual([2, 2]);
  expect(await countIn('UTC')).toEqual(['2026-01-11 1', '2026-03-19 3']);
});

test('another zone has every hour counted again at once', async () => {
  await send({ daysAgo: 0, number: 0, template: 1, workflow: 0 });
  await count(new Date());
  await setWorkspaceTime(ctx, newWorkspaceTimeSchema.parse({ zone: 'Asia/Tokyo' }));
  const waiting = `select from counted_hours where next_at > now() union all select from counted_days where next_at > now()`;
  expect(await query(waiting)).toEqual([]);
  await setWorkspaceTime(ctx, newWorkspaceTimeSchema.parse({ zone: 'UTC' }));
});

test('days that are not counted yet are known, and the instant of the last count', async () => {
  await send({ daysAgo: 3, number: 0, template: 0, workflow: 0 });
  await send({ daysAgo: 0, number: 0, template: 0, workflow: 0 });
  await countDueDays({ pool: ctx.db.$client, now: NOW, sliceMs: 0 });
  expect(await readCounts(ctx, { ...SPAN, by: 'day' })).toMatchObject({ groups: [], pendingDays: 2 });
  await count();
  expect(await readCounts(ctx, { ...SPAN, by: 'day' })).toMatchObject({ countedAt: NOW, pendingDays: 0 });
});
