// Runs that a trigger orders, through the real receiver, tables and workers (docs/engine.md, "Lines"), with two receivers as two web
// processes have them.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProcessClock, systemClock } from '#lib/core/clock.ts';
import { type Database, openDatabase, type Pool } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { type AdvanceOutcome, advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { settleLines } from '#lib/engine/store/run-lines.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import { type TaskContext, TaskError, type TaskResult } from '#lib/engine/task-executor.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { cancelRun, resolveTaskRun, retryRun } from '#lib/runs/change-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { patientLegs } from '#lib/tasks/testing/patient-legs.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createBodyThread } from '#lib/webhooks/body-thread/client.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { webhookRuntime, type WebhookRuntime } from '#lib/webhooks/runtime.ts';
import type { WebhookAnswer } from '#lib/webhooks/types.ts';
import { deleteWorkflow } from '#lib/workflows/lifecycle.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let db: Database;
const closing: (() => Promise<void>)[] = [];
/** Executes first legs, as web processes do. */
let first: WebhookRuntime;
/** Leaves all runs to the workers. */
let second: WebhookRuntime;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'lines' });
  const open = (FIRST_LEG: string): WebhookRuntime => {
    const settings = parseSettings({ DATABASE_URL: database.url, FIRST_LEG, ANSWER_TIMEOUT_SECONDS: '10' });
    const runtime = openRuntime('web', settings, logger);
    const thread = createBodyThread(new URL('body-thread.ts', import.meta.url));
    const webhooks = webhookRuntime(runtime, { instantTasks: patientLegs, thread });
    closing.push(
      () => webhooks.close(),
      () => runtime.close(),
    );
    return webhooks;
  };
  first = open('on');
  second = open('off');
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
  settings: { response_type: 'immediate', order_by: '{{order}}', ...settings },
});
/** Only a worker executes it: `work` says how. */
const WORK = { id: 2, type: 'http_request', name: 'Work', settings: {} };
const SET = {
  id: 2,
  type: 'set_variables',
  name: 'Text',
  settings: { variables: [{ name: 'text', value: '{{task_1_n}}' }] },
};
const graph = (task: WorkflowTask, settings: object): WorkflowGraph => ({
  tasks: [trigger(settings), task],
  edges: [{ from: 1, to: 2 }],
});
const insert = (settings: object = {}, task: WorkflowTask = WORK) =>
  insertWorkflow(db.$client, graph(task, settings));
const contextOf = ({ workspaceId }: InsertedWorkflow) => ({
  db,
  workspaceId,
  actor: 'test',
  baseUrl: '',
  secrets: undefined as never,
});

interface Sent {
  order?: unknown;
  n?: number;
  at?: WebhookRuntime;
  kind?: 'production' | 'test';
  headers?: Record<string, string>;
  filler?: string;
}

function post(
  { token }: InsertedWorkflow,
  { at = second, kind = 'production', headers = {}, ...body }: Sent = {},
): Promise<WebhookAnswer> {
  const bytes = Buffer.from(JSON.stringify({ order: 'A', n: 1, ...body }));
  return at.receive({
    kind,
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    declaredBytes: bytes.byteLength,
    readBody: async (collect) => collect(bytes),
  });
}

/** @returns the id of its run */
async function start(workflow: InsertedWorkflow, sent: Sent = {}): Promise<string> {
  const { headers } = await post(workflow, sent);
  const { rows } = await db.$client.query<{ run_id: string }>('select run_id from events where id = $1', [
    headers['X-Event-Id'],
  ]);
  return rows[0]?.run_id ?? '';
}

/** Another failed run of the first event. */
async function failedRun(workflow: InsertedWorkflow): Promise<string> {
  const { rows } = await db.$client.query<{ id: string; event_id: string }>(
    `select id, event_id from runs where workflow_id = $1 order by id limit 1`,
    [workflow.workflowId],
  );
  const runId = newId();
  await db.$client.query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at)
     values ($1, $2, $3, 1, $4, 'failed', now())`,
    [runId, workflow.workspaceId, workflow.workflowId, rows[0]?.event_id],
  );
  return runId;
}

/** The machine may be busy. */
const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, 20_000);
/** The runs of a line, in its order, and which of them has its turn. */
const lineOf = async ({ workflowId }: InsertedWorkflow) =>
  (
    await db.$client.query<{ id: string; turn: boolean }>(
      'select run_id as id, has_turn as turn from run_lines where workflow_id = $1 order by line, place',
      [workflowId],
    )
  ).rows;
/** How often a run has a job. */
const jobsOf = async (runId: string): Promise<number> =>
  (
    await db.$client.query(
      `select 1 from graphile_worker._private_jobs where (payload -> 'run_ids')::jsonb @> to_jsonb($1::text)`,
      [runId],
    )
  ).rowCount ?? 0;

const renderAnswer = (known: RunState, failed: boolean) => renderRunAnswer(known, failed, new Date());
type Work = (context: TaskContext) => TaskResult | Promise<TaskResult>;
const done: Work = () => ({ kind: 'done', output: {}, runText: 'Done.' });
const fail: Work = () => {
  throw new TaskError('scripted', 'It is set to fail.');
};
const executorsOf =
  (work: Work): typeof findExecutor =>
  (type) =>
    type === 'http_request'
      ? { hasSideEffect: () => true, ifInterrupted: () => 'flag', execute: async (context) => work(context) }
      : findExecutor(type);

/** Takes a run like a worker, if it is due, and advances it. */
async function advance(
  runId: string,
  work = done,
  pool: Pool = db.$client,
): Promise<AdvanceOutcome | 'not due'> {
  const store = createRunStore(pool, newId());
  const [run] = await store.take([runId]);
  if (!run) return 'not due';
  const loaded = await store.loadGraph(run.workflowId, run.version);
  const taskRuns = run.epoch === 1 ? [] : await store.loadTaskRuns(run.id, loaded);
  return advanceRun(new RunState(run, loaded, taskRuns), {
    store,
    clock: systemClock,
    random: () => 0.5,
    findExecutor: executorsOf(work),
    renderAnswer,
    onUnexpectedError: (error) => {
      throw error;
    },
    stopping: new AbortController().signal,
  });
}

async function runWorkers(count: number, work: Work): Promise<() => Promise<void>> {
  const workers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { $client: pool } = openDatabase(database.url, { name: `worker ${index}` });
      const worker = await startWorker({
        pools: { engine: pool, vital: pool },
        findExecutor: executorsOf(work),
        renderAnswer,
        logger,
        clock: new ProcessClock(),
        maxRuns: 20,
        recurring: NOTHING_RECURS,
      });
      return async () => {
        await worker.stop();
        await pool.end();
      };
    }),
  );
  return async () => void (await Promise.all(workers.map((stop) => stop())));
}

describe('runs with the same value', () => {
  it('are executed one at a time, as they were stored, by several workers and under concurrent arrivals', async () => {
    const workflow = await insert();
    const [orders, each] = [['A', 'B', 'C', 'D', 'E'], 12];
    const underWay = new Map<string, number>();
    const executed = new Map<string, string[]>();
    let most = 0;
    const stop = await runWorkers(2, async ({ runId }) => {
      const { rows } = await db.$client.query<{ line: string }>('select line from runs where id = $1', [
        runId,
      ]);
      const line = rows[0]?.line ?? '';
      underWay.set(line, (underWay.get(line) ?? 0) + 1);
      most = Math.max(most, ...underWay.values());
      executed.set(line, [...(executed.get(line) ?? []), runId]);
      await new Promise((resolve) => setTimeout(resolve, 2));
      underWay.set(line, (underWay.get(line) ?? 0) - 1);
      return done(undefined as never);
    });
    try {
      // Each sender waits for its answer before it sends the next one, at the other process.
      const sent = await Promise.all(
        orders.map(async (order) => {
          const ids: string[] = [];
          for (let n = 0; n < each; n += 1)
            ids.push(await start(workflow, { order, n, at: n % 2 ? first : second }));
          return ids;
        }),
      );
      await until(async () => expect(await lineOf(workflow)).toEqual([]));
      expect([...executed.values()].toSorted((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''))).toEqual(
        sent.toSorted((a, b) => (a[0] ?? '').localeCompare(b[0] ?? '')),
      );
      expect(most).toBe(1);
    } finally {
      await stop();
    }
  });

  it('that arrive together have the order of their places, and one job for all that may begin', async () => {
    const workflow = await insert();
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        post(workflow, { order: `order ${n % 3}`, n, at: n % 2 ? first : second }),
      ),
    );
    const line = await lineOf(workflow);
    expect(line).toHaveLength(60);
    expect(line.filter(({ turn }) => turn)).toHaveLength(3);
    expect([0, 20, 40].map((at) => line[at]?.turn)).toEqual([true, true, true]);
    for (const { id, turn } of line) {
      expect(await jobsOf(id)).toBe(Number(turn));
      if (!turn) expect(await advance(id)).toBe('not due');
    }
    for (const { id } of line.toSorted((a, b) => (line.indexOf(a) % 20) - (line.indexOf(b) % 20)))
      expect(await advance(id)).toBe('succeeded');
    expect(await lineOf(workflow)).toEqual([]);
  });

  it('are one line whatever their type; without a value a run waits for no other', async () => {
    const workflow = await insert();
    const [number, text] = [await start(workflow, { order: 7 }), await start(workflow, { order: ' 7 ' })];
    expect(await lineOf(workflow)).toEqual([
      { id: number, turn: true },
      { id: text, turn: false },
    ]);
    const none = [await start(workflow, { order: '' }), await start(workflow, { order: null })];
    for (const id of none) expect(await advance(id)).toBe('succeeded');
  });

  it('wait also where their bodies are large, which another thread renders', async () => {
    const workflow = await insert();
    const head = await start(workflow);
    const large = await start(workflow, { filler: 'x'.repeat(2 * 1024 * 1024) });
    expect(await lineOf(workflow)).toEqual([
      { id: head, turn: true },
      { id: large, turn: false },
    ]);
  });

  it('of another workflow are another line', async () => {
    const [one, other] = [await insert(), await insert()];
    await start(one);
    expect(await advance(await start(other))).toBe('succeeded');
  });
});

describe('the next run has its turn when the one before it', () => {
  it.each([
    ['succeeds', async (id: string) => expect(await advance(id)).toBe('succeeded')],
    ['fails', async (id: string) => expect(await advance(id, fail)).toBe('failed')],
    [
      'is cancelled before it begins',
      async (id: string, workflow: InsertedWorkflow) => cancelRun(contextOf(workflow), { id }),
    ],
    [
      'is cancelled while it waits',
      async (id: string, workflow: InsertedWorkflow) => {
        const until = new Date(Date.now() + 60_000);
        const wait: Work = () => ({ kind: 'wait', until, output: {}, runText: 'Waits.' });
        expect(await advance(id, wait)).toBe('waiting');
        // It keeps its place.
        expect((await lineOf(workflow))[0]).toEqual({ id, turn: true });
        await cancelRun(contextOf(workflow), { id });
      },
    ],
    [
      'is cancelled while a worker executes it',
      async (id: string, workflow: InsertedWorkflow) => {
        const outcome = await advance(id, async (context) => {
          await cancelRun(contextOf(workflow), { id });
          return done(context);
        });
        expect(outcome).toBe('lost');
      },
    ],
  ])('%s', async (_, end) => {
    const workflow = await insert();
    const [head, next, last] = [await start(workflow), await start(workflow), await start(workflow)];
    expect([await jobsOf(head), await jobsOf(next)]).toEqual([1, 0]);
    expect(await getRun(contextOf(workflow), { id: last })).toMatchObject({
      status: 'queued',
      waits_for_run: head,
    });
    await end(head, workflow);
    expect(await lineOf(workflow)).toEqual([
      { id: next, turn: true },
      { id: last, turn: false },
    ]);
    expect(await jobsOf(next)).toBe(1);
    expect((await getRun(contextOf(workflow), { id: next })).waits_for_run).toBeNull();
    for (const id of [next, last]) expect(await advance(id)).toBe('succeeded');
  });

  it.each(['arrival', 'end'] as const)('ends while another one arrives, the %s first', async (earlier) => {
    const workflow = await insert();
    const head = await start(workflow);
    const { rows } = await db.$client.query<{ line: string }>('select line from runs where id = $1', [head]);
    const holder = await db.$client.connect();
    try {
      await holder.query('begin');
      await holder.query('select lock_lines($1::uuid[])', [[rows[0]?.line]]);
      const isBlocked = async (count: number) =>
        until(async () => {
          const { rows: waiting } = await db.$client.query(
            `select 1 from pg_locks where locktype = 'advisory' and not granted
               and database = (select oid from pg_database where datname = current_database())`,
          );
          expect(waiting).toHaveLength(count);
        });
      let arrives: Promise<string> | undefined;
      let ends: Promise<AdvanceOutcome | 'not due'> | undefined;
      if (earlier === 'arrival') arrives = start(workflow);
      else ends = advance(head);
      await isBlocked(1);
      arrives ??= start(workflow);
      ends ??= advance(head);
      await isBlocked(2);
      await holder.query('commit');
      const [next, outcome] = await Promise.all([arrives, ends]);
      expect(outcome).toBe('succeeded');
      expect(await lineOf(workflow)).toEqual([{ id: next, turn: true }]);
      expect(await jobsOf(next)).toBe(1);
    } finally {
      holder.release();
    }
  });
});

describe('a run', () => {
  it('that is cancelled while it is queued leaves the line, and the others keep their order', async () => {
    const workflow = await insert();
    const [head, middle, last] = [await start(workflow), await start(workflow), await start(workflow)];
    await cancelRun(contextOf(workflow), { id: middle });
    expect(await lineOf(workflow)).toEqual([
      { id: head, turn: true },
      { id: last, turn: false },
    ]);
  });

  it('that is retried, resumed or replayed joins the end of its line', async () => {
    const workflow = await insert();
    const ctx = contextOf(workflow);
    const failed = await start(workflow);
    await advance(failed, fail);
    const [head, last] = [await start(workflow), await start(workflow)];
    await retryRun(ctx, { id: failed, from: 'failed_task' });
    const again = await retryRun(ctx, { id: await failedRun(workflow), from: 'start' });
    const { event_id: eventId } = await getRun(ctx, { id: head });
    const replay = await replayEvent(ctx, { id: eventId, repeat: true });
    const expected = [head, last, failed, again.id, replay.run_id];
    expect((await lineOf(workflow)).map(({ id }) => id)).toEqual(expected);
    for (const id of expected) expect(await advance(id ?? '')).toBe('succeeded');
  });

  it('whose send has to be repeated joins the end, and one that is marked as done ends', async () => {
    const workflow = await insert();
    const ctx = contextOf(workflow);
    const unknown: Work = () => {
      throw new TaskError('lost', 'No answer.', { outcomeUnknown: true });
    };
    const flagged = await start(workflow);
    expect(await advance(flagged, unknown)).toBe('failed');
    const head = await start(workflow);
    await resolveTaskRun(ctx, { id: flagged, task_id: 2, iteration: [], as: 'resend' });
    expect(await lineOf(workflow)).toEqual([
      { id: head, turn: true },
      { id: flagged, turn: false },
    ]);
  });

  it('is a first leg in the transaction of its webhook where nobody is before it', async () => {
    const workflow = await insert({}, SET);
    const order = newId();
    const ids = await Promise.all([1, 2, 3].map((n) => start(workflow, { n, at: first, order })));
    for (const id of ids) expect((await getRun(contextOf(workflow), { id })).status).toBe('succeeded');
    expect(await lineOf(workflow)).toEqual([]);
  });

  it('behind others is executed when it has its turn, and its caller waits for it', async () => {
    const settings = { response_type: 'after_workflow', response_body: '{"n":{{task_2_text}}}' };
    const workflow = await insert(settings, SET);
    const isWaiting = async (count: number) =>
      until(async () => expect(await lineOf(workflow)).toHaveLength(count));
    const answers = [post(workflow, { n: 1 })];
    await isWaiting(1);
    answers.push(post(workflow, { n: 2, at: first }));
    await isWaiting(2);
    const [head, next] = (await lineOf(workflow)).map(({ id }) => id);
    expect(await advance(next ?? '')).toBe('not due');
    expect(await advance(head ?? '')).toBe('succeeded');
    expect(await advance(next ?? '')).toBe('succeeded');
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('keeps its place while copies of its webhook arrive', async () => {
    const settings = {
      response_type: 'after_workflow',
      response_body: '{{task_2_text}}',
      deduplicate_by: 'idempotency_key',
    };
    const workflow = await insert(settings, SET);
    const headers = { 'idempotency-key': 'one' };
    const original = post(workflow, { at: first, headers });
    await until(async () => expect(await lineOf(workflow)).toHaveLength(1));
    const copy = post(workflow, { at: second, headers });
    const other = post(workflow, { at: first, n: 5, headers: { 'idempotency-key': 'two' } });
    await until(async () => expect(await lineOf(workflow)).toHaveLength(2));
    for (const { id } of await lineOf(workflow)) expect(await advance(id)).toBe('succeeded');
    expect((await Promise.all([original, copy, other])).map(({ body }) => body)).toEqual(['1', '1', '5']);
  });

  it('of the test URL is none, and is in no line', async () => {
    const workflow = await insert();
    await start(workflow);
    expect((await post(workflow, { kind: 'test' })).status).toBe(200);
    expect(await lineOf(workflow)).toHaveLength(1);
  });
});

describe('a line', () => {
  it('continues while its workflow is paused, and is gone when it is deleted with its runs', async () => {
    const workflow = await insert();
    const ctx = contextOf(workflow);
    const [head, next] = [await start(workflow), await start(workflow)];
    await start(workflow);
    await db.$client.query('update workflows set active = false where id = $1', [workflow.workflowId]);
    expect(await advance(head)).toBe('succeeded');
    expect((await lineOf(workflow))[0]).toEqual({ id: next, turn: true });
    await deleteWorkflow(ctx, { id: workflow.workflowId, cancel_runs: true });
    expect(await lineOf(workflow)).toEqual([]);
    expect((await getRun(ctx, { id: next })).status).toBe('cancelled');
  });

  it('is locked with very many others by a lock of the table, which no arrival passes', async () => {
    const workflow = await insert();
    const holder = await db.$client.connect();
    try {
      await holder.query('begin');
      const { rows } = await holder.query<{ locks: number }>(
        `select count(*)::int as locks from (
           select lock_lines(array_agg(gen_random_uuid())) from generate_series(1, 1001)
         ) locked, pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
      );
      expect(rows).toEqual([{ locks: 0 }]);
      const arrives = start(workflow);
      await until(async () => {
        const { rowCount } = await db.$client.query(
          `select from pg_locks where relation = 'run_lines'::regclass and not granted`,
        );
        expect(rowCount).toBe(1);
      });
      await holder.query('commit');
      const id = await arrives;
      expect(await lineOf(workflow)).toEqual([{ id, turn: true }]);
    } finally {
      holder.release();
    }
  });

  it('whose first run an older version has ended continues', async () => {
    const workflow = await insert();
    const [head, next] = [await start(workflow), await start(workflow)];
    await db.$client.query(`update runs set status = 'succeeded' where id = $1`, [head]);
    await settleLines(db.$client);
    expect(await lineOf(workflow)).toEqual([{ id: next, turn: true }]);
    expect(await jobsOf(next)).toBe(1);
    await settleLines(db.$client);
    expect(await jobsOf(next)).toBe(1);
  });
});

it('a run without the setting is written by the statements that know no lines', async () => {
  const namesOf = async (settings: object): Promise<string[]> => {
    const workflow = await insert(settings);
    const names: string[] = [];
    const query = (statement: { name?: string }) => {
      if (statement.name) names.push(statement.name);
      return db.$client.query(statement as never);
    };
    const id = await start(workflow);
    expect(await advance(id, done, { query } as unknown as Pool)).toBe('succeeded');
    return names.filter((name) => name.startsWith('write_runs'));
  };
  expect(await namesOf({})).toEqual(['write_runs_in_lines']);
  expect(await namesOf({ order_by: '' })).toEqual(['write_runs']);
});
