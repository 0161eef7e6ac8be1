// Workflows that limit how many runs they execute at once, or hold them while they are paused, through the real receiver, tables and workers
// (docs/engine.md, "Gates").
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProcessClock } from '#lib/core/clock.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { settleLines } from '#lib/engine/store/run-lines.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { TaskContext } from '#lib/engine/task-executor.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { cancelRun } from '#lib/runs/change-run.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { patientLegs } from '#lib/tasks/testing/patient-legs.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { webhookRuntime, type WebhookRuntime } from '#lib/webhooks/runtime.ts';
import type { WebhookAnswer } from '#lib/webhooks/types.ts';
import {
  activateWorkflow,
  deleteWorkflow,
  limitRuns,
  pauseWorkflow,
  setWorkspaceRunLimit,
  countHeldRuns,
} from '#lib/workflows/lifecycle.ts';

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
  db = openDatabase(database.url, { name: 'gates' });
  const open = (FIRST_LEG: string): WebhookRuntime => {
    const settings = parseSettings({ DATABASE_URL: database.url, FIRST_LEG, ANSWER_TIMEOUT_SECONDS: '10' });
    const runtime = openRuntime('web', settings, logger);
    const webhooks = webhookRuntime(runtime, { instantTasks: patientLegs });
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

const WORK = { id: 2, type: 'http_request', name: 'Work', settings: {} };
const SET = {
  id: 2,
  type: 'set_variables',
  name: 'Text',
  settings: { variables: [{ name: 'text', value: '{{task_1_n}}' }] },
};
const insert = (settings: object = {}, task: typeof WORK | typeof SET = WORK, workspace?: string) =>
  insertWorkflow(
    db.$client,
    {
      tasks: [
        {
          id: 1,
          type: 'inbound_webhook',
          name: 'In',
          settings: { response_type: 'immediate', response_body: '{"ok":true}', ...settings },
        },
        task,
      ],
      edges: [{ from: 1, to: 2 }],
    },
    workspace,
  );
const contextOf = ({ workspaceId }: InsertedWorkflow) => ({
  db,
  workspaceId,
  actor: 'test',
  baseUrl: '',
  // Nothing here reads the URLs.
  secrets: { open: () => '' } as never,
});
const limit = (workflow: InsertedWorkflow, max_concurrent_runs: number | null) =>
  limitRuns(contextOf(workflow), { id: workflow.workflowId, max_concurrent_runs });
const heldAt = (workflow: InsertedWorkflow) =>
  countHeldRuns(contextOf(workflow), { id: workflow.workflowId });
const hold = (workflow: InsertedWorkflow) =>
  pauseWorkflow(contextOf(workflow), { id: workflow.workflowId, hold: true });
const resume = (workflow: InsertedWorkflow) =>
  activateWorkflow(contextOf(workflow), { id: workflow.workflowId });

function post(
  { token }: InsertedWorkflow,
  body: object = {},
  { at = second, headers = {} }: { at?: WebhookRuntime; headers?: Record<string, string> } = {},
): Promise<WebhookAnswer> {
  const bytes = Buffer.from(JSON.stringify(body));
  return at.receive({
    kind: 'production',
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    declaredBytes: bytes.byteLength,
    readBody: async (collect) => collect(bytes),
  });
}

const runOf = async ({ headers }: WebhookAnswer): Promise<string> =>
  (
    await db.$client.query<{ run_id: string }>('select run_id from events where id = $1', [
      headers['X-Event-Id'],
    ])
  ).rows[0]?.run_id ?? '';
const start = async (...args: Parameters<typeof post>): Promise<string> => runOf(await post(...args));

/** The runs at a gate, in their order. */
const gateOf = async ({ workflowId }: InsertedWorkflow) =>
  (
    await db.$client.query<{ id: string; through: boolean }>(
      'select run_id as id, is_through as through from run_gates where workflow_id = $1 order by place',
      [workflowId],
    )
  ).rows;
const waitingAt = async (workflow: InsertedWorkflow): Promise<string[]> =>
  (await gateOf(workflow)).filter(({ through }) => !through).map(({ id }) => id);
const isDue = async (id: string): Promise<boolean> =>
  (await createRunStore(db.$client, newId()).take([id])).length > 0;
const statusOf = async (workflow: InsertedWorkflow, id: string) =>
  (await getRun(contextOf(workflow), { id })).status;
/** How often a run has a job. */
const jobsOf = async (runId: string): Promise<number> =>
  (
    await db.$client.query(
      `select 1 from graphile_worker._private_jobs where (payload -> 'run_ids')::jsonb @> to_jsonb($1::text)`,
      [runId],
    )
  ).rowCount ?? 0;
/** The machine may be busy. */
const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, 20_000);

async function runWorkers(count: number, work: (context: TaskContext) => Promise<void>) {
  const stops = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { $client: pool } = openDatabase(database.url, { name: `worker ${index}` });
      const worker = await startWorker({
        pools: { engine: pool, vital: pool },
        findExecutor: (type) =>
          type === 'http_request'
            ? {
                hasSideEffect: () => true,
                ifInterrupted: () => 'flag',
                execute: async (context) => {
                  await work(context);
                  return { kind: 'done', output: {}, runText: 'Done.' };
                },
              }
            : findExecutor(type),
        renderAnswer: (known, failed) => renderRunAnswer(known, failed, new Date()),
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
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** Workers that note what they execute of a workflow, and how much at once. */
async function watchWorkers(of: InsertedWorkflow) {
  const begun: string[] = [];
  const seen = { most: 0 };
  let underWay = 0;
  const stop = await runWorkers(2, async ({ runId, workflowId }) => {
    if (workflowId !== of.workflowId) return;
    begun.push(runId);
    underWay += 1;
    seen.most = Math.max(seen.most, underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    underWay -= 1;
  });
  return { begun, seen, stop };
}

/** A run begins once all earlier ones but two have ended. One that is let through may begin late: the others continue beside it. */
function expectInTurn(begun: readonly string[], ids: readonly string[]): void {
  expect(begun.toSorted()).toEqual(ids.toSorted());
  const early = begun.map((id, place) => ids.indexOf(id) - place);
  expect(Math.max(...early)).toBeLessThan(3);
}

describe('a workflow with a limit', () => {
  it('executes at most so many runs at once, the others in the order of their arrival, by several workers', async () => {
    const workflow = await insert();
    await limit(workflow, 3);
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push(await start(workflow, { n }, { at: n % 2 ? first : second }));
    expect((await gateOf(workflow)).map(({ id }) => id)).toEqual(ids);
    expect(await waitingAt(workflow)).toEqual(ids.slice(3));
    const { begun, seen, stop } = await watchWorkers(workflow);
    try {
      await until(async () => expect(await gateOf(workflow)).toEqual([]));
      expect(seen.most).toBeLessThanOrEqual(3);
      expectInTurn(begun, ids);
      for (const id of ids) expect(await statusOf(workflow, id)).toBe('succeeded');
    } finally {
      await stop();
    }
  });

  it('says for how many runs one waits, and takes none before its turn', async () => {
    const workflow = await insert();
    await limit(workflow, 1);
    const [head, next, last] = [await start(workflow), await start(workflow), await start(workflow)];
    const waits = async (id: string) => (await getRun(contextOf(workflow), { id })).waits_for_runs;
    expect([await waits(head), await waits(next), await waits(last)]).toEqual([null, 1, 2]);
    expect([await jobsOf(head), await jobsOf(next)]).toEqual([1, 0]);
    expect(await isDue(next)).toBe(false);
    await cancelRun(contextOf(workflow), { id: head });
    expect([await waits(next), await waits(last)]).toEqual([null, 1]);
    expect(await jobsOf(next)).toBe(1);
    expect(await isDue(next)).toBe(true);
  });

  it('lets more through as the limit grows or goes, and no further ones as it shrinks', async () => {
    const workflow = await insert();
    await limit(workflow, 2);
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push(await start(workflow));
    await limit(workflow, 4);
    expect(await waitingAt(workflow)).toEqual(ids.slice(4));
    await limit(workflow, 1);
    await cancelRun(contextOf(workflow), { id: ids[0] ?? '' });
    expect(await waitingAt(workflow)).toEqual(ids.slice(4));
    await limit(workflow, null);
    expect(await waitingAt(workflow)).toEqual([]);
    for (const id of ids.slice(1)) expect(await jobsOf(id)).toBe(1);
    const free = await start(workflow);
    expect((await gateOf(workflow)).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await isDue(free)).toBe(true);
  });

  it('executes a first leg that ends where there is room, and leaves the others to the workers', async () => {
    const workflow = await insert(
      { response_type: 'after_workflow', response_body: '{"n":{{task_1_n}}}' },
      SET,
    );
    await limit(workflow, 1);
    const answered = await post(workflow, { n: 1 }, { at: first });
    expect(answered.body).toBe('{"n":1}');
    expect(await statusOf(workflow, await runOf(answered))).toBe('succeeded');
    expect(await gateOf(workflow)).toEqual([]);
    const head = post(workflow, { n: 2 });
    await until(async () => expect(await gateOf(workflow)).toHaveLength(1));
    const behind = post(workflow, { n: 3 }, { at: first });
    await until(async () => expect(await waitingAt(workflow)).toHaveLength(1));
    const [through] = await gateOf(workflow);
    const { stop } = await watchWorkers(workflow);
    try {
      expect([(await head).body, (await behind).body]).toEqual(['{"n":2}', '{"n":3}']);
      expect(through).toEqual({ id: await runOf(await head), through: true });
      await until(async () => expect(await gateOf(workflow)).toEqual([]));
    } finally {
      await stop();
    }
  });

  it('answers a copy as the first request whose run renders the response', async () => {
    const workflow = await insert(
      {
        response_type: 'after_workflow',
        response_body: '{"n":{{task_1_n}}}',
        deduplicate_by: 'idempotency_key',
      },
      SET,
    );
    await limit(workflow, 1);
    const headers = { 'idempotency-key': 'one' };
    const both = Promise.all([1, 2].map(() => post(workflow, { n: 1 }, { at: first, headers })));
    const { stop } = await watchWorkers(workflow);
    try {
      expect((await both).map(({ body }) => body)).toEqual(['{"n":1}', '{"n":1}']);
      await until(async () => expect(await gateOf(workflow)).toEqual([]));
      const { rows } = await db.$client.query('select from runs where workflow_id = $1', [
        workflow.workflowId,
      ]);
      expect(rows).toHaveLength(1);
    } finally {
      await stop();
    }
  });

  it('keeps the order of each value, and executes several values at once', async () => {
    const workflow = await insert({ order_by: '{{order}}' });
    await limit(workflow, 2);
    const ids = new Map<string, string[]>();
    for (let n = 0; n < 24; n += 1) {
      const order = ['A', 'A', 'A', 'B', 'C', 'D'][n % 6] ?? '';
      ids.set(order, [...(ids.get(order) ?? []), await start(workflow, { order })]);
    }
    // Only the first run of a value enters the gate.
    expect((await gateOf(workflow)).map(({ id }) => id)).toEqual([...ids.values()].map(([head]) => head));
    const { begun, seen, stop } = await watchWorkers(workflow);
    try {
      await until(async () => expect(begun).toHaveLength(24));
      await until(async () => expect(await gateOf(workflow)).toEqual([]));
      expect(seen.most).toBe(2);
      for (const line of ids.values()) expect(begun.filter((id) => line.includes(id))).toEqual(line);
    } finally {
      await stop();
    }
  });

  it('lets replays wait, too', async () => {
    const workflow = await insert();
    await limit(workflow, 1);
    const answer = await post(workflow);
    const id = answer.headers['X-Event-Id'] ?? '';
    const replay = await replayEvent(contextOf(workflow), { id, repeat: true });
    expect(await waitingAt(workflow)).toEqual([replay.run_id]);
  });

  it('continues where a run ended that left its place', async () => {
    const workflow = await insert();
    await limit(workflow, 1);
    const [head, next] = [await start(workflow), await start(workflow)];
    await db.$client.query(`update runs set status = 'succeeded' where id = $1`, [head]);
    await settleLines(db.$client);
    expect(await gateOf(workflow)).toEqual([{ id: next, through: true }]);
    expect(await jobsOf(next)).toBe(1);
  });
});

describe('a workflow that is paused and holds its webhooks', () => {
  it('answers them as always, and begins their runs in their order when it is resumed', async () => {
    const workflow = await insert();
    const before = await start(workflow);
    expect(await hold(workflow)).toMatchObject({ active: false, holds_runs: true });
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const answer = await post(workflow, { n }, { at: n % 2 ? first : second });
      expect([answer.status, answer.body]).toEqual([200, '{"ok":true}']);
      ids.push(await runOf(answer));
    }
    expect(await waitingAt(workflow)).toEqual(ids);
    expect((await getRun(contextOf(workflow), { id: ids[0] ?? '' })).waits_for_runs).toBe(0);
    expect(await heldAt(workflow)).toBe(60);
    expect(await heldAt({ ...workflow, workspaceId: newId() })).toBe(0);
    const { begun, stop } = await watchWorkers(workflow);
    try {
      await until(async () => expect(begun).toEqual([before]));
      expect(await resume(workflow)).toMatchObject({ active: true, holds_runs: false });
      expect(await heldAt(workflow)).toBe(0);
      await until(async () => expect(await gateOf(workflow)).toEqual([]));
      expect(begun.slice(1).toSorted()).toEqual(ids.toSorted());
    } finally {
      await stop();
    }
  });

  it('enqueues them in jobs that are due in their order', async () => {
    const workflow = await insert();
    await hold(workflow);
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) ids.push(await start(workflow));
    await resume(workflow);
    const { rows } = await db.$client.query<{ ids: string[] }>(
      `select payload -> 'run_ids' as ids from graphile_worker._private_jobs
       where (payload -> 'run_ids')::jsonb ?| $1 order by run_at`,
      [ids],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.flatMap((row) => row.ids)).toEqual(ids);
  });

  it('holds the next run of a value, and continues with it', async () => {
    const workflow = await insert({ order_by: '{{order}}' });
    const [head, next] = [await start(workflow, { order: 'A' }), await start(workflow, { order: 'A' })];
    await hold(workflow);
    const last = await start(workflow, { order: 'A' });
    await cancelRun(contextOf(workflow), { id: head });
    expect(await isDue(next)).toBe(false);
    expect(await waitingAt(workflow)).toEqual([next]);
    await resume(workflow);
    await cancelRun(contextOf(workflow), { id: next });
    expect(await isDue(last)).toBe(true);
  });

  it('begins no more than its limit when it is resumed', async () => {
    const workflow = await insert();
    await limit(workflow, 2);
    await hold(workflow);
    const ids = [await start(workflow), await start(workflow), await start(workflow)];
    await limit(workflow, 1);
    expect(await waitingAt(workflow)).toEqual(ids);
    await resume(workflow);
    expect(await waitingAt(workflow)).toEqual(ids.slice(1));
  });

  it('refuses to be paused otherwise, and to hold what is not published', async () => {
    const workflow = await insert();
    await hold(workflow);
    const ctx = contextOf(workflow);
    await expect(pauseWorkflow(ctx, { id: workflow.workflowId })).rejects.toMatchObject({ code: 'conflict' });
    await db.$client.query('update workflows set published_version = null where id = $1', [
      workflow.workflowId,
    ]);
    await expect(hold(workflow)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('refuses webhooks when it is paused without that', async () => {
    const workflow = await insert();
    await pauseWorkflow(contextOf(workflow), { id: workflow.workflowId });
    expect((await post(workflow)).status).toBe(409);
    await hold(workflow);
    expect((await post(workflow)).status).toBe(200);
  });

  it('cancels what it holds when it is deleted with its runs', async () => {
    const workflow = await insert();
    await hold(workflow);
    const id = await start(workflow);
    await deleteWorkflow(contextOf(workflow), { id: workflow.workflowId, cancel_runs: true });
    expect(await gateOf(workflow)).toEqual([]);
    expect(await statusOf(workflow, id)).toBe('cancelled');
  });
});

describe('a workspace with a limit', () => {
  const limitWorkspace = (workflow: InsertedWorkflow, max_concurrent_runs: number | null) =>
    setWorkspaceRunLimit(contextOf(workflow), { max_concurrent_runs });
  /** The runs at the gate of the workspace, in their order. */
  const placesOf = async ({ workspaceId }: InsertedWorkflow) =>
    (
      await db.$client.query<{ id: string; through: boolean }>(
        'select run_id as id, is_through as through from workspace_gates where workspace_id = $1 order by place',
        [workspaceId],
      )
    ).rows;
  const waitingIn = async (workflow: InsertedWorkflow): Promise<string[]> =>
    (await placesOf(workflow)).filter(({ through }) => !through).map(({ id }) => id);
  const insertBeside = ({ workspaceId }: InsertedWorkflow, settings?: object, task?: typeof SET) =>
    insert(settings, task, workspaceId);

  it('executes at most so many runs of all workflows at once, the others in the order of their arrival', async () => {
    const one = await insert();
    const other = await insertBeside(one);
    const stranger = await insert();
    await limitWorkspace(one, 3);
    const ids: string[] = [];
    for (let n = 0; n < 24; n += 1)
      ids.push(await start(n % 2 ? one : other, { n }, { at: n % 3 ? first : second }));
    expect((await placesOf(one)).map(({ id }) => id)).toEqual(ids);
    expect(await waitingIn(one)).toEqual(ids.slice(3));
    const free = await start(stranger);
    expect(await isDue(free)).toBe(true);
    const begun: string[] = [];
    const seen = { most: 0, underWay: 0 };
    const stop = await runWorkers(2, async ({ runId, workspaceId }) => {
      if (workspaceId !== one.workspaceId) return;
      begun.push(runId);
      seen.underWay += 1;
      seen.most = Math.max(seen.most, seen.underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.underWay -= 1;
    });
    try {
      await until(async () => expect(await placesOf(one)).toEqual([]));
      expect(seen.most).toBeLessThanOrEqual(3);
      expectInTurn(begun, ids);
    } finally {
      await stop();
    }
  });

  it('lets more through as the limit grows or goes, and no further ones as it shrinks', async () => {
    const workflow = await insert();
    await limitWorkspace(workflow, 1);
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await start(workflow));
    expect((await getRun(contextOf(workflow), { id: ids[2] ?? '' })).waits_for_runs).toBe(2);
    expect([await jobsOf(ids[0] ?? ''), await jobsOf(ids[1] ?? '')]).toEqual([1, 0]);
    expect(await isDue(ids[1] ?? '')).toBe(false);
    await limitWorkspace(workflow, 3);
    expect(await waitingIn(workflow)).toEqual(ids.slice(3));
    await limitWorkspace(workflow, 1);
    await cancelRun(contextOf(workflow), { id: ids[0] ?? '' });
    expect(await waitingIn(workflow)).toEqual(ids.slice(3));
    await limitWorkspace(workflow, null);
    expect(await waitingIn(workflow)).toEqual([]);
    for (const id of ids.slice(1)) expect(await jobsOf(id)).toBe(1);
    expect(await isDue(ids[5] ?? '')).toBe(true);
  });

  it('counts a run once it is through the gate of its workflow, and its first leg only where there is room', async () => {
    const narrow = await insert({}, SET);
    const wide = await insertBeside(narrow, {}, SET);
    await limit(narrow, 1);
    await limitWorkspace(narrow, 2);
    const ofNarrow = [await start(narrow), await start(narrow)];
    const ofWide = [await start(wide), await start(wide)];
    // Not the second one of the workflow that executes one at a time.
    expect((await placesOf(narrow)).map(({ id }) => id)).toEqual([ofNarrow[0], ...ofWide]);
    expect(await waitingIn(narrow)).toEqual([ofWide[1]]);
    const leg = await start(wide, {}, { at: first });
    expect(await statusOf(wide, leg)).toBe('queued');
    await cancelRun(contextOf(narrow), { id: ofNarrow[0] ?? '' });
    // The next one of the narrow workflow came through its gate last.
    expect((await placesOf(narrow)).map(({ id }) => id)).toEqual([...ofWide, leg, ofNarrow[1]]);
    expect(await waitingIn(narrow)).toEqual([leg, ofNarrow[1]]);
    const { stop } = await watchWorkers(narrow);
    try {
      await until(async () => expect(await placesOf(narrow)).toEqual([]));
      await until(async () => expect(await gateOf(narrow)).toEqual([]));
      const last = await start(wide, {}, { at: first });
      expect(await statusOf(wide, last)).toBe('succeeded');
      expect(await placesOf(narrow)).toEqual([]);
    } finally {
      await stop();
    }
  });

  it('keeps the order of each value, holds, and lets replays wait', async () => {
    const workflow = await insert({ order_by: '{{order}}' });
    await limitWorkspace(workflow, 1);
    const answer = await post(workflow, { order: 'A' });
    const [head, sameValue, another] = [
      await runOf(answer),
      await start(workflow, { order: 'A' }),
      await start(workflow, { order: 'B' }),
    ];
    const replay = await replayEvent(contextOf(workflow), {
      id: answer.headers['X-Event-Id'] ?? '',
      repeat: true,
    });
    expect((await placesOf(workflow)).map(({ id }) => id)).toEqual([head, another]);
    await cancelRun(contextOf(workflow), { id: head });
    expect(await placesOf(workflow)).toEqual([
      { id: another, through: true },
      { id: sameValue, through: false },
    ]);
    await hold(workflow);
    const held = await start(workflow, { order: 'C' });
    await resume(workflow);
    expect(await waitingIn(workflow)).toEqual([sameValue, held]);
    const { begun, stop } = await watchWorkers(workflow);
    try {
      await until(async () => expect(await placesOf(workflow)).toEqual([]));
      await until(async () => expect(begun).toEqual([another, sameValue, held, replay.run_id]));
    } finally {
      await stop();
    }
  });

  it('is empty once a workflow is deleted permanently, and continues where a run left its place', async () => {
    const workflow = await insert();
    const other = await insertBeside(workflow);
    await limitWorkspace(workflow, 1);
    const [head, next] = [await start(workflow), await start(other)];
    await start(workflow);
    await db.$client.query(`update runs set status = 'succeeded' where id = $1`, [head]);
    await settleLines(db.$client);
    expect((await placesOf(workflow))[0]).toEqual({ id: next, through: true });
    await deleteWorkflow(contextOf(workflow), { id: workflow.workflowId });
    expect((await placesOf(workflow)).map(({ id }) => id).includes(head)).toBe(false);
  });
});
