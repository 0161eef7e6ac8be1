// Customers on hold, customers who stopped, and quiet hours, in real runs: a worker takes them from the queue and the sandbox gets the messages.
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { setConsent } from '#lib/messaging/consent/consents.ts';
import { getHold, releaseHold, setHold } from '#lib/messaging/consent/holds.ts';
import type { NewHold } from '#lib/messaging/consent/schema.ts';
import { setAttributes } from '#lib/messaging/attributes/attributes.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { DEFAULT_TIME } from '#lib/identity/schema/time-types.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { listMessagesOfRun } from '#lib/messaging/sending/find-message.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { askAndWait } from './ask/definition.ts';
import { createAskExecutor } from './ask/execute.ts';
import { messagingBusiness } from './definition.ts';
import { createMessagingBusinessExecutor } from './execute.ts';

const PHONE = PLATFORM_IDS.booksOrders;

let world: MessagingWorld;
let connectionId: string;
let worker: Awaited<ReturnType<typeof startWorker>>;
let customers = 0;

beforeAll(async () => {
  world = await startMessagingWorld();
  connectionId = (await world.connect()).id;
  worker = await start();
});
afterAll(async () => {
  await worker.stop();
  await world.end();
});

function start(): ReturnType<typeof startWorker> {
  const executors: Record<string, TaskExecutor> = {
    messaging_business: createMessagingBusinessExecutor(async () => world.runtime),
    ask_and_wait: createAskExecutor(async () => world.runtime),
  };
  return startWorker({
    pools: world.runtime,
    clock: world.runtime.clock,
    recurring: NOTHING_RECURS,
    findExecutor: (type) => executors[type],
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    logger: pino({ level: 'silent' }),
    maxRuns: 200,
  });
}

const newCustomer = (): string => `1557${String((customers += 1)).padStart(3, '0')}1234`;

const sender = () => ({
  app_connection_id: connectionId,
  phone_number_id: PHONE,
  recipient: '{{task_1_to}}',
});

const template = (id: number, more: Record<string, unknown> = {}): WorkflowTask => {
  const { settings, problems } = checkSettings(
    messagingBusiness,
    {
      ...sender(),
      business_account_id: PLATFORM_IDS.books,
      action: 'send_template',
      template_name: 'order_confirmation',
      template_parameters: '["Kim", "{{task_1_order}}"]',
      ...more,
    },
    'publish',
  );
  expect(problems).toEqual([]);
  return { id, type: 'messaging_business', name: `Send ${id}`, settings: settings ?? {} };
};

const question = (waitMinutes: number): WorkflowTask => {
  const asked = {
    ...sender(),
    question: 'Which day?',
    buttons: [{ title: 'Friday' }],
    wait_amount: waitMinutes,
    wait_unit: 'minutes',
  };
  const { settings, problems } = checkSettings(askAndWait, asked, 'publish');
  expect(problems).toEqual([]);
  return { id: 2, type: 'ask_and_wait', name: 'Ask', settings: settings ?? {} };
};

/** Starts a run of the trigger and these tasks. @returns its id */
async function run(
  to: string,
  tasks: WorkflowTask[],
  { edges = [{ from: 1, to: 2 }], order = 'A-1' }: { edges?: WorkflowGraph['edges']; order?: string } = {},
): Promise<string> {
  const trigger = { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} };
  const graph = { tasks: [trigger, ...tasks], edges };
  const { token } = await insertWorkflow(world.runtime.hot, graph, world.workspaceId);
  return startRun(createIntake(world.runtime.hot), token, { to, order });
}

interface Reached {
  run: string;
  status: string;
  branch: string | null;
  run_text: string;
}

/** Task 2 of a run, once the run has one of these statuses. */
const reached = (runId: string, ...statuses: string[]): Promise<Reached> =>
  vi.waitFor(
    async () => {
      const { rows } = await world.runtime.hot.query<Reached>(
        `select r.status as run, t.status, t.branch, t.run_text from task_runs t join runs r on r.id = t.run_id
         where t.run_id = $1 and t.task_id = 2`,
        [runId],
      );
      expect(statuses).toContain(rows[0]?.run);
      return rows[0] as Reached;
    },
    { timeout: 20_000, interval: 20 },
  );

const over = (runId: string) => reached(runId, 'succeeded', 'failed');

/** The orders of the messages that a customer got, in the order in which they were sent. */
const ordersOf = async (customer: string): Promise<string[]> =>
  (await world.messages(`to=${customer}`)).map(
    ({ payload }) => /A-\d+/.exec(JSON.stringify(payload))?.[0] ?? '',
  );

const hold = (id: string, how: Partial<NewHold> = {}) =>
  setHold(world.ctx, { id, hours: null, reason: '', sends: 'wait', ...how });
const waitingRuns = async (id: string) => (await getHold(world.ctx, { id })).hold?.waiting_runs;

test('runs wait for the end of a hold across a restart, and then send once each in the order in which they came', async () => {
  const customer = newCustomer();
  await hold(customer);
  const runs: string[] = [];
  for (const order of ['A-1', 'A-2', 'A-3']) {
    const id = await run(customer, [template(2)], { order });
    runs.push(id);
    expect(await reached(id, 'waiting')).toMatchObject({
      run_text: 'Waiting until the customer’s hold is released. The message is sent then.',
    });
  }
  expect(await waitingRuns(customer)).toBe(3);
  expect(await ordersOf(customer)).toEqual([]);

  await worker.stop();
  await releaseHold(world.ctx, { id: customer });
  worker = await start();

  for (const id of runs) expect(await over(id)).toMatchObject({ run: 'succeeded' });
  expect((await ordersOf(customer)).toSorted()).toEqual(['A-1', 'A-2', 'A-3']);
  const { rows } = await world.runtime.hot.query<{ run_id: string }>(
    'select run_id from sent_messages where recipient = $1 order by created_at',
    [customer],
  );
  expect(rows.map((row) => row.run_id)).toEqual(runs);
  const left = await world.runtime.hot.query('select from signal_waits where run_id = any($1::uuid[])', [
    runs,
  ]);
  expect(left.rows).toEqual([]);
});

test('a hold that ends at its time needs nobody', async () => {
  const customer = newCustomer();
  await hold(customer, { hours: 1 });
  await world.runtime.hot.query(
    `update customer_holds set until = now() + interval '1 second' where name = $1`,
    [customer],
  );
  const id = await run(customer, [template(2)]);
  expect((await reached(id, 'waiting', 'succeeded')).run_text).toMatch(/hold until 2|sent successfully/);
  expect(await over(id)).toMatchObject({ run: 'succeeded' });
  expect(await ordersOf(customer)).toEqual(['A-1']);
});

test('a hold that is set again while runs wait lets none of them send; a stop meanwhile counts', async () => {
  const customer = newCustomer();
  await hold(customer, { hours: 1 });
  const id = await run(customer, [template(2), template(3)], {
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'customer_stopped' },
    ],
  });
  await reached(id, 'waiting');
  await hold(customer, { hours: 2 });
  const { hold: longer } = await getHold(world.ctx, { id: customer });
  await vi.waitFor(async () =>
    expect((await reached(id, 'waiting')).run_text).toContain(`until ${longer?.until}`),
  );
  await setConsent(world.ctx, { id: customer, purpose: 'all', state: 'stopped', source: 'api' });
  await releaseHold(world.ctx, { id: customer });
  expect(await over(id)).toMatchObject({ run: 'failed', status: 'succeeded', branch: 'customer_stopped' });
  expect(await ordersOf(customer)).toEqual([]);
});

test.each(['suppress', 'wait'] as const)(
  'what a person wrote leaves during a hold (%s), and is marked; a stop of all messages counts for it, too',
  async (sends) => {
    const customer = newCustomer();
    await hold(customer, { sends });
    const held = await run(customer, [template(2)], { order: 'A-1' });
    await reached(held, sends === 'wait' ? 'waiting' : 'failed');
    const id = await run(customer, [template(2, { written_by: 'person' })], { order: 'A-2' });
    expect(await over(id)).toMatchObject({ run: 'succeeded' });
    expect(await ordersOf(customer)).toEqual(['A-2']);
    expect(await listMessagesOfRun(world.ctx, id)).toMatchObject([{ isByPerson: true }]);

    await releaseHold(world.ctx, { id: customer });
    const later = sends === 'wait' ? held : await run(customer, [template(2)]);
    expect(await over(later)).toMatchObject({ run: 'succeeded' });
    expect(await listMessagesOfRun(world.ctx, later)).toMatchObject([{ isByPerson: false }]);

    await setConsent(world.ctx, { id: customer, purpose: 'all', state: 'stopped', source: 'api' });
    const stopped = await run(customer, [template(2, { written_by: 'person' })]);
    expect(await over(stopped)).toMatchObject({
      run: 'failed',
      run_text: expect.stringMatching(/^Customer stopped/) as string,
    });
    expect(await ordersOf(customer)).toHaveLength(2);
  },
);

test('messages that the hold suppresses fail at once, as the hold itself says', async () => {
  const customer = newCustomer();
  await hold(customer, { sends: 'suppress' });
  expect(await over(await run(customer, [template(2)]))).toMatchObject({ run: 'failed', status: 'failed' });
});

test('a question waits for the end of the hold before it is asked', async () => {
  const customer = newCustomer();
  await world.customerWrites(customer, PHONE);
  await hold(customer);
  const id = await run(customer, [question(60)]);
  expect((await reached(id, 'waiting')).run_text).toMatch(/^Waiting until the customer’s hold is released/);
  await releaseHold(world.ctx, { id: customer });
  await vi.waitFor(async () => expect((await reached(id, 'waiting')).run_text).toMatch(/^Question sent/));
});

test('the time limit of a question is paused during a hold, where the hold says so', async () => {
  const [paused, running] = [newCustomer(), newCustomer()];
  const asked = async (customer: string): Promise<string> => {
    await world.customerWrites(customer, PHONE);
    const id = await run(customer, [question(0.04)]);
    await vi.waitFor(async () => expect((await reached(id, 'waiting')).run_text).toMatch(/^Question sent/));
    return id;
  };
  const [first, second] = await Promise.all([asked(paused), asked(running)]);
  await hold(paused, { hours: 1, deadlines: 'stand_still' });
  await hold(running, { hours: 1, deadlines: 'run' });
  const { rows } = await world.runtime.hot.query<{ until: Date }>(
    `update customer_holds set until = since + interval '4 seconds' where name = $1 returning until`,
    [paused],
  );
  expect(await over(second)).toMatchObject({ branch: 'no_answer' });
  expect((await reached(first, 'waiting')).run_text).toMatch(/Question sent|is paused/);
  expect(await over(first)).toMatchObject({ branch: 'no_answer' });
  expect(Date.now()).toBeGreaterThan(rows[0]?.until.getTime() ?? Infinity);
});

const HOUR_MS = 3_600_000;
const clock = (at: number): string => new Date(at).toISOString().slice(11, 16);
/** Quiet hours in UTC that began an hour ago. */
const quietHours = (hours: number) => {
  const quiet = { from: clock(Date.now() - HOUR_MS), to: clock(Date.now() + hours * HOUR_MS) };
  return setWorkspaceTime(world.ctx, { ...DEFAULT_TIME, quiet_hours: quiet });
};
const noQuietHours = () => setWorkspaceTime(world.ctx, DEFAULT_TIME);
const marketing = () =>
  template(2, { template_name: 'author_reading', template_parameters: '["Friday", "{{task_1_order}}"]' });

describe('quiet hours', () => {
  afterEach(noQuietHours);

  test('make marketing wait until they end, and other templates leave', async () => {
    const customer = newCustomer();
    const { quiet_hours: quiet } = await quietHours(2);
    const id = await run(customer, [marketing()]);
    const { run_text: text } = await reached(id, 'waiting');
    expect(text).toMatch(/^Waiting for the end of the customer’s quiet hours until \S+Z\. /);
    expect(text).toContain(`T${quiet?.to}:00.000Z`);
    expect(text).toContain(`at ${quiet?.to} in UTC`);
    const { rows } = await world.runtime.hot.query<{ at: string }>(
      'select resume_at as at from task_runs where run_id = $1 and task_id = 2',
      [id],
    );
    expect(clock(new Date(rows[0]?.at ?? '').getTime())).toBe(quiet?.to);
    expect(await over(await run(customer, [template(2)], { order: 'A-2' }))).toMatchObject({
      run: 'succeeded',
    });
    expect(await ordersOf(customer)).toEqual(['A-2']);
  });

  test('that are changed make waiting messages wait until the new end, and leave where there are none', async () => {
    const customer = newCustomer();
    await quietHours(2);
    const id = await run(customer, [marketing()]);
    await reached(id, 'waiting');
    const { quiet_hours: quiet } = await quietHours(3);
    await vi.waitFor(async () =>
      expect((await reached(id, 'waiting')).run_text).toContain(`T${quiet?.to}:00.000Z`),
    );
    await setConsent(world.ctx, { id: customer, purpose: 'marketing', state: 'given', source: 'api' });
    await noQuietHours();
    expect(await over(id)).toMatchObject({ run: 'succeeded' });
    expect(await ordersOf(customer)).toEqual(['A-1']);
  });

  test('are those of the zone of the customer', async () => {
    const [far, near] = [newCustomer(), newCustomer()];
    await quietHours(2);
    const twelveHoursAhead = { name: 'time_zone', type: 'text' as const, value: 'Etc/GMT-12' };
    await setAttributes(world.ctx, { id: far, attributes: [twelveHoursAhead] });
    await setAttributes(world.ctx, { id: near, attributes: [{ ...twelveHoursAhead, value: 'Etc/UTC' }] });
    expect(await over(await run(far, [marketing()]))).toMatchObject({ run: 'succeeded' });
    await reached(await run(near, [marketing()]), 'waiting');
    expect(await ordersOf(near)).toEqual([]);
  });

  test('hold up no message that only waited for a hold', async () => {
    const customer = newCustomer();
    await quietHours(2);
    await reached(await run(customer, [marketing()]), 'waiting');
    await setHold(world.ctx, { id: customer, hours: null, reason: '', sends: 'wait' });
    const id = await run(customer, [template(2)], { order: 'A-2' });
    await reached(id, 'waiting');
    await releaseHold(world.ctx, { id: customer });
    expect(await over(id)).toMatchObject({ run: 'succeeded' });
    expect(await ordersOf(customer)).toEqual(['A-2']);
  });

  test('do not keep a stop that comes meanwhile from counting', async () => {
    const customer = newCustomer();
    await quietHours(2);
    const id = await run(customer, [marketing()]);
    await reached(id, 'waiting');
    await setConsent(world.ctx, { id: customer, purpose: 'marketing', state: 'stopped', source: 'api' });
    await noQuietHours();
    expect(await over(id)).toMatchObject({ run: 'failed', status: 'failed' });
    expect(await ordersOf(customer)).toEqual([]);
  });
});
