// A statement whose sender timed out may be executed much later, by a stalled proxy for example: it changes nothing that a
// later statement of the same worker has changed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import type { TakenRun } from '../run-state.ts';
import type { TaskRun } from '../run-types.ts';
import type { RunStore } from '#lib/engine/engine-deps.ts';
import { createRunStore } from './store.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.url, { maxConnections: 2 }).$client;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A pool that delays statements while it is blocked: the sender times out, and the statement is executed later. */
class HeldUpPool {
  isHeldUp = false;
  readonly #sent: unknown[] = [];

  async query(query: unknown) {
    if (!this.isHeldUp) return pool.query(query as string);
    this.isHeldUp = false;
    this.#sent.push(query);
    throw new Error('Query read timeout');
  }

  async deliver(): Promise<void> {
    for (const query of this.#sent.splice(0)) await pool.query(query as string);
  }
}

let connection: HeldUpPool;
let store: RunStore;
let runId: string;
let workerId: string;
beforeEach(async () => {
  connection = new HeldUpPool();
  workerId = newId();
  store = createRunStore(connection as unknown as Pool, workerId);
  runId = newId();
  const eventId = newId();
  await pool.query(`insert into processes (id, kind) values ($1, 'worker')`, [workerId]);
  await pool.query(
    `insert into events (id, workspace_id, kind, outcome, received_at, headers, body, run_id)
    values ($1, $2, 'production', 'triggered', now(), '{}', '{}', $3)`,
    [eventId, newId(), runId],
  );
  await pool.query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, created_at) values ($1, $2, $3, 1, $4, now())`,
    [runId, newId(), newId(), eventId],
  );
});

const taskRun = (status: TaskRun['status']): TaskRun => ({ taskId: 1, iteration: '', attempt: 1, status });

async function take(): Promise<TakenRun> {
  const [run] = await store.take([runId]);
  if (!run) throw new Error('The run could not be taken.');
  return run;
}

const statusOfTask = async () =>
  (await pool.query<{ status: string }>('select status from task_runs where run_id = $1', [runId])).rows[0]
    ?.status;

/** Leaves the run as one that was taken before, and that no process holds: an update takes it again. */
async function leaveTaken(): Promise<void> {
  expect(await store.write(await take(), [], { status: 'waiting', resumeAt: Date.now() })).toBe(true);
}

test('a late taking does not take a run from its worker, which holds it by a later one', async () => {
  await leaveTaken();
  connection.isHeldUp = true;
  await expect(take()).rejects.toThrow('Query read timeout');
  const run = await take();
  await connection.deliver();
  expect(await store.write(run, [taskRun('succeeded')], {})).toBe(true);
});

test('a taking that was executed and not answered is done again', async () => {
  await leaveTaken();
  const unanswered = await take();
  const run = await take();
  expect(run.epoch).toBe(unanswered.epoch + 1);
  expect(await store.write(run, [], { status: 'succeeded' })).toBe(true);
});

const rowOfRun = async () =>
  (
    await pool.query<{ status: string; epoch: number; started_at: Date | null }>(
      'select status, epoch, worker_id, started_at from runs where id = $1',
      [runId],
    )
  ).rows[0];

test('a run that nothing has taken is only read, and taken by its first write', async () => {
  const before = await rowOfRun();
  const run = await take();
  expect(await rowOfRun()).toEqual(before);
  expect(run.epoch).toBe(1);
  const readAt = run.readAt ?? 0;
  expect(Math.abs(readAt - Date.now())).toBeLessThan(60_000);
  expect(await store.write(run, [], {})).toBe(true);
  expect(run.readAt).toBeUndefined();
  expect(await rowOfRun()).toMatchObject({
    status: 'running',
    epoch: 1,
    worker_id: workerId,
    started_at: new Date(Math.round(readAt)),
  });
});

test('of two workers that read a run the first that writes it has it', async () => {
  const other = createRunStore(pool, newId());
  const [ours, theirs] = [await take(), (await other.take([runId]))[0]];
  if (!theirs) throw new Error('The run could not be read twice.');
  expect(await store.write(ours, [taskRun('running')], {})).toBe(true);
  expect(await other.write(theirs, [taskRun('failed')], { status: 'failed' })).toBe(false);
  expect(await other.write(theirs, [taskRun('failed')], { status: 'failed' })).toBe(false);
  expect(await store.write(ours, [taskRun('succeeded')], { status: 'succeeded' })).toBe(true);
  expect(await statusOfTask()).toBe('succeeded');
});

test.each([
  ['cancelled', `update runs set status = 'cancelled', epoch = epoch + 1`],
  ['cancelled and resumed', `update runs set status = 'queued', epoch = epoch + 1`],
  ['sent to a line', `update runs set line = gen_random_uuid()`],
])('a run that was %s since it was read is not taken', async (_, change) => {
  const run = await take();
  await pool.query(`${change} where id = $1`, [runId]);
  expect(await store.write(run, [taskRun('running')], {})).toBe(false);
  expect(await statusOfTask()).toBeUndefined();
});

test('a late first write does not undo a later one', async () => {
  const run = await take();
  connection.isHeldUp = true;
  expect(await store.write(run, [taskRun('succeeded')], { status: 'succeeded' })).toBe(true);
  await connection.deliver();
  expect(await rowOfRun()).toMatchObject({ status: 'succeeded', epoch: 1 });
});

test('a taken run knows the time zone of its workspace', async () => {
  const { workspaceId, zone } = await take();
  expect(zone).toBeUndefined();
  await pool.query(`insert into workspaces (id, name) values ($1, 'Shop')`, [workspaceId]);
  await pool.query(
    `insert into workspace_times (workspace_id, zone, hours, holidays) values ($1, 'Asia/Tokyo', '{}', '{}')`,
    [workspaceId],
  );
  expect(await take()).toMatchObject({ zone: 'Asia/Tokyo' });
});

test('a late write does not undo a later one', async () => {
  const run = await take();
  connection.isHeldUp = true;
  expect(await store.write(run, [taskRun('running')], {})).toBe(true);
  expect(await store.write(run, [taskRun('succeeded')], {})).toBe(true);
  await connection.deliver();
  expect(await statusOfTask()).toBe('succeeded');
});

test('a write is done again where the one that was given up is executed first', async () => {
  const run = await take();
  connection.isHeldUp = true;
  const query = connection.query.bind(connection);
  connection.query = async (given) => {
    await connection.deliver();
    return query(given);
  };
  expect(await store.write(run, [taskRun('succeeded')], {})).toBe(true);
  expect(await statusOfTask()).toBe('succeeded');
});
