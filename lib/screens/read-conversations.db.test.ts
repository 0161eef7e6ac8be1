import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { readConversations } from './read-conversations.ts';

const CUSTOMER = '15550001111';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const GRAPH = {
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
    { id: 2, type: 'ask_and_wait', name: 'Ask', settings: { recipient: CUSTOMER } },
    {
      id: 3,
      type: 'messaging_business',
      name: 'Send',
      settings: { action: 'send_text', message_text: 'See you, {{task_1_name}}!' },
    },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'choice_1' },
  ],
};

const said = (by: SaidMessage['by'], second: number, text: string, choices: string[] = []) => ({
  by,
  at: `2030-01-01T10:00:0${second}.000Z`,
  text,
  choices,
});

const QUESTION = said('business', 1, `Is ${CUSTOMER} right?`, ['Yes', 'No']);

interface TaskRunRow {
  id: number;
  status?: string;
  output?: object;
}

/** A run with these task runs, which ended at 10:00:05. */
async function runWith(rows: readonly TaskRunRow[], body: object = { name: 'Ada' }, graph = GRAPH) {
  const { $client: pool } = context.ctx.db;
  const { token } = await insertWorkflow(pool, graph, context.ctx.workspaceId);
  const runId = await startRun(createIntake(pool), token, body);
  for (const { id, status = 'succeeded', output } of [{ id: 1 }, ...rows] as TaskRunRow[]) {
    await pool.query(
      `insert into task_runs (run_id, task_id, status, output, started_at, finished_at)
       values ($1, $2, $3, $4, '2030-01-01T10:00:00Z', '2030-01-01T10:00:05Z')
       on conflict (run_id, task_id, iteration) do nothing`,
      [runId, id, status, output ? JSON.stringify(output) : null],
    );
  }
  return runId;
}

const read = (
  runId: string,
  viewer: { role: 'viewer' | 'editor'; masksNumbers: boolean },
  ctx = context.ctx,
) => readConversations({ ...ctx, ...viewer }, runId);
const EDITOR = { role: 'editor', masksNumbers: true } as const;

const asked = (more: object = {}) => ({
  id: 2,
  output: { recipient: CUSTOMER, conversation: [QUESTION], waits_until: '2030-01-02T10:00:00.000Z', ...more },
});

test('question, answer and what other tasks sent to the same customer, in the order of time', async () => {
  const answered = asked({ conversation: [QUESTION, said('customer', 3, 'Yes')] });
  const sent = { id: 3, output: { recipient: CUSTOMER, message_id: 'wamid.2' } };
  expect(await read(await runWith([answered, sent]), EDITOR)).toMatchObject([
    {
      customer: CUSTOMER,
      waitsUntil: null,
      messages: [
        { by: 'business', text: QUESTION.text, choices: ['Yes', 'No'] },
        { by: 'customer', text: 'Yes' },
        { by: 'business', text: 'See you, Ada!', id: 'wamid.2' },
      ],
    },
  ]);
});

test('an answer follows its question, though the platform tells its time in whole seconds', async () => {
  const question = { ...QUESTION, at: '2030-01-01T10:00:01.420Z' };
  const answered = asked({ conversation: [question, said('customer', 1, 'Yes')] });
  const [conversation] = await read(await runWith([answered]), EDITOR);
  expect(conversation?.messages.map(({ text }) => text)).toEqual([QUESTION.text, 'Yes']);
});

test('while it waits it says until when', async () => {
  const [conversation] = await read(await runWith([{ ...asked(), status: 'waiting' }]), EDITOR);
  expect(conversation?.waitsUntil).toBe('2030-01-02T10:00:00.000Z');
});

test('the message that started the run comes first', async () => {
  const message = {
    kind: 'message',
    from: CUSTOMER,
    message_id: 'wamid.0',
    type: 'text',
    text: 'Hello',
    timestamp: 1893491990,
  };
  const [conversation] = await read(await runWith([asked()], message), EDITOR);
  expect(conversation?.messages.map(({ text }) => text)).toEqual(['Hello', QUESTION.text]);
});

test('numbers are masked for who may not see them', async () => {
  const [conversation] = await read(await runWith([asked()]), { role: 'viewer', masksNumbers: true });
  expect(conversation).toMatchObject({ customer: '••••1111', messages: [{ text: 'Is ••••1111 right?' }] });
});

test('a run that only sends has no conversation; neither has one that talks with nobody', async () => {
  const sending = { ...GRAPH, tasks: GRAPH.tasks.filter(({ id }) => id !== 2), edges: [{ from: 1, to: 3 }] };
  const sent = { id: 3, output: { recipient: CUSTOMER, message_id: 'wamid.2' } };
  expect(await read(await runWith([sent], {}, sending), EDITOR)).toEqual([]);
  const silent = { tasks: GRAPH.tasks.slice(0, 1), edges: [] };
  expect(await read(await runWith([], {}, silent), EDITOR)).toEqual([]);
});

test('a run of another workspace is not found', async () => {
  await expect(read(await runWith([asked()]), EDITOR, context.stranger)).rejects.toMatchObject({
    code: 'not_found',
  });
});
