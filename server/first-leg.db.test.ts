// First legs through the real receiver and tables: afterwards they have the same rows as after a worker.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import { advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { systemClock } from '#lib/core/clock.ts';
import { newId } from '#lib/core/ids.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { patientLegs } from '#lib/tasks/testing/patient-legs.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { webhookRuntime, type WebhookRuntime } from '#lib/webhooks/runtime.ts';

const logger = pino({ level: 'silent' });

let database: TestDatabase;
let db: Database;
const closing: (() => Promise<void>)[] = [];
let withLegs: WebhookRuntime;
let withoutLegs: WebhookRuntime;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'first-leg' });
  const open = (FIRST_LEG: string): WebhookRuntime => {
    const settings = parseSettings({ DATABASE_URL: database.url, FIRST_LEG });
    const runtime = openRuntime('web', settings, logger);
    const webhooks = webhookRuntime(runtime, { instantTasks: patientLegs });
    closing.push(
      () => webhooks.close(),
      () => runtime.close(),
    );
    return webhooks;
  };
  withLegs = open('on');
  withoutLegs = open('off');
});
afterAll(async () => {
  for (const close of closing) await close();
  await db.$client.end();
  await database.drop();
});

const trigger = (settings: object): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'In',
  settings: { response_type: 'immediate', response_body: 'ok', ...settings },
});
const awaiting = (response_body: string) => trigger({ response_type: 'after_workflow', response_body });
const task = (id: number, type: string, settings: object): WorkflowTask => ({
  id,
  type,
  name: `Task ${id}`,
  settings: { ...settings },
});
const setText = (id: number, value: string) =>
  task(id, 'set_variables', { variables: [{ name: 'text', value }] });
const isLarge = task(2, 'if_condition', {
  conditions: [{ left: '{{task_1_total}}', operator: 'greater_than', right: '100' }],
});
const BRANCHES = [
  { from: 1, to: 2 },
  { from: 2, to: 3, branch: 'true' },
  { from: 2, to: 4, branch: 'false' },
];

const branching = (first: WorkflowTask): WorkflowGraph => ({
  tasks: [first, isLarge, setText(3, 'Large: {{task_1_name}} \\ "{{task_1_total}}"'), setText(4, 'Small')],
  edges: BRANCHES,
});

async function post({ receive }: WebhookRuntime, { token }: InsertedWorkflow, body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  return receive({
    kind: 'production',
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    declaredBytes: bytes.byteLength,
    readBody: async (collect) => collect(bytes),
  });
}

/** @returns the response, whose leg was written */
async function postWithLeg(workflow: InsertedWorkflow, body: object) {
  const answer = await post(withLegs, workflow, body);
  expect((await runOf(answer.headers['X-Event-Id']))?.status).not.toBe('queued');
  return answer;
}

const runOf = async (eventId: string | undefined) => {
  const { rows } = await db.$client.query<Record<string, unknown> & { id: string; status: string }>(
    `select r.*, extract(epoch from resume_at - created_at)::int as waits_seconds from runs r where event_id = $1`,
    [eventId],
  );
  return rows[0];
};
const taskRunsOf = async (runId: string | undefined) => {
  const { rows } = await db.$client.query<Record<string, unknown>>(
    `select task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state, items, resume_at,
      started_at is not null as started, finished_at is not null as finished
     from task_runs where run_id = $1 order by task_id, iteration`,
    [runId],
  );
  return rows;
};
const jobsOf = async (runId: string) => {
  const { rows } = await db.$client.query<{ in_seconds: number }>(
    `select extract(epoch from run_at - now())::int as in_seconds from graphile_worker._private_jobs
     where payload::text like '%' || $1 || '%'`,
    [runId],
  );
  return rows;
};

/** Like a worker. */
async function advance(runId: string): Promise<void> {
  const store = createRunStore(db.$client, newId());
  const [run] = await store.take([runId]);
  if (!run) throw new Error('The run is not due.');
  const graph = await store.loadGraph(run.workflowId, run.version);
  const state = new RunState(run, graph, run.epoch === 1 ? [] : await store.loadTaskRuns(run.id, graph));
  await advanceRun(state, {
    store,
    clock: systemClock,
    random: () => 0.5,
    findExecutor,
    renderAnswer: (known, failed) => renderRunAnswer(known, failed, new Date()),
    onUnexpectedError: (error) => {
      throw error;
    },
    stopping: new AbortController().signal,
  });
}

it.each([{ total: 200 }, { total: 5 }, { total: 'many' }, {}])(
  'leaves in the tables what a worker would have (%j)',
  async (body) => {
    const workflow = await insertWorkflow(db.$client, branching(trigger({})));
    const sent = { name: 'Order\u0000 "Ä"\n', ...body };
    const [early, late] = [await postWithLeg(workflow, sent), await post(withoutLegs, workflow, sent)];
    expect([early.status, early.body]).toEqual([late.status, late.body]);
    const [earlyRun, lateRun] = [
      await runOf(early.headers['X-Event-Id']),
      await runOf(late.headers['X-Event-Id']),
    ];
    expect(lateRun?.status).toBe('queued');
    await advance(lateRun?.id ?? '');
    const done = await runOf(late.headers['X-Event-Id']);
    expect([earlyRun?.status, earlyRun?.error, earlyRun?.answer]).toEqual([
      done?.status,
      done?.error,
      done?.answer,
    ]);
    expect(earlyRun?.finished_at).toBeInstanceOf(Date);
    expect(await taskRunsOf(earlyRun?.id)).toEqual(await taskRunsOf(lateRun?.id));
    expect(await jobsOf(earlyRun?.id ?? '')).toEqual([]);
  },
);

it('answers a caller who waits from the commit, without any worker', async () => {
  const workflow = await insertWorkflow(db.$client, branching(awaiting('{"text":"{{task_3_text}}"}')));
  const answer = await postWithLeg(workflow, { total: 200, name: 'One' });
  expect([answer.status, answer.body]).toEqual([200, '{"text":"Large: One \\\\ \\"200\\""}']);
  const run = await runOf(answer.headers['X-Event-Id']);
  expect(run).toMatchObject({ status: 'succeeded', answer: { status: 200, body: answer.body } });
});

it('commits a long wait with its timer, and answers when the Delay is reached', async () => {
  const delay = task(2, 'delay', { mode: 'for', amount: '1', unit: 'hours' });
  const workflow = await insertWorkflow(db.$client, {
    tasks: [awaiting('{{task_3_run}}'), delay, setText(3, 'Later')],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const answer = await postWithLeg(workflow, {});
  expect(answer.status).toBe(200);
  const run = await runOf(answer.headers['X-Event-Id']);
  expect(run).toMatchObject({ status: 'waiting', epoch: 1, waits_seconds: 3600 });
  expect((await taskRunsOf(run?.id)).map(({ status }) => status)).toEqual(['succeeded', 'waiting']);
  expect(await jobsOf(run?.id ?? '')).toEqual([{ in_seconds: expect.closeTo(3600, -2) as number }]);
  await db.$client.query('update runs set resume_at = now() where id = $1', [run?.id]);
  await db.$client.query(`update task_runs set resume_at = now() where run_id = $1 and status = 'waiting'`, [
    run?.id,
  ]);
  await advance(run?.id ?? '');
  expect(await runOf(answer.headers['X-Event-Id'])).toMatchObject({ status: 'succeeded', epoch: 2 });
});

it('leaves a run that calls another service to the workers, whole', async () => {
  const call = task(3, 'http_request', { method: 'GET', url: 'https://example.com' });
  const workflow = await insertWorkflow(db.$client, {
    tasks: [trigger({}), isLarge, call],
    edges: BRANCHES.slice(0, 2),
  });
  const [small, large] = [
    await postWithLeg(workflow, { total: 1 }),
    await post(withLegs, workflow, { total: 200 }),
  ];
  expect((await runOf(small.headers['X-Event-Id']))?.status).toBe('succeeded');
  const run = await runOf(large.headers['X-Event-Id']);
  expect(run).toMatchObject({ status: 'queued', epoch: 0, started_at: null });
  expect(await taskRunsOf(run?.id)).toEqual([]);
  expect(await jobsOf(run?.id ?? '')).toHaveLength(1);
});

it('keeps nothing of a leg whose workflow was paused meanwhile, and executes the version that is published', async () => {
  const workflow = await insertWorkflow(db.$client, branching(awaiting('first')));
  await post(withLegs, workflow, {});
  await db.$client.query(
    `insert into workflow_versions (workflow_id, version, name, graph) values ($1, 2, 'Workflow', $2)`,
    [workflow.workflowId, JSON.stringify(branching(awaiting('second')))],
  );
  await db.$client.query('update workflows set published_version = 2 where id = $1', [workflow.workflowId]);
  const answer = await postWithLeg(workflow, {});
  expect(answer.body).toBe('second');
  expect(await runOf(answer.headers['X-Event-Id'])).toMatchObject({ version: 2, status: 'succeeded' });
  await db.$client.query('update workflows set active = false where id = $1', [workflow.workflowId]);
  const refused = await post(withLegs, workflow, {});
  expect(refused.status).toBe(409);
  expect(await runOf(refused.headers['X-Event-Id'])).toBeUndefined();
  const { rows } = await db.$client.query(
    'select 1 from task_runs t where not exists (select from runs r where r.id = t.run_id)',
  );
  expect(rows).toEqual([]);
});

it('writes webhooks with and without a leg in one batch', async () => {
  const call = task(3, 'http_request', { method: 'GET', url: 'https://example.com' });
  const calling = await insertWorkflow(db.$client, {
    tasks: [trigger({}), call],
    edges: [{ from: 1, to: 3 }],
  });
  const ending = await insertWorkflow(db.$client, branching(trigger({})));
  const paused = await insertWorkflow(db.$client, branching(trigger({})));
  await db.$client.query('update workflows set active = false where id = $1', [paused.workflowId]);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      post(withLegs, [calling, ending, paused][index % 3] ?? ending, { total: index }),
    ),
  );
  const found = await Promise.all(answers.map(({ headers }) => runOf(headers['X-Event-Id'])));
  const statuses = Map.groupBy(found.keys(), (index) => index % 3);
  const statusesOf = (kind: number) => new Set(statuses.get(kind)?.map((index) => found[index]?.status));
  expect(statusesOf(0)).toEqual(new Set(['queued']));
  expect(statusesOf(1)).toContain('succeeded');
  expect(statusesOf(2)).toEqual(new Set([undefined]));
  for (const run of found) {
    if (!run) continue;
    expect(await taskRunsOf(run.id)).toHaveLength(run.status === 'queued' ? 0 : 4);
    expect(await jobsOf(run.id)).toHaveLength(run.status === 'queued' ? 1 : 0);
  }
});
