// Conversations with the sandbox: a worker asks, a customer's phone answers, the run takes the exit.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  type SandboxMessage,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { startReceiver } from '#lib/messaging/testing/start-receiver.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { askAndWait } from './definition.ts';
import { createAskExecutor } from './execute.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

const PHONE = PLATFORM_IDS.booksOrders;

let world: MessagingWorld;
let worker: Awaited<ReturnType<typeof startWorker>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let connectionId: string;
let customers = 0;
/** Called before a run is executed with received signals. */
let beforeResumed: (() => Promise<void>) | undefined;

async function work(): Promise<void> {
  const ask = createAskExecutor(async () => world.runtime);
  const executor: TaskExecutor = {
    ...ask,
    async execute(context) {
      const before = context.resumed ? beforeResumed : undefined;
      if (before) beforeResumed = undefined;
      await before?.();
      return ask.execute(context);
    },
  };
  worker = await startWorker({
    pools: world.runtime,
    clock: world.runtime.clock,
    recurring: NOTHING_RECURS,
    findExecutor: (type) => (type === 'ask_and_wait' ? executor : undefined),
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    logger: pino({ level: 'silent' }),
    maxRuns: 200,
  });
}

beforeAll(async () => {
  world = await startMessagingWorld();
  await work();
  connectionId = (await world.connect()).id;
  // Each notification is delivered twice.
  await world.control('POST', 'settings', { notification_copies: 2 });
  receiver = await startReceiver(world, connectionId);
});
afterAll(async () => {
  await worker.stop();
  receiver.close();
  await world.end();
});

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

/** Waits for the notification of a message with this text or customer: a later one would count as the answer to a question. */
const isHeardOf = (text: string) =>
  expect
    .poll(async () => {
      const { rows } = await world.runtime.hot.query(
        `select from events where convert_from(body, 'UTF8') like $1 limit 1`,
        [`%"${text}"%`],
      );
      return rows.length;
    })
    .toBe(1);

async function start(
  settings: Record<string, unknown>,
  customer: string,
  body: JsonObject = {},
): Promise<string> {
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
  return startRun(createIntake(world.runtime.hot), token, { ...body, to: customer });
}

/** The messages to the customer, once there are this many. */
const received = (customer: string, count: number): Promise<SandboxMessage[]> =>
  vi.waitFor(
    async () => {
      const messages = await world.messages(`to=${customer}`);
      expect(messages).toHaveLength(count);
      return messages;
    },
    { interval: 20 },
  );

const waits = ({ runId }: Conversation) =>
  expect
    .poll(
      async () =>
        (await world.runtime.hot.query<{ status: string }>('select status from runs where id = $1', [runId]))
          .rows[0]?.status,
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
    { interval: 20 },
  );
}

async function runTextOf({ runId }: Conversation): Promise<string | undefined> {
  const { rows } = await world.runtime.hot.query<{ run_text: string }>(
    'select run_text from task_runs where run_id = $1 and task_id = 2',
    [runId],
  );
  return rows[0]?.run_text;
}

const REMINDER = { amount: 0.01, unit: 'minutes', text: 'Are you there?' };

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
});

test('a reaction to an earlier message and a removed one answer nothing, and the wait continues', async () => {
  const chat = await ask(BUTTONS);
  await received(chat.customer, 1);
  await waits(chat);
  const react = (reaction: object) =>
    world.control('POST', 'customer-messages', { customer: chat.customer, phone_number_id: PHONE, reaction });
  await react({ message_id: 'wamid.earlier', emoji: '❤️' });
  await react({ message_id: 'wamid.earlier' });
  await expect.poll(() => runTextOf(chat)).toBe('Waiting for the customer’s answer.');
  await waits(chat);
  await write(chat, 'Not at all!');
  expect(await outcome(chat)).toMatchObject({ branch: 'choice_3', output: { choice: 'Not at all' } });
});

test('numbers, dates and accepted answers come out in one spelling, however they are written', async () => {
  const answers = [
    { settings: { answer_kind: 'number' }, says: '2,500 €', answer: '2500' },
    { settings: { answer_kind: 'number', number_format: 'comma' }, says: '2.500', answer: '2500' },
    { settings: { answer_kind: 'date' }, says: '12.5.2030', answer: '2030-05-12' },
    { settings: { answer_kind: 'one_of', accepted_answers: 'Red, Blue' }, says: 'red!', answer: 'Red' },
  ];
  await Promise.all(
    answers.map(async ({ settings, says, answer }) => {
      const chat = await ask({ question: 'Well?', answer_by: 'text', ...settings });
      await received(chat.customer, 1);
      await write(chat, says);
      expect(await outcome(chat)).toMatchObject({
        branch: 'answered',
        output: { answer, message: { text: says } },
      });
    }),
  );
});

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

const NUMBER = {
  question: 'How many?',
  answer_by: 'text',
  answer_kind: 'number',
  retry_text: 'Please write a number.',
};

test('a text that is not of the expected kind is asked for again', async () => {
  const chat = await ask(NUMBER);
  await received(chat.customer, 1);
  await write(chat, 'a few');
  const [, again] = await received(chat.customer, 2);
  expect(again?.text).toBe('Please write a number.');
  await waits(chat);
  await write(chat, '12');
  expect(await outcome(chat)).toMatchObject({ branch: 'answered', output: { answer: '12' } });
});

const textsOf = (output: JsonObject) => (output['conversation'] as JsonObject[]).map(({ text }) => text);

const AGAIN = { ...NUMBER, retry_texts: [{ text: 'Only digits.' }], max_retries: 3 };

test('wrong twice, then right: each question has its own words, and another worker continues in between', async () => {
  const chat = await ask(AGAIN);
  await received(chat.customer, 1);
  await write(chat, 'a few');
  await received(chat.customer, 2);
  await waits(chat);
  await worker.stop();
  await write(chat, 'some');
  await isHeardOf('some');
  await work();
  await received(chat.customer, 3);
  await write(chat, '471203');
  const { branch, output } = await outcome(chat);
  expect({ branch, answer: output['answer'], asked: output['times_asked'] }).toEqual({
    branch: 'answered',
    answer: '471203',
    asked: 3,
  });
  expect(textsOf(output)).toEqual([
    'How many?',
    'a few',
    NUMBER.retry_text,
    'some',
    'Only digits.',
    '471203',
  ]);
  await received(chat.customer, 3);
});

test('wrong as often as it may be asked again: the last words are repeated, then it is another answer', async () => {
  const chat = await ask(AGAIN);
  for (const [asked, said] of ['one', 'two', 'three', 'four'].entries()) {
    await received(chat.customer, asked + 1);
    await waits(chat);
    await write(chat, said);
  }
  const { branch, output } = await outcome(chat);
  expect({ branch, answer: output['answer'], asked: output['times_asked'] }).toEqual({
    branch: 'other',
    answer: 'four',
    asked: 4,
  });
  const asked = (await received(chat.customer, 4)).map(({ text }) => text);
  expect(asked).toEqual(['How many?', NUMBER.retry_text, 'Only digits.', 'Only digits.']);
});

test('an answer that does not meet the conditions is asked for again, with its buttons', async () => {
  const isFree = [{ left: '{{task_2_choice}}', operator: 'not_equals', right: '{{task_1_taken}}' }];
  const settings = { ...BUTTONS, until: isFree, retry_text: '{{task_1_taken}} is taken. When else?' };
  const customer = `1555300${String((customers += 1)).padStart(4, '0')}`;
  await world.customerWrites(customer, PHONE, { text: 'Hello' });
  await isHeardOf(customer);
  const chat = { customer, runId: await start(settings, customer, { taken: 'Tuesday' }) };
  await received(customer, 1);
  await tap(chat, 'Tuesday');
  const [, again] = await received(customer, 2);
  expect(again).toMatchObject({ type: 'interactive', text: 'Tuesday is taken. When else?' });
  await waits(chat);
  await tap(chat, 'Monday');
  expect(await outcome(chat)).toMatchObject({
    branch: 'choice_1',
    output: { choice: 'Monday', times_asked: 2 },
  });
});

test('the time for the answer begins again with each question, and so do the reminders', async () => {
  const settings = { ...NUMBER, wait_amount: 0.05, wait_unit: 'minutes', reminders: [REMINDER] };
  const chat = await ask(settings);
  await received(chat.customer, 2);
  await write(chat, 'a few');
  const first = (await received(chat.customer, 4)).map(({ text }) => text);
  expect(first).toEqual(['How many?', REMINDER.text, NUMBER.retry_text, REMINDER.text]);
  const { branch, output } = await outcome(chat);
  expect({ branch, reminders: output['reminders_sent'] }).toEqual({ branch: 'no_answer', reminders: 2 });
  const again = (output['conversation'] as JsonObject[]).find(({ text }) => text === NUMBER.retry_text);
  const waitedMs = Date.parse(output['waits_until'] as string) - Date.parse(again?.['at'] as string);
  expect(waitedMs).toBe(3000);
});

test('what was written to an earlier question and comes late uses up no repeat, and counts where it is an answer', async () => {
  const chat = await ask({ ...NUMBER, max_retries: 1 });
  await received(chat.customer, 1);
  await write(chat, 'a few');
  await received(chat.customer, 2);
  await waits(chat);
  // As if it had been asked again only in half a minute.
  await world.runtime.hot.query(
    `update task_runs set state = jsonb_set(state::jsonb, '{memory,lastAskedAt}',
       to_jsonb((state::jsonb #>> '{memory,lastAskedAt}')::bigint + 30000))::text
     where run_id = $1 and task_id = 2`,
    [chat.runId],
  );
  await write(chat, 'perhaps');
  await expect.poll(() => runTextOf(chat)).toBe('Waiting for the customer’s answer.');
  await waits(chat);
  await write(chat, '471204');
  expect(await outcome(chat)).toMatchObject({ branch: 'answered', output: { answer: '471204' } });
  await received(chat.customer, 2);
});

test('what a customer adds before the text for an unexpected answer was sent is heard', async () => {
  const chat = await ask(NUMBER);
  await received(chat.customer, 1);
  await waits(chat);
  beforeResumed = async () => {
    await write(chat, '471101');
    await isHeardOf('471101');
  };
  await write(chat, 'a few');
  expect(await outcome(chat)).toMatchObject({ branch: 'answered', output: { answer: '471101' } });
  await received(chat.customer, 2);
});

test('of several messages that came while no worker was running, the first that is an answer counts', async () => {
  const chat = await ask(NUMBER);
  await received(chat.customer, 1);
  await waits(chat);
  await worker.stop();
  for (const text of ['quite a few', '471102', 'or more']) {
    await write(chat, text);
    await isHeardOf(text);
  }
  await work();
  const { branch, output } = await outcome(chat);
  expect({ branch, answer: output['answer'] }).toEqual({ branch: 'answered', answer: '471102' });
  expect((output['conversation'] as JsonObject[]).map(({ text }) => text)).toEqual([
    'How many?',
    'quite a few',
    '471102',
    'or more',
  ]);
  await received(chat.customer, 1);
});

test('what comes after the answer, before the run continues, is part of the conversation', async () => {
  const chat = await ask(NUMBER);
  await received(chat.customer, 1);
  await waits(chat);
  beforeResumed = async () => {
    await write(chat, 'Thank you!');
    await isHeardOf('Thank you!');
  };
  await write(chat, '12');
  const { output } = await outcome(chat);
  expect(output).toMatchObject({ answer: '12', conversation: [{}, { text: '12' }, { text: 'Thank you!' }] });
});

test('messages in quick succession are one answer', async () => {
  const chat = await ask({ question: 'What is wrong?', answer_by: 'text', pause_seconds: 2 });
  await received(chat.customer, 1);
  await write(chat, 'The lid');
  // Notifications may arrive in another order than the messages.
  await isHeardOf('The lid');
  await write(chat, 'is broken');
  expect(await outcome(chat)).toMatchObject({ branch: 'answered', output: { answer: 'The lid\nis broken' } });
});

test('reminders come while there is no answer, then the time is over; a tap on the first message still counts', async () => {
  const silent = {
    ...BUTTONS,
    wait_amount: 0.03,
    wait_unit: 'minutes',
    reminders: [REMINDER],
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

test('a question whose connection has never received a notification says so when there is no answer', async () => {
  const wait = { wait_amount: 0.01, wait_unit: 'minutes' };
  const { id } = await world.connect({ accountId: null, name: 'Silent' });
  const [unheard, heard] = await Promise.all([
    ask({ ...BUTTONS, ...wait, app_connection_id: id }),
    ask({ ...BUTTONS, ...wait }),
  ]);
  expect(await outcome(unheard)).toMatchObject({ branch: 'no_answer' });
  expect(await outcome(heard)).toMatchObject({ branch: 'no_answer' });
  expect(await runTextOf(unheard)).toBe(
    'No answer in time. Its connection has never received a notification: check on its page whether it is subscribed to notifications.',
  );
  expect(await runTextOf(heard)).toBe('No answer in time.');
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

test('an answer is heard where the platform has another number for the customer than the one that was entered', async () => {
  const [entered, number] = ['525553009999', '5215553009999'];
  await world.customerWrites(number, PHONE, { text: 'Hello' });
  await isHeardOf(number);
  const chat = { customer: number, runId: await start(BUTTONS, entered) };
  await received(number, 1);
  await waits(chat);
  await tap(chat, 'Tuesday');
  expect(await outcome(chat)).toMatchObject({ branch: 'choice_2', output: { recipient: entered } });
});

/** A message template of the account with two quick replies. */
const TEMPLATE = {
  answer_by: 'template',
  template_name: 'appointment_reminder',
  template_parameters: ['Ada', 'Monday', '10:30'],
  quick_replies: [
    { title: 'Confirm', index: 0 },
    { title: 'Reschedule', index: 1 },
  ],
};

/** Taps a quick reply of the customer's last message template. */
async function tapReply({ customer }: Conversation, text: string): Promise<void> {
  const message = (await world.messages(`to=${customer}`)).findLast(({ type }) => type === 'template');
  const { components } = message?.payload['template'] as unknown as {
    components: { sub_type?: string; index: string; parameters: { payload: string }[] }[];
  };
  const place = TEMPLATE.quick_replies.findIndex(({ title }) => title === text);
  const reply = components.find(
    ({ sub_type, index }) => sub_type === 'quick_reply' && index === String(place),
  );
  await world.control('POST', 'customer-messages', {
    customer,
    phone_number_id: PHONE,
    button: { text, payload: reply?.parameters[0]?.payload, message_id: message?.id },
  });
}

test('a customer who changes their number is followed: answers from the new one count, texts go to it', async () => {
  const move = async ({ customer, runId }: Conversation): Promise<Conversation> => {
    const number = `1555400${customer.slice(-4)}`;
    await world.control('POST', 'customer-numbers', { customer, number });
    await expect
      .poll(async () => {
        const { rows } = await world.runtime.hot.query<{ key: string }>(
          'select key from signal_waits where run_id = $1 and is_open',
          [runId],
        );
        return rows.map(({ key }) => key);
      })
      .toEqual([`customer:${PHONE}:${number}`]);
    return { customer: number, runId };
  };
  const [tapping, writing] = [
    await ask(BUTTONS),
    await ask({
      question: 'How many?',
      answer_by: 'text',
      answer_kind: 'number',
      retry_text: 'A number, please.',
    }),
  ];
  await received(tapping.customer, 1);
  await received(writing.customer, 1);
  await waits(tapping);
  await waits(writing);
  const [tapped, written] = [await move(tapping), await move(writing)];
  await write(written, 'many');
  expect(await received(written.customer, 1)).toMatchObject([{ text: 'A number, please.' }]);
  await waits(written);
  await write(written, '12');
  expect(await outcome(written)).toMatchObject({
    branch: 'answered',
    output: { answer: '12', recipient: written.customer },
  });
  await write(tapped, 'Tuesday');
  expect(await outcome(tapped)).toMatchObject({ branch: 'choice_2', output: { recipient: tapped.customer } });
});

test('an answer right after a change of the number is not lost, though no worker has seen the change yet', async () => {
  const chats = [await ask(BUTTONS), await ask(NUMBER)];
  const moved: Conversation[] = [];
  for (const chat of chats) {
    await received(chat.customer, 1);
    await waits(chat);
  }
  await worker.stop();
  for (const { customer, runId } of chats) {
    const number = `1555500${customer.slice(-4)}`;
    await world.control('POST', 'customer-numbers', { customer, number });
    await isHeardOf(`Customer ${customer.slice(-4)} changed from ${customer} to ${number}`);
    moved.push({ customer: number, runId });
  }
  const [tapped, written] = moved as [Conversation, Conversation];
  await write(tapped, 'Tuesday');
  await write(written, 'a few');
  for (const { customer } of moved) await isHeardOf(customer);
  await work();
  expect(await outcome(tapped)).toMatchObject({ branch: 'choice_2', output: { recipient: tapped.customer } });
  expect(await received(written.customer, 1)).toMatchObject([{ text: NUMBER.retry_text }]);
  await waits(written);
  await write(written, '12');
  expect(await outcome(written)).toMatchObject({ branch: 'answered', output: { answer: '12' } });
});

test('platform-conversation §5, quick replies: a message template asks at any time, each has its exit', async () => {
  const chats = await Promise.all([1, 2, 3].map(() => ask(TEMPLATE, { writesFirst: false })));
  const [first, second, other] = chats as [Conversation, Conversation, Conversation];
  const [question] = await received(first.customer, 1);
  expect(question).toMatchObject({ type: 'template', template_name: 'appointment_reminder' });
  for (const chat of chats) await waits(chat);
  await tapReply(second, 'Reschedule');
  await tapReply(first, 'Confirm');
  await write(other, 'Who is this?');
  expect(await outcome(first)).toMatchObject({
    branch: 'choice_1',
    output: {
      choice: 'Confirm',
      answer_type: 'button',
      conversation: [
        { by: 'business', template: 'appointment_reminder', choices: ['Confirm', 'Reschedule'] },
        { by: 'customer', text: 'Confirm' },
      ],
    },
  });
  expect(await outcome(second)).toMatchObject({ branch: 'choice_2' });
  expect(await outcome(other)).toMatchObject({ branch: 'other', output: { answer: 'Who is this?' } });
});

test('a tap on a quick reply answers its own question, though another one was asked last', async () => {
  const first = await ask(TEMPLATE);
  await received(first.customer, 1);
  await waits(first);
  const last = { customer: first.customer, runId: await start({ ...BUTTONS }, first.customer) };
  await received(first.customer, 2);
  await waits(last);
  await tapReply(first, 'Reschedule');
  expect(await outcome(first)).toMatchObject({ branch: 'choice_2' });
  await tap(last, 'Monday');
  expect(await outcome(last)).toMatchObject({ branch: 'choice_1' });
});

test('a reminder that is due while the window is closed is left out, and the wait continues', async () => {
  const chat = await ask(
    { ...TEMPLATE, wait_amount: 0.03, wait_unit: 'minutes', reminders: [REMINDER] },
    { writesFirst: false },
  );
  await received(chat.customer, 1);
  expect(await outcome(chat)).toMatchObject({ branch: 'no_answer', output: { reminders_sent: 0 } });
  expect(await runTextOf(chat)).toBe(
    'No answer in time. A reminder was left out: the customer’s 24-hour window was closed or the customer was on hold.',
  );
  await received(chat.customer, 1);
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
