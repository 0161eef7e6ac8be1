// Sends that wait, with the sandbox: a worker sends, the platform reports statuses, the run takes the exit.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  type SandboxMessage,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { startReceiver } from '#lib/messaging/testing/start-receiver.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { messagingBusiness } from '../definition.ts';
import { createMessagingBusinessExecutor } from '../execute.ts';
import { messagingBusinessMore } from '../more/definition.ts';
import { createMoreExecutor } from '../more/execute.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

const PHONE = PLATFORM_IDS.booksOrders;
/** The sandbox's handling of messages to numbers with these endings. */
const ENDING = { undeliverable: '0000', staysSent: '9901', readAtOnce: '9902', noReceipts: '9905' };

let world: MessagingWorld;
let worker: Awaited<ReturnType<typeof startWorker>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let connectionId: string;
let customers = 0;

beforeAll(async () => {
  world = await startMessagingWorld();
  const executors: Record<string, TaskExecutor> = {
    messaging_business: createMessagingBusinessExecutor(async () => world.runtime),
    messaging_business_more: createMoreExecutor(async () => world.runtime),
  };
  worker = await startWorker({
    pools: world.runtime,
    clock: world.runtime.clock,
    recurring: NOTHING_RECURS,
    findExecutor: (type) => executors[type],
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    logger: pino({ level: 'silent' }),
    maxRuns: 200,
  });
  connectionId = (await world.connect()).id;
  // Each notification is delivered twice, and batches in reverse order.
  await world.control('POST', 'settings', { notification_copies: 2, notification_batch_ms: 40 });
  receiver = await startReceiver(world, connectionId);
});
afterAll(async () => {
  await worker.stop();
  receiver.close();
  await world.end();
});

const newCustomer = (ending = '1234'): string => `1555${String((customers += 1)).padStart(3, '0')}${ending}`;

const TEMPLATE = {
  action: 'send_template',
  template_name: 'order_confirmation',
  template_parameters: ['Kim', 'A-1'],
};
const MORE = { type: 'messaging_business_more' };
const PATIENT = { wait_amount: 1, wait_unit: 'hours' };
const IMPATIENT = { wait_amount: 0.02, wait_unit: 'minutes' };

interface Sending {
  runId: string;
  customer: string;
}

/** Starts a run that sends to a customer. */
async function send(
  settings: Record<string, unknown>,
  { customer = newCustomer(), more = {} }: { customer?: string; more?: Partial<WorkflowTask> } = {},
): Promise<Sending> {
  const isMore = more.type === MORE.type;
  const sender = {
    app_connection_id: connectionId,
    phone_number_id: PHONE,
    recipient: '{{task_1_to}}',
    ...(isMore ? {} : { business_account_id: PLATFORM_IDS.books }),
  };
  const definition = isMore ? messagingBusinessMore : messagingBusiness;
  const checked = checkSettings(definition, { ...sender, ...settings }, 'publish');
  expect(checked.problems).toEqual([]);
  const graph: WorkflowGraph = {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
      { id: 2, type: 'messaging_business', name: 'Send', settings: checked.settings ?? {}, ...more },
    ],
    edges: [{ from: 1, to: 2 }],
  };
  const { token } = await insertWorkflow(world.runtime.hot, graph, world.workspaceId);
  return { customer, runId: await startRun(createIntake(world.runtime.hot), token, { to: customer }) };
}

interface Outcome {
  run: string;
  status: string;
  branch: string | null;
  run_text: string;
  output: JsonObject;
}

/** The task run of the send, once the run has reached it. */
const outcome = ({ runId }: Sending, isWaiting = false): Promise<Outcome> =>
  vi.waitFor(
    async () => {
      const { rows } = await world.runtime.hot.query<Omit<Outcome, 'output'> & { output: string | null }>(
        `select r.status as run, t.status, t.branch, t.run_text, t.output from task_runs t join runs r on r.id = t.run_id
         where t.run_id = $1 and t.task_id = 2 and (r.finished_at is not null or ($2 and r.status = 'waiting'))`,
        [runId, isWaiting],
      );
      const [row] = rows;
      if (!row) throw new Error('The run has not come so far.');
      return { ...row, output: JSON.parse(row.output ?? '{}') as JsonObject };
    },
    { interval: 20 },
  );

/** The only message that the customer got. */
async function sentTo(customer: string): Promise<SandboxMessage> {
  const [message, ...others] = await world.messages(`to=${customer}`);
  expect(others).toEqual([]);
  if (!message) throw new Error('Nothing was sent.');
  return message;
}

const setStatus = async ({ customer }: Sending, status: string): Promise<void> => {
  await world.control('POST', `messages/${(await sentTo(customer)).id}/status`, { status });
};

test('delivered: the run continues when the platform says so, with the status and its time', async () => {
  const sending = await send({ ...TEMPLATE, ...PATIENT, wait_until: 'delivered' });
  expect(await outcome(sending)).toMatchObject({
    run: 'succeeded',
    branch: 'delivered',
    run_text: 'Template sent successfully. Delivered.',
    output: {
      action: 'send_template',
      message_id: (await sentTo(sending.customer)).id,
      status: 'delivered',
      status_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    },
  });
});

test.each([
  ['send_text', { message_text: 'Hello' }],
  ['send_media', { media_type: 'image', media_url: 'https://example.com/a.png' }],
])('%s waits as send_template does', async (action, fields) => {
  const customer = newCustomer();
  await world.customerWrites(customer, PHONE);
  const sending = await send({ action, ...fields, ...PATIENT, wait_until: 'delivered' }, { customer });
  expect(await outcome(sending)).toMatchObject({
    branch: 'delivered',
    output: { action, status: 'delivered' },
  });
});

test('sends beside those of the specification wait alike', async () => {
  const customer = newCustomer();
  await world.customerWrites(customer, PHONE);
  const buttons = { action: 'send_buttons', message_text: 'When?', buttons: [{ title: 'Now' }] };
  const sending = await send({ ...buttons, ...PATIENT, wait_until: 'delivered' }, { customer, more: MORE });
  expect(await outcome(sending)).toMatchObject({
    branch: 'delivered',
    run_text: 'Buttons sent successfully. Delivered.',
    output: { action: 'send_buttons', status: 'delivered' },
  });
});

test('failed: its own exit, with the errors of the platform', async () => {
  const sending = await send(
    { ...TEMPLATE, ...PATIENT, wait_until: 'delivered' },
    { customer: newCustomer(ENDING.undeliverable) },
  );
  const { branch, run_text, output } = await outcome(sending);
  expect({ branch, output }).toMatchObject({
    branch: 'delivery_failed',
    output: { status: 'failed', errors: [{ code: 131026 }] },
  });
  expect(run_text).toMatch(/^Delivery failed: ./);
});

test('none in time: the exit says so, and what is known by then', async () => {
  const [silent, unread] = await Promise.all([
    send({ ...TEMPLATE, ...IMPATIENT, wait_until: 'delivered' }, { customer: newCustomer(ENDING.staysSent) }),
    send({ ...TEMPLATE, ...IMPATIENT, wait_until: 'read' }, { customer: newCustomer(ENDING.noReceipts) }),
  ]);
  expect(await outcome(silent)).toMatchObject({ branch: 'not_in_time', output: { status: 'sent' } });
  expect(await outcome(unread)).toMatchObject({ branch: 'not_in_time', output: { status: 'delivered' } });
});

test('read implies delivered, which the platform may skip', async () => {
  const sending = await send(
    { ...TEMPLATE, ...PATIENT, wait_until: 'delivered' },
    { customer: newCustomer(ENDING.staysSent) },
  );
  await outcome(sending, true);
  await setStatus(sending, 'read');
  expect(await outcome(sending)).toMatchObject({ branch: 'delivered', output: { status: 'read' } });
});

test('a wait for read is not ended by delivered; played counts as read', async () => {
  const [first, second, third] = await Promise.all([
    send({ ...TEMPLATE, ...PATIENT, wait_until: 'read' }, { customer: newCustomer(ENDING.readAtOnce) }),
    send({ ...TEMPLATE, ...PATIENT, wait_until: 'read' }, { customer: newCustomer(ENDING.noReceipts) }),
    send({ ...TEMPLATE, ...PATIENT, wait_until: 'read' }, { customer: newCustomer(ENDING.staysSent) }),
  ]);
  expect(await outcome(first)).toMatchObject({ branch: 'read', output: { status: 'read' } });
  await outcome(second, true);
  await expect
    .poll(async () => {
      const { rows } = await world.runtime.hot.query<{ status: string }>(
        'select status from sent_messages where run_id = $1',
        [second.runId],
      );
      return rows[0]?.status;
    })
    .toBe('delivered');
  expect(await outcome(second, true)).toMatchObject({ run: 'waiting', output: { status: 'accepted' } });
  await outcome(third, true);
  await setStatus(third, 'played');
  expect(await outcome(third)).toMatchObject({ branch: 'read', output: { status: 'played' } });
});

test('a status that comes before the acknowledgement of the send is not lost', async () => {
  const customer = newCustomer();
  await world.control('POST', 'faults', {
    kind: 'delay',
    when: 'after',
    delay_ms: 1500,
    path: 'messages',
    recipient: customer,
  });
  const sending = await send({ ...TEMPLATE, ...PATIENT, wait_until: 'delivered' }, { customer });
  expect(await outcome(sending)).toMatchObject({ branch: 'delivered', output: { status: 'delivered' } });
});

test('statuses that come without what was sent along count at the deadline', async () => {
  const sending = await send(
    { ...TEMPLATE, ...IMPATIENT, wait_until: 'delivered' },
    { customer: newCustomer(ENDING.staysSent) },
  );
  await outcome(sending, true);
  await world.runtime.hot.query(`update sent_messages set status = 'delivered' where run_id = $1`, [
    sending.runId,
  ]);
  expect(await outcome(sending)).toMatchObject({ branch: 'delivered', output: { status: 'delivered' } });
});

test('spec, Endpoints: a send that does not wait sends the same body as ever, and its statuses reach no run', async () => {
  const sending = await send(TEMPLATE);
  const { branch, run_text: runText, output } = await outcome(sending);
  expect({ branch, runText }).toEqual({ branch: null, runText: 'Template sent successfully.' });
  expect(Object.keys(output).sort()).toEqual([
    'action',
    'message_id',
    'message_status',
    'recipient',
    'template_name',
  ]);
  const message = await sentTo(sending.customer);
  expect(message.payload).not.toHaveProperty('biz_opaque_callback_data');
  await expect
    .poll(
      async () =>
        (
          await world.runtime.hot.query('select from sent_messages where message_id = $1 and status = $2', [
            message.id,
            'delivered',
          ])
        ).rows.length,
    )
    .toBe(1);
  const { rows } = await world.runtime.hot.query('select from used_signals where id like $1', [
    `%${message.id}%`,
  ]);
  expect(rows).toEqual([]);
});

test('a message that is refused at once fails the task as ever; continued, it leaves by “Delivery failed”', async () => {
  const unknown = { ...TEMPLATE, template_name: 'no_such_template', ...PATIENT, wait_until: 'delivered' };
  expect(await outcome(await send(unknown))).toMatchObject({ run: 'failed', status: 'failed' });
  const executor = createMessagingBusinessExecutor(async () => world.runtime);
  expect(executor.branchAfterFailure?.(unknown)).toBe('delivery_failed');
  expect(executor.branchAfterFailure?.(TEMPLATE)).toBeUndefined();
  const left = await world.runtime.hot.query(
    'select from signal_waits w join runs r on r.id = w.run_id where r.finished_at is not null',
  );
  expect(left.rows).toEqual([]);
});
