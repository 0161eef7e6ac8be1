// Conversations played with the stand-in platform: a worker asks, a customer's phone answers, the run takes the exit.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getReceiver } from '#lib/messaging/connections/get-receiver.ts';
import { verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { answerHandshake, receiveNotification } from '#lib/messaging/notifications/receive-notification.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  type SandboxMessage,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { askAndWait } from './definition.ts';
import { createAskExecutor } from './execute.ts';

const PHONE = PLATFORM_IDS.booksOrders;

let world: MessagingWorld;
let worker: Awaited<ReturnType<typeof startWorker>>;
let server: Server;
let connectionId: string;
let customers = 0;

beforeAll(async () => {
  world = await startMessagingWorld();
  const executor = createAskExecutor(async () => world.runtime);
  worker = await startWorker({
    pools: world.runtime,
    clock: world.runtime.clock,
    runHousekeeping: async () => undefined,
    checkConnections: async () => undefined,
    findExecutor: (type) => (type === 'ask_and_wait' ? executor : undefined),
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    logger: pino({ level: 'silent' }),
    maxRuns: 200,
  });
  connectionId = (await world.connect()).id;
  await receiveNotifications();
});
afterAll(async () => {
  await worker.stop();
  server.closeAllConnections();
  server.close();
  await world.end();
});

/** The connection's receiver, as the sandbox reaches it; each notification comes twice. */
async function receiveNotifications(): Promise<void> {
  const token = (await getReceiver(world.ctx, { id: connectionId })).url.split('/').at(-1) ?? '';
  const { hot: pool, secrets, platform, logger } = world.runtime;
  const deps = { pool, secrets, appSecret: platform.appSecret, logger };
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = request.headers['x-hub-signature-256']?.toString() ?? null;
      const answering =
        request.method === 'GET'
          ? answerHandshake(deps, token, url.searchParams)
          : receiveNotification(deps, { token, rawBody: Buffer.concat(chunks), signature });
      void answering.then(({ status, body }) => response.writeHead(status).end(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await world.control('POST', 'settings', { notification_copies: 2 });
  await world.control('POST', 'subscriptions', {
    callback_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    verify_token: verifyTokenOf(token),
    account_id: PLATFORM_IDS.books,
  });
}

interface Conversation {
  runId: string;
  customer: string;
}

/** Starts a run that asks a customer who has just written. */
async function ask(
  settings: Record<string, unknown>,
  options: { writesFirst?: boolean } = {},
): Promise<Conversation> {
  const customer = `1555300${String((customers += 1)).padStart(4, '0')}`;
  if (options.writesFirst !== false) {
    await world.customerWrites(customer, PHONE, { text: 'Hello' });
    await isHeardOf(customer);
  }
  return { customer, runId: await start(settings, customer) };
}

/** Waits until a message of the customer was notified: later it would be the answer to a question. */
const isHeardOf = (customer: string) =>
  expect
    .poll(async () => {
      const { rows } = await world.runtime.hot.query(
        `select from events where convert_from(body, 'UTF8') like $1 limit 1`,
        [`%"${customer}"%`],
      );
      return rows.length;
    })
    .toBe(1);

async function start(settings: Record<string, unknown>, customer: string): Promise<string> {
  const sender = { app_connection_id: connectionId, phone_number_id: PHONE, recipient: '{{task_1_to}}' };
  const checked = checkSettings(askAndWait, { ...sender, ...settings }, 'publish');
  expect(checked.problems).toEqual([]);
  const graph: WorkflowGraph = {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
      { id: 2, type: 'ask_and_wait', name: 'Ask', settings: checked.settings ?? {} },
    ],
    edges: [{ from: 1, to: 2 }],
  };
  const { token } = await insertWorkflow(world.runtime.hot, graph, world.workspaceId);
  return startRun(createIntake(world.runtime.hot), token, { to: customer });
}

/** What the customer was sent, once there are so many. */
const received = (customer: string, count: number): Promise<SandboxMessage[]> =>
  vi.waitFor(
    async () => {
      const messages = await world.messages(`to=${customer}`);
      expect(messages).toHaveLength(count);
      return messages;
    },
    { timeout: 15_000, interval: 20 },
  );

const waits = ({ runId }: Conversation) =>
  expect
    .poll(
      async () =>
        (await world.runtime.hot.query<{ status: string }>('select status from runs where id = $1', [runId]))
          .rows[0]?.status,
      { timeout: 15_000 },
    )
    .toBe('waiting');

interface Interactive {
  action: {
    buttons?: { reply: { id: string; title: string } }[];
    sections?: { rows: { id: string; title: string }[] }[];
  };
}

/** Taps a button or a row of the customer's last question. */
async function tap({ customer }: Conversation, title: string): Promise<void> {
  const message = (await world.messages(`to=${customer}`)).findLast(({ type }) => type === 'interactive');
  const { action } = message?.payload['interactive'] as unknown as Interactive;
  const replies =
    action.buttons?.map(({ reply }) => reply) ?? action.sections?.flatMap(({ rows }) => rows) ?? [];
  const id = replies.find((each) => each.title === title)?.id;
  await world.control('POST', 'customer-messages', {
    customer,
    phone_number_id: PHONE,
    reply: { id, title, is_row: action.sections !== undefined, message_id: message?.id },
  });
}

const write = ({ customer }: Conversation, text: string) => world.customerWrites(customer, PHONE, { text });

async function outcome({ runId }: Conversation): Promise<{ branch: string; output: JsonObject }> {
  return vi.waitFor(
    async () => {
      const { rows } = await world.runtime.hot.query<{
        branch: string;
        output: string;
        status: string;
        error: unknown;
      }>(
        `select t.branch, t.output, t.status, t.error from task_runs t join runs r on r.id = t.run_id
         where t.run_id = $1 and t.task_id = 2 and r.finished_at is not null`,
        [runId],
      );
      const [row] = rows;
      if (!row) throw new Error('The run has not ended.');
      expect(row).toMatchObject({ status: 'succeeded', error: null });
      return { branch: row.branch, output: JSON.parse(row.output) as JsonObject };
    },
    { timeout: 20_000, interval: 20 },
  );
}

const BUTTONS = {
  question: 'When do you come?',
  buttons: [{ title: 'Monday' }, { title: 'Tuesday' }, { title: 'Not at all' }],
};

test('each of three buttons has its exit; the label may be written; anything else is another answer', async () => {
  const answers = [
    { act: (chat: Conversation) => tap(chat, 'Monday'), branch: 'choice_1', choice: 'Monday' },
    { act: (chat: Conversation) => tap(chat, 'Tuesday'), branch: 'choice_2', choice: 'Tuesday' },
    { act: (chat: Conversation) => tap(chat, 'Not at all'), branch: 'choice_3', choice: 'Not at all' },
    { act: (chat: Conversation) => write(chat, ' tuesday '), branch: 'choice_2', choice: 'Tuesday' },
    { act: (chat: Conversation) => write(chat, 'Perhaps'), branch: 'other', choice: '' },
  ];
  await Promise.all(
    answers.map(async ({ act, branch, choice }) => {
      const chat = await ask(BUTTONS);
      const [question] = await received(chat.customer, 1);
      expect(question).toMatchObject({ type: 'interactive', text: BUTTONS.question });
      await act(chat);
      expect(await outcome(chat)).toMatchObject({ branch, output: { choice, message_id: question?.id } });
      await received(chat.customer, 1);
    }),
  );
}, 60_000);

test('a list of rows', async () => {
  const chat = await ask({
    question: 'Which size?',
    answer_by: 'list',
    list_button: 'Sizes',
    rows: [
      { title: 'Small', description: 'Up to 10' },
      { title: 'Large', description: '' },
    ],
  });
  await received(chat.customer, 1);
  await tap(chat, 'Large');
  expect(await outcome(chat)).toMatchObject({
    branch: 'choice_2',
    output: { choice: 'Large', answer_type: 'interactive' },
  });
});

test('a text that is not of the expected kind is asked for again', async () => {
  const chat = await ask({
    question: 'How many?',
    answer_by: 'text',
    answer_kind: 'number',
    retry_text: 'Please write a number.',
  });
  await received(chat.customer, 1);
  await write(chat, 'a few');
  const [, again] = await received(chat.customer, 2);
  expect(again?.text).toBe('Please write a number.');
  await waits(chat);
  await write(chat, '12');
  expect(await outcome(chat)).toMatchObject({ branch: 'answered', output: { answer: '12' } });
});

test('messages in quick succession are one answer', async () => {
  const chat = await ask({ question: 'What is wrong?', answer_by: 'text', pause_seconds: 1 });
  await received(chat.customer, 1);
  await write(chat, 'The lid');
  await write(chat, 'is broken');
  expect(await outcome(chat)).toMatchObject({ branch: 'answered', output: { answer: 'The lid\nis broken' } });
});

test('reminders come while there is no answer, then the time is over; a tap on the first message still counts', async () => {
  const silent = {
    ...BUTTONS,
    wait_amount: 0.03,
    wait_unit: 'minutes',
    reminders: [{ amount: 0.01, unit: 'minutes', text: 'Are you there?' }],
  };
  const [nobody, late] = [await ask(silent), await ask({ ...silent, wait_amount: 5 })];
  for (const { customer } of [nobody, late]) {
    const messages = await received(customer, 2);
    expect(messages.map(({ text }) => text).toSorted()).toEqual(['Are you there?', BUTTONS.question]);
  }
  await tap(late, 'Monday');
  expect(await outcome(late)).toMatchObject({ branch: 'choice_1', output: { reminders_sent: 1 } });
  expect(await outcome(nobody)).toMatchObject({
    branch: 'no_answer',
    output: { reminders_sent: 1, answer: '' },
  });
});

test('a closed window and a failed delivery have exits of their own', async () => {
  const closed = await ask(BUTTONS, { writesFirst: false });
  expect(await outcome(closed)).toMatchObject({ branch: 'window_closed' });
  const failing = await ask(BUTTONS);
  const [question] = await received(failing.customer, 1);
  await waits(failing);
  await world.control('POST', `messages/${question?.id ?? ''}/status`, { status: 'failed' });
  expect(await outcome(failing)).toMatchObject({
    branch: 'undelivered',
    output: { errors: [{ code: 131026 }] },
  });
});

test('a tap answers its own question, whoever asked last; what is written answers the last one', async () => {
  const first = await ask(BUTTONS);
  await received(first.customer, 1);
  await waits(first);
  const last = {
    customer: first.customer,
    runId: await start({ question: 'And your name?', answer_by: 'text' }, first.customer),
  };
  await received(first.customer, 2);
  await waits(last);
  await tap(first, 'Tuesday');
  expect(await outcome(first)).toMatchObject({ branch: 'choice_2' });
  await write(last, 'Ada');
  expect(await outcome(last)).toMatchObject({ branch: 'answered', output: { answer: 'Ada' } });
});

test('in a run of a draft the question is captured and nobody is waited for', async () => {
  const sender = { app_connection_id: connectionId, phone_number_id: PHONE, recipient: '15553999999' };
  const shown: JsonObject[] = [];
  const result = await createAskExecutor(async () => world.runtime).execute({
    ...taskContext(askAndWait, { ...sender, ...BUTTONS }),
    workspaceId: world.workspaceId,
    now: new Date(),
    changeOutside: async (effect) => {
      shown.push(effect.shown());
      return effect.instead();
    },
  });
  expect(result).toMatchObject({ kind: 'done', branch: 'no_answer' });
  expect(shown).toMatchObject([{ kind: 'message', recipient: '15553999999' }]);
  expect(await world.messages('to=15553999999')).toEqual([]);
});
