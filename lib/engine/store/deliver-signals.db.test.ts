// Waits for signals on PostgreSQL, with a worker (docs/engine.md, "Signals").
import type { QueryConfig } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { cancelRun } from './cancel-run.ts';
import { deliverSignals, listListeners, type Signal } from './deliver-signals.ts';
import { loadGraph } from './load-version.ts';
import { resumeRun } from './reopen-run.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

const logger = pino({ level: 'silent' });
const ANSWER = { status: 200, contentType: 'text/plain', body: '' };

interface Ask {
  key: string;
  rule?: 'newest' | 'oldest' | 'all';
  quietMs?: number;
  deadlineMs?: number;
  /** Its request does not return before the gate of this name is opened. */
  gate?: string;
}

let database: TestDatabase;
let db: Database;
let hot: Pool;
let runtime: ProcessRuntime;
let worker: { stop(): Promise<void> };
const gates = new Map<string, { asked: PromiseWithResolvers<void>; open: PromiseWithResolvers<void> }>();
const gateOf = (name: string) => {
  const gate = gates.get(name) ?? { asked: Promise.withResolvers(), open: Promise.withResolvers() };
  gates.set(name, gate);
  return gate;
};

const ask: TaskExecutor = {
  hasSideEffect: () => true,
  async execute(context) {
    const { key, rule, quietMs, deadlineMs = 3_600_000, gate } = context.settings as unknown as Ask;
    if (context.resumed)
      return { kind: 'done', output: [...context.resumed.signals, context.resumed.memory], runText: 'Done.' };
    context.listen({ key, ...(rule ? { rule } : {}), ...(quietMs ? { quietMs } : {}) });
    await context.recordSideEffect();
    if (gate) {
      gateOf(gate).asked.resolve();
      await gateOf(gate).open.promise;
    }
    const until = new Date(Date.now() + deadlineMs);
    return { kind: 'listen', until, memory: 'kept', output: {}, runText: 'Asked.' };
  },
};

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'signals' });
  hot = openHotPool(database.url, { maxConnections: 3, name: 'signals-intake' });
  runtime = openRuntime('worker', parseSettings({ DATABASE_URL: database.url }), logger);
  worker = await startWorker({
    pools: runtime,
    recurring: NOTHING_RECURS,
    findExecutor: () => ask,
    renderAnswer: () => ANSWER,
    clock: runtime.clock,
    logger,
    maxRuns: 100,
  });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([runtime.close(), hot.end(), db.$client.end()]);
  await database.drop();
});

const graphOf = (settings: Ask): WorkflowGraph => ({
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
    { id: 2, type: 'ask', name: 'Ask', settings: { ...settings } },
  ],
  edges: [{ from: 1, to: 2 }],
});

async function start(settings: Ask, workspace?: string): Promise<{ id: string; workspaceId: string }> {
  const { token, workspaceId } = await insertWorkflow(db.$client, graphOf(settings), workspace);
  const id = newId();
  const ids = { eventId: newId(), runId: id, tokenHash: hashToken(token), kind: 'production' as const };
  const received = { receivedAt: new Date(), headers: {}, body: Buffer.from('{}'), refusal: null };
  await createIntake(hot)({ ...ids, ...received, response: { version: 1, problem: null } });
  return { id, workspaceId };
}

/** Starts a run, and resolves when it waits. */
async function startWaiting(settings: Ask, workspace?: string) {
  const run = await start(settings, workspace);
  await expect.poll(() => statusOf(run.id)).toBe('waiting');
  return run;
}

const statusOf = async (id: string): Promise<string | undefined> =>
  (await db.$client.query<{ status: string }>('select status from runs where id = $1', [id])).rows[0]?.status;

/** The output of the task, once the run has ended. */
async function outputOf(id: string): Promise<unknown> {
  await expect.poll(() => statusOf(id)).toBe('succeeded');
  const { rows } = await db.$client.query<{ output: string }>(
    'select output from task_runs where run_id = $1 and task_id = 2',
    [id],
  );
  return JSON.parse(rows[0]?.output ?? 'null');
}

const signal = (workspaceId: string, key: string, more: Partial<Signal> = {}): Signal => {
  const id = newId();
  return { workspaceId, keys: [key], id, payload: JSON.stringify(more.id ?? id), ...more };
};
/** Whether each reached a run. */
const deliver = async (...signals: Signal[]): Promise<boolean[]> =>
  (await deliverSignals(hot, signals)).map((reached) => reached.length > 0);

describe('a signal', () => {
  test('resumes the run that waits for it, once; a copy and a further one reach nobody', async () => {
    const run = await startWaiting({ key: 'one' });
    const first = signal(run.workspaceId, 'one', { id: 'first' });
    expect(await deliver(signal(run.workspaceId, 'other'), first)).toEqual([false, true]);
    expect(await deliver(first, signal(run.workspaceId, 'one'))).toEqual([false, false]);
    expect(await outputOf(run.id)).toEqual(['first', 'kept']);
    const { rows } = await hot.query('select from signal_waits where run_id = $1', [run.id]);
    expect(rows).toHaveLength(0);
  });

  test('of another workspace does nothing', async () => {
    const run = await startWaiting({ key: 'one' });
    expect(await deliver(signal(newId(), 'one'))).toEqual([false]);
    expect(await statusOf(run.id)).toBe('waiting');
  });

  test('that comes before the request was acknowledged is not lost', async () => {
    const run = await start({ key: 'early', gate: 'early' });
    await gateOf('early').asked.promise;
    const taskRun = { runId: run.id, taskId: 2, iteration: '' };
    const early = signal(run.workspaceId, 'early', { id: 'early', taskRun });
    expect(await deliver(early)).toEqual([true]);
    gateOf('early').open.resolve();
    expect(await outputOf(run.id)).toEqual(['early', 'kept']);
  });

  test('counts only when its sender’s transaction is committed', async () => {
    const run = await startWaiting({ key: 'undone' });
    const client = await db.$client.connect();
    await client.query('begin');
    const sent = signal(run.workspaceId, 'undone', { id: 'sent' });
    expect(await deliverSignals(client, [sent])).toMatchObject([[{ runId: run.id }]]);
    await client.query('rollback');
    client.release();
    expect(await statusOf(run.id)).toBe('waiting');
    expect(await deliver(sent)).toEqual([true]);
    expect(await outputOf(run.id)).toEqual(['sent', 'kept']);
  });

  test('that comes after the deadline reaches nobody', async () => {
    const run = await startWaiting({ key: 'late', deadlineMs: 50 });
    expect(await outputOf(run.id)).toEqual(['kept']);
    expect(await deliver(signal(run.workspaceId, 'late'))).toEqual([false]);
  });

  test('with others in quick succession counts as one where the task wants a pause after the last', async () => {
    const run = await startWaiting({ key: 'burst', quietMs: 300 });
    const sent = ['a', 'b', 'c'].map((id) => signal(run.workspaceId, 'burst', { id }));
    expect(await deliver(...sent)).toEqual([true, true, true]);
    expect(await outputOf(run.id)).toEqual(['a', 'b', 'c', 'kept']);
  });
});

describe('several runs that wait for one key', () => {
  test.each([
    ['newest', ['third', 'second', 'first']],
    ['oldest', ['first', 'second', 'third']],
  ] as const)('%s: each signal goes to one of them', async (rule, order) => {
    const first = await startWaiting({ key: rule, rule });
    const second = await startWaiting({ key: rule, rule }, first.workspaceId);
    const third = await startWaiting({ key: rule, rule }, first.workspaceId);
    const runs = { first, second, third };
    const nameOf = (runId: string) => Object.entries(runs).find(([, { id }]) => id === runId)?.[0];
    for (const [place, name] of order.entries()) {
      const listeners = await listListeners(hot, runs[order.at(-1) ?? expect.unreachable()].id, []);
      expect(listeners.filter(({ receives }) => receives).map(({ runId }) => nameOf(runId))).toEqual([name]);
      expect(listeners).toHaveLength(order.length - place);
      expect(await deliver(signal(first.workspaceId, rule, { id: name }))).toEqual([true]);
      expect(await outputOf(runs[name].id)).toEqual([name, 'kept']);
    }
  });

  test('all: one signal resumes each; two that come together are two', async () => {
    const first = await startWaiting({ key: 'all', rule: 'all' });
    const second = await startWaiting({ key: 'all', rule: 'all' }, first.workspaceId);
    expect(await listListeners(hot, first.id, [])).toMatchObject([
      { runId: first.id, receives: true },
      { runId: second.id, receives: true },
    ]);
    expect(await deliver(signal(first.workspaceId, 'all', { id: 'both' }))).toEqual([true]);
    for (const { id } of [first, second]) expect(await outputOf(id)).toEqual(['both', 'kept']);
  });

  test('signals that are sent at the same time reach different runs', async () => {
    const first = await startWaiting({ key: 'race', rule: 'oldest' });
    const runs = [first];
    for (let more = 0; more < 4; more += 1)
      runs.push(await startWaiting({ key: 'race', rule: 'oldest' }, first.workspaceId));
    const sent = runs.map(() => signal(first.workspaceId, 'race'));
    const used = await Promise.all(sent.map((each) => deliver(each)));
    expect(used.flat()).toEqual(runs.map(() => true));
    const outputs = await Promise.all(runs.map(({ id }) => outputOf(id)));
    expect(new Set(outputs.map((output) => (output as unknown[])[0]))).toEqual(
      new Set(sent.map(({ id }) => id)),
    );
  });

  test('a signal that names a task run reaches no other', async () => {
    const older = await startWaiting({ key: 'named' });
    const newer = await startWaiting({ key: 'named' }, older.workspaceId);
    const taskRun = { runId: older.id, taskId: 2, iteration: '' };
    expect(await deliver(signal(older.workspaceId, 'named', { id: 'tap', taskRun }))).toEqual([true]);
    expect(await outputOf(older.id)).toEqual(['tap', 'kept']);
    expect(await deliver(signal(older.workspaceId, 'named', { taskRun }))).toEqual([false]);
    expect(await statusOf(newer.id)).toBe('waiting');
  });
});

describe('users', () => {
  test('cancel a run that waits, and retry it: it asks again', async () => {
    const run = await startWaiting({ key: 'cancel' });
    await db.transaction((tx) => cancelRun(tx, run, ANSWER));
    expect(await deliver(signal(run.workspaceId, 'cancel'))).toEqual([false]);
    const { rows } = await hot.query<{ workflow_id: string }>('select workflow_id from runs where id = $1', [
      run.id,
    ]);
    const graph = await loadGraph(hot, rows[0]?.workflow_id ?? '', 1);
    await db.transaction((tx) => resumeRun(tx, run, graph));
    await expect.poll(() => statusOf(run.id)).toBe('waiting');
    expect(await deliver(signal(run.workspaceId, 'cancel', { id: 'again' }))).toEqual([true]);
    expect(await outputOf(run.id)).toEqual(['again', 'kept']);
  });

  test('publish another version: what waits continues with its own', async () => {
    const run = await startWaiting({ key: 'publish' });
    await hot.query(
      `with old as (select workflow_id from runs where id = $1)
       update workflows set active = false, published_version = null where id = (select workflow_id from old)`,
      [run.id],
    );
    expect(await deliver(signal(run.workspaceId, 'publish', { id: 'answer' }))).toEqual([true]);
    expect(await outputOf(run.id)).toEqual(['answer', 'kept']);
  });
});

const WAITING = 10_000;

test(`${WAITING.toLocaleString('en')} runs that wait cost nothing: only those are touched that a signal is for`, async () => {
  const { workspaceId, id } = await startWaiting({ key: 'crowd' });
  await copyWaiting(id);
  for (const [pool, work] of [
    [hot, () => deliver(signal(workspaceId, `crowd ${WAITING}`))],
    [runtime.engine, () => startWaiting({ key: 'another' })],
  ] as const) {
    const { rows } = await readsOfWork(pool, work);
    for (const table of ['runs', 'signal_waits']) expect(rows[table] ?? 0, table).toBeLessThan(100);
  }
  const epochs = async () =>
    (await hot.query<{ sum: string }>('select sum(epoch) from runs where workspace_id = $1', [workspaceId]))
      .rows[0]?.sum;
  const before = Number(await epochs());
  const query = vi.spyOn(runtime.engine, 'query');
  const answered: string[] = [];
  for (let place = 1; place <= 20; place += 1) {
    const { rows } = await hot.query<{ run_id: string }>('select run_id from signal_waits where key = $1', [
      `crowd ${place}`,
    ]);
    answered.push(rows[0]?.run_id ?? '');
    expect(await deliver(signal(workspaceId, `crowd ${place}`, { id: `answer ${place}` }))).toEqual([true]);
    expect(await outputOf(answered.at(-1) ?? '')).toEqual([`answer ${place}`, 'kept']);
  }
  const asked = query.mock.calls.map(([statement]) => statement as unknown as QueryConfig<[string[]]>);
  query.mockRestore();
  const { rows } = await hot.query<{ id: string }>('select id from runs where workspace_id = $1', [
    workspaceId,
  ]);
  const crowd = new Set(rows.map((run) => run.id));
  // Jobs of earlier tests may become due in the meantime: they do not belong to these runs.
  const takenBy = (name: string) =>
    asked.filter((query) => query.name === name).flatMap(({ values }) => values?.[0] ?? []);
  expect(Number(await epochs())).toBe(before + 20);
  expect(takenBy('take_signaled_runs').filter((run) => crowd.has(run))).toEqual(answered);
  expect(takenBy('take_runs').filter((run) => crowd.has(run))).toEqual([]);
});

/** The number of runs in the title, each waiting like this one for its own key. */
async function copyWaiting(id: string): Promise<void> {
  await db.$client.query(
    `
with copies as (select gen_random_uuid() as id, gen_random_uuid() as wait_id, n from generate_series(1, ${WAITING}) n),
new_runs as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, status, epoch, created_at, started_at, resume_at)
  select c.id, workspace_id, workflow_id, version, event_id, status, epoch, created_at, started_at, resume_at
  from copies c, runs r where r.id = $1),
new_waits as (
  insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
  select c.wait_id, workspace_id, 'crowd ' || n, c.id, task_id, iteration, rule, quiet_ms, opened_at, true
  from copies c, signal_waits w where w.run_id = $1),
jobs as (
  select count(graphile_worker.add_job('advance', json_build_object('run_ids', json_build_array(c.id)), run_at := now() + interval '1 hour'))
  from copies c),
new_task_runs as (
  insert into task_runs (run_id, task_id, iteration, status, attempt, state, started_at, resume_at)
  select c.id, t.task_id, t.iteration, status, attempt, replace(state, w.id::text, c.wait_id::text), started_at, t.resume_at
  from copies c, task_runs t, signal_waits w where t.run_id = $1 and w.run_id = $1)
select * from jobs`,
    [id],
  );
}
