// Webhooks that become one run (docs/engine.md, "Bursts"), through the real receiver and tables, with two receivers as two web processes have
// them. Bursts are due when a test says so, except where a worker starts one.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProcessClock, systemClock } from '#lib/core/clock.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { type AdvanceOutcome, advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { startBurst } from '#lib/engine/store/bursts.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { cancelRun, retryRun } from '#lib/runs/change-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { patientLegs } from '#lib/tasks/testing/patient-legs.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { webhookRuntime, type WebhookRuntime } from '#lib/webhooks/runtime.ts';
import type { WebhookAnswer } from '#lib/webhooks/types.ts';
import { deleteWorkflow } from '#lib/workflows/lifecycle.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let db: Database;
const closing: (() => Promise<void>)[] = [];
let first: WebhookRuntime;
let second: WebhookRuntime;
/** Its callers wait for a second only. */
let hasty: WebhookRuntime;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'bursts' });
  const open = (answerSeconds: string): WebhookRuntime => {
    const settings = parseSettings({ DATABASE_URL: database.url, ANSWER_TIMEOUT_SECONDS: answerSeconds });
    const runtime = openRuntime('web', settings, logger);
    const webhooks = webhookRuntime(runtime, { instantTasks: patientLegs });
    closing.push(
      () => webhooks.close(),
      () => runtime.close(),
    );
    return webhooks;
  };
  first = open('60');
  second = open('60');
  hasty = open('1');
});
afterAll(async () => {
  for (const close of closing) await close();
  await db.$client.end();
  await database.drop();
});

const HOUR = 3600;
const BODY = '{"last": {{task_1_n}}, "all": {{task_1.WEBHOOKS}}}';

/** Its loop has an item for each webhook; the last one is in a variable. */
const insert = (settings: object = {}, quietSeconds: number | undefined = HOUR) =>
  insertWorkflow(db.$client, {
    tasks: [
      {
        id: 1,
        type: 'inbound_webhook',
        name: 'In',
        settings: {
          response_type: 'immediate',
          quiet_seconds: quietSeconds,
          quiet_by: '{{order}}',
          ...settings,
        },
      },
      { id: 2, type: 'loop', name: 'Each', settings: { items: '{{task_1.WEBHOOKS}}' } },
      {
        id: 3,
        type: 'set_variables',
        name: 'Item',
        settings: { variables: [{ name: 'n', value: '{{task_2_item_n}}' }] },
      },
      {
        id: 4,
        type: 'set_variables',
        name: 'Last',
        settings: { variables: [{ name: 'n', value: '{{task_1_n}}' }] },
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ],
  });
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
  { at = first, kind = 'production', headers = {}, ...body }: Sent = {},
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

interface StoredEvent {
  id: string;
  outcome: string;
  run_id: string | null;
}

const rowsOf = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
  (await db.$client.query<Row>(text, values)).rows;
const eventsOf = ({ workflowId }: InsertedWorkflow) =>
  rowsOf<StoredEvent>('select id, outcome, run_id from events where workflow_id = $1 order by id', [
    workflowId,
  ]);
const runsOf = ({ workflowId }: InsertedWorkflow) =>
  rowsOf<{ id: string; status: string; event_id: string; version: number }>(
    'select id, status, event_id, version from runs where workflow_id = $1 order by id',
    [workflowId],
  );
const burstsOf = ({ workflowId }: InsertedWorkflow) =>
  rowsOf<{ run_id: string; webhooks: number }>(
    'select run_id, webhooks from webhook_bursts where workflow_id = $1 order by run_id',
    [workflowId],
  );

/** @returns the stored event, and the run that it belongs to */
async function send(workflow: InsertedWorkflow, sent: Sent = {}): Promise<StoredEvent> {
  const { headers } = await post(workflow, sent);
  const [event] = await rowsOf<StoredEvent>('select id, outcome, run_id from events where id = $1', [
    headers['X-Event-Id'],
  ]);
  if (!event) throw new Error('The webhook was not stored.');
  return event;
}

/** Nothing has arrived for long enough. */
const endQuiet = ({ workflowId }: InsertedWorkflow) =>
  db.$client.query(`update webhook_bursts set due_at = now() - interval '1 second' where workflow_id = $1`, [
    workflowId,
  ]);

/** What the job of a burst does. */
const startRun = (runId: string) => startBurst(db.$client, runId);

/** Takes a run like a worker, if it may be executed, and advances it. */
async function advance(runId: string): Promise<AdvanceOutcome | 'not due'> {
  const store = createRunStore(db.$client, newId());
  const [run] = await store.take([runId]);
  if (!run) return 'not due';
  const graph = await store.loadGraph(run.workflowId, run.version);
  const webhooks = await store.loadWebhooks(run, graph);
  return advanceRun(new RunState({ ...run, event: { ...run.event, webhooks } }, graph, []), {
    store,
    clock: systemClock,
    random: () => 0.5,
    findExecutor,
    renderAnswer: (state, failed) => renderRunAnswer(state, failed, new Date()),
    onUnexpectedError: (error) => {
      throw error;
    },
    stopping: new AbortController().signal,
  });
}

/** What the tasks of a run have seen: each item of the loop, and the fields of the trigger. */
async function seenBy(runId: string): Promise<{ items: number[]; last: number | undefined }> {
  const rows = await rowsOf<{ task_id: number; output: string }>(
    `select task_id, output from task_runs where run_id = $1 and task_id in (3, 4) order by task_id, iteration::int`.replace(
      'iteration::int',
      `nullif(iteration, '')::int`,
    ),
    [runId],
  );
  const numbers = (id: number): number[] =>
    rows
      .filter(({ task_id }) => task_id === id)
      .map(({ output }) => Number((JSON.parse(output) as JsonObject)['n']));
  return { items: numbers(3), last: numbers(4)[0] };
}

async function finish(workflow: InsertedWorkflow, runId: string): Promise<void> {
  await endQuiet(workflow);
  expect(await startRun(runId)).toBeUndefined();
  expect(await advance(runId)).toBe('succeeded');
}

describe('webhooks with the same value', () => {
  it('become one run, with the fields of the last one and a list of all', async () => {
    const workflow = await insert();
    const opened = await send(workflow, { n: 1 });
    const others = [await send(workflow, { n: 2, at: second }), await send(workflow, { n: 3 })];
    const runId = opened.run_id ?? '';
    expect(opened.outcome).toBe('triggered');
    for (const other of others) expect(other).toMatchObject({ outcome: 'collected', run_id: runId });
    expect(await runsOf(workflow)).toMatchObject([{ id: runId, status: 'queued' }]);
    expect(await advance(runId)).toBe('not due');
    expect(await startRun(runId)).toBeGreaterThan((HOUR - 60) * 1000);
    expect(await advance(runId)).toBe('not due');
    const waiting = await getRun(contextOf(workflow), { id: runId });
    expect(Date.parse(waiting.waits_for_quiet_until ?? '')).toBeGreaterThan(Date.now() + (HOUR - 60) * 1000);
    await finish(workflow, runId);
    expect(await seenBy(runId)).toEqual({ items: [1, 2, 3], last: 3 });
    expect(await getRun(contextOf(workflow), { id: runId })).toMatchObject({
      status: 'succeeded',
      event_id: others[1]?.id,
      burst_event_ids: [opened.id, ...others.map(({ id }) => id)],
      waits_for_quiet_until: null,
    });
    expect(await burstsOf(workflow)).toEqual([]);
    // The job may come twice.
    expect(await startRun(runId)).toBeUndefined();
    expect(await rowsOf('select from run_lines where run_id = $1', [runId])).toEqual([]);
  });

  it('are separate for each value, and start at once without one', async () => {
    const workflow = await insert();
    const [a, b] = [await send(workflow, { order: 'A' }), await send(workflow, { order: 'B' })];
    expect(await send(workflow, { order: ' A ' })).toMatchObject({ outcome: 'collected', run_id: a.run_id });
    expect(b.run_id).not.toBe(a.run_id);
    const without = [await send(workflow, { order: '' }), await send(workflow, { order: null })];
    for (const { outcome } of without) expect(outcome).toBe('triggered');
    const ids = without.map(({ run_id: runId }) => runId);
    expect(new Set(ids).size).toBe(2);
    expect(await rowsOf('select from burst_events where run_id = any($1::uuid[])', [ids])).toEqual([]);
    expect(await rowsOf('select from runs where id = any($1::uuid[]) and line is null', [ids])).toHaveLength(
      2,
    );
  });

  it('are all of the workflow where no value is given', async () => {
    const [workflow, other] = [await insert({ quiet_by: undefined }), await insert({ quiet_by: undefined })];
    const { run_id: runId } = await send(workflow, { order: 'A' });
    expect(await send(workflow, { order: 'B' })).toMatchObject({ outcome: 'collected', run_id: runId });
    expect((await send(other)).outcome).toBe('triggered');
  });

  it('begin another burst once the time is over, whether the first has started or not', async () => {
    const workflow = await insert();
    const early = await send(workflow, { n: 1 });
    await endQuiet(workflow);
    const late = await send(workflow, { n: 2 });
    expect(late.outcome).toBe('triggered');
    // The first one has lost its place in the table, and still starts.
    expect(await startRun(early.run_id ?? '')).toBeUndefined();
    expect(await advance(early.run_id ?? '')).toBe('succeeded');
    await finish(workflow, late.run_id ?? '');
    expect(await seenBy(early.run_id ?? '')).toEqual({ items: [1], last: 1 });
    expect(await seenBy(late.run_id ?? '')).toEqual({ items: [2], last: 2 });
  });

  it('do not wait longer than ten times as long', async () => {
    const workflow = await insert({}, 60);
    const { run_id: runId } = await send(workflow);
    const dueIn = async (): Promise<number> => {
      await send(workflow);
      const waitsMs = (await startRun(runId ?? '')) ?? 0;
      return Math.round(waitsMs / 1000);
    };
    const ago = (seconds: number) =>
      db.$client.query(
        'update webhook_bursts set opened_at = now() - $2 * interval $$1 second$$ where workflow_id = $1',
        [workflow.workflowId, seconds],
      );
    expect(await dueIn()).toBeGreaterThan(40);
    await ago(590);
    expect(await dueIn()).toBeLessThanOrEqual(10);
  });

  it('are at most a hundred, or four megabytes', async () => {
    const workflow = await insert();
    await Promise.all(
      Array.from({ length: 250 }, (_, n) => post(workflow, { n, at: n % 2 ? first : second })),
    );
    const counts = await rowsOf<{ count: number }>(
      `select count(*)::int as count from burst_events b join runs r on r.id = b.run_id where r.workflow_id = $1
       group by b.run_id order by 1`,
      [workflow.workflowId],
    );
    expect(counts.map(({ count }) => count)).toEqual([50, 100, 100]);
    // Those that are full start without waiting.
    const due = await rowsOf(
      `select from graphile_worker._private_jobs j join runs r on r.id::text = j.payload ->> 'run_id'
       where r.workflow_id = $1 and j.run_at <= now()`,
      [workflow.workflowId],
    );
    expect(due).toHaveLength(2);
    const large = await insert();
    const filler = 'x'.repeat(3 * 1024 * 1024);
    const outcomes: string[] = [];
    for (let n = 0; n < 3; n += 1) outcomes.push((await send(large, { n, filler })).outcome);
    expect(outcomes).toEqual(['triggered', 'collected', 'triggered']);
  });

  it('are each in one run, while bursts start and other webhooks arrive', async () => {
    const workflow = await insert();
    let isOver = false;
    const starting = (async () => {
      while (!isOver) {
        await endQuiet(workflow);
        for (const { id } of await runsOf(workflow)) await startRun(id);
      }
    })();
    await Promise.all(
      Array.from({ length: 6 }, async (_, sender) => {
        for (let n = 0; n < 20; n += 1)
          await post(workflow, { order: `order ${n % 3}`, n, at: sender % 2 ? first : second });
      }),
    );
    isOver = true;
    await starting;
    await endQuiet(workflow);
    for (const { id } of await runsOf(workflow)) await startRun(id);
    const runs = await runsOf(workflow);
    expect(runs.length).toBeGreaterThan(3);
    const collected = await rowsOf<{ run_id: string; event_id: string; stored: string | null }>(
      `select b.run_id, b.event_id, e.run_id as stored from burst_events b join runs r on r.id = b.run_id
       join events e on e.id = b.event_id where r.workflow_id = $1 order by b.run_id, b.place`,
      [workflow.workflowId],
    );
    expect(collected).toHaveLength(120);
    expect(new Set(collected.map(({ event_id: id }) => id)).size).toBe(120);
    for (const { run_id: runId, stored } of collected) expect(stored).toBe(runId);
    for (const { id, event_id: eventId } of runs) {
      expect(collected.findLast(({ run_id: runId }) => runId === id)?.event_id).toBe(eventId);
      expect(await advance(id)).toBe('succeeded');
    }
    expect((await eventsOf(workflow)).filter(({ outcome }) => outcome === 'triggered')).toHaveLength(
      runs.length,
    );
  });
});

describe('the callers of a burst', () => {
  it('get the response of its run where they wait for that', async () => {
    const workflow = await insert({ response_type: 'after_workflow', response_body: BODY });
    const answers = [post(workflow, { n: 1 }), post(workflow, { n: 2, at: second })];
    await vi.waitFor(async () => expect(await burstsOf(workflow)).toMatchObject([{ webhooks: 2 }]), 20_000);
    const [run] = await runsOf(workflow);
    await finish(workflow, run?.id ?? '');
    const [one, other] = await Promise.all(answers);
    expect(one?.status).toBe(200);
    expect(other?.body).toBe(one?.body);
    expect(JSON.parse(one?.body ?? '')).toMatchObject({ all: [{ order: 'A' }, { order: 'A' }] });
  });

  it('get 202 where it takes longer than callers wait', async () => {
    const workflow = await insert({ response_type: 'after_workflow' });
    await post(workflow, { at: hasty });
    const answer = await post(workflow, { at: hasty });
    const [run] = await runsOf(workflow);
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.body)).toEqual({ status: 'running', run_id: run?.id });
  });

  it('get the immediate response at once, and the test URL starts nothing', async () => {
    const workflow = await insert({ response_body: '{"number": {{n}}}' });
    expect(await post(workflow, { n: 7 })).toMatchObject({ status: 200, body: '{"number": 7}' });
    expect(await post(workflow, { n: 8 })).toMatchObject({ status: 200, body: '{"number": 8}' });
    expect((await post(workflow, { kind: 'test' })).status).toBe(200);
    expect(await burstsOf(workflow)).toMatchObject([{ webhooks: 2 }]);
  });
});

describe('a copy of a webhook', () => {
  const DUPLICATES = { deduplicate_by: 'field', deduplicate_field: 'n' };

  it('is in no burst', async () => {
    const workflow = await insert(DUPLICATES);
    await Promise.all([1, 2, 1, 2].map((n, at) => post(workflow, { n, at: at % 2 ? first : second })));
    await post(workflow, { n: 2 });
    const outcomes = (await eventsOf(workflow)).map(({ outcome }) => outcome).toSorted();
    expect(outcomes).toEqual(['collected', 'duplicate', 'duplicate', 'duplicate', 'triggered']);
    expect(await burstsOf(workflow)).toMatchObject([{ webhooks: 2 }]);
  });

  it('gets the response of the run of the burst, also where both arrive together', async () => {
    const workflow = await insert({ ...DUPLICATES, response_type: 'after_workflow', response_body: BODY });
    const opened = post(workflow, { n: 1 });
    await vi.waitFor(async () => expect(await burstsOf(workflow)).toHaveLength(1), 20_000);
    const answers = [opened, ...[2, 2, 2].map((n) => post(workflow, { n }))];
    await vi.waitFor(async () => expect(await eventsOf(workflow)).toHaveLength(4), 20_000);
    answers.push(post(workflow, { n: 2, at: second }));
    await vi.waitFor(async () => expect(await eventsOf(workflow)).toHaveLength(5), 20_000);
    const [run] = await runsOf(workflow);
    await finish(workflow, run?.id ?? '');
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ last: 2, all: [{ n: 1 }, { n: 2 }] });
  });
});

describe('while a burst waits', () => {
  it('a cancelled run takes its webhooks with it, and the next one opens another burst', async () => {
    const workflow = await insert();
    const { run_id: runId } = await send(workflow);
    await send(workflow);
    await cancelRun(contextOf(workflow), { id: runId ?? '' });
    expect(await burstsOf(workflow)).toEqual([]);
    expect(await startRun(runId ?? '')).toBeUndefined();
    const next = await send(workflow, { n: 2 });
    expect(next.outcome).toBe('triggered');
    await finish(workflow, next.run_id ?? '');
    expect((await runsOf(workflow)).map(({ status }) => status)).toEqual(['cancelled', 'succeeded']);
  });

  it('a new version begins a new burst, and the open one executes its own', async () => {
    const workflow = await insert();
    const { workflowId } = workflow;
    const before = await send(workflow);
    await db.$client.query(
      `insert into workflow_versions (workflow_id, version, name, graph)
       select workflow_id, 2, name, graph from workflow_versions where workflow_id = $1`,
      [workflowId],
    );
    await db.$client.query('update workflows set published_version = 2 where id = $1', [workflowId]);
    // The receiver may still know the version before.
    const after = await send(workflow, { n: 2 });
    expect(after.outcome).toBe('triggered');
    await startRun(before.run_id ?? '');
    expect(await advance(before.run_id ?? '')).toBe('succeeded');
    await finish(workflow, after.run_id ?? '');
    expect((await runsOf(workflow)).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('a paused workflow starts what it accepted, and one that holds its webhooks holds their run, too', async () => {
    const workflow = await insert();
    const set = (active: boolean, holds: boolean) =>
      db.$client.query('update workflows set active = $2, holds_runs = $3 where id = $1', [
        workflow.workflowId,
        active,
        holds,
      ]);
    const accepted = await send(workflow);
    await set(false, false);
    expect((await post(workflow)).status).toBe(409);
    await finish(workflow, accepted.run_id ?? '');
    await set(false, true);
    const held = await send(workflow, { n: 5 });
    expect(await send(workflow, { n: 6 })).toMatchObject({ outcome: 'collected', run_id: held.run_id });
    await endQuiet(workflow);
    await startRun(held.run_id ?? '');
    expect(await advance(held.run_id ?? '')).toBe('not due');
    expect((await getRun(contextOf(workflow), { id: held.run_id ?? '' })).waits_for_runs).toBe(0);
    await set(true, false);
    await db.$client.query('select open_gate($1)', [workflow.workflowId]);
    expect(await advance(held.run_id ?? '')).toBe('succeeded');
    expect(await seenBy(held.run_id ?? '')).toEqual({ items: [5, 6], last: 6 });
  });

  it('a deleted workflow has no open bursts', async () => {
    const workflow = await insert();
    for (const order of ['A', 'B', 'C']) await send(workflow, { order });
    await deleteWorkflow(contextOf(workflow), { id: workflow.workflowId, cancel_runs: true });
    expect(await burstsOf(workflow)).toEqual([]);
    expect((await runsOf(workflow)).map(({ status }) => status)).toEqual(Array(3).fill('cancelled'));
  });

  it('runs of an order wait for each other from their start on, and count for a limit then', async () => {
    const workflow = await insert({ order_by: 'all', quiet_by: '{{order}}' });
    await db.$client.query('update workflows set max_concurrent_runs = 1 where id = $1', [
      workflow.workflowId,
    ]);
    const [a, b] = [await send(workflow, { order: 'A' }), await send(workflow, { order: 'B' })];
    expect(await rowsOf('select from run_gates where workflow_id = $1', [workflow.workflowId])).toEqual([]);
    await endQuiet(workflow);
    await startRun(b.run_id ?? '');
    await startRun(a.run_id ?? '');
    expect(await advance(a.run_id ?? '')).toBe('not due');
    expect(await advance(b.run_id ?? '')).toBe('succeeded');
    expect(await advance(a.run_id ?? '')).toBe('succeeded');
    const left =
      'select from run_lines where workflow_id = $1 union all select from run_gates where workflow_id = $1';
    expect(await rowsOf(left, [workflow.workflowId])).toEqual([]);
  });
});

describe('afterwards', () => {
  it('a run that is started again has the same webhooks, and a replayed event itself alone', async () => {
    const workflow = await insert();
    const opened = await send(workflow, { n: 1 });
    await send(workflow, { n: 2 });
    await finish(workflow, opened.run_id ?? '');
    const again = await retryRun(contextOf(workflow), { id: opened.run_id ?? '', from: 'start' });
    expect(await advance(again.id)).toBe('succeeded');
    expect(await seenBy(again.id)).toEqual({ items: [1, 2], last: 2 });
    expect(again.burst_event_ids).toHaveLength(2);
    await expect(replayEvent(contextOf(workflow), { id: opened.id })).rejects.toThrow('already ran');
    const replay = await replayEvent(contextOf(workflow), { id: opened.id, repeat: true });
    expect(await advance(replay.run_id ?? '')).toBe('succeeded');
    expect(await seenBy(replay.run_id ?? '')).toEqual({ items: [1], last: 1 });
  });
});

it('a worker starts a burst when it is quiet', async () => {
  const workflow = await insert({}, 1);
  const { $client: pool } = openDatabase(database.url, { name: 'worker' });
  const worker = await startWorker({
    pools: { engine: pool, vital: pool },
    findExecutor,
    renderAnswer: (state, failed) => renderRunAnswer(state, failed, new Date()),
    logger,
    clock: new ProcessClock(),
    maxRuns: 20,
    recurring: NOTHING_RECURS,
  });
  try {
    const { run_id: runId } = await send(workflow, { n: 1 });
    await send(workflow, { n: 2 });
    await vi.waitFor(async () => expect((await runsOf(workflow))[0]?.status).toBe('succeeded'), 30_000);
    expect(await runsOf(workflow)).toMatchObject([{ id: runId }]);
    expect(await seenBy(runId ?? '')).toEqual({ items: [1, 2], last: 2 });
  } finally {
    await worker.stop();
    await pool.end();
  }
});
