// Short waits stay with the process that holds the run: precise, and never too short, whichever process dies.
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase, openHotPool, type Pool } from '#lib/core/db/client.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type Answers, createAnswers } from '#lib/webhooks/answers.ts';
import { createIntake, type Intake } from '#lib/webhooks/intake.ts';

let database: TestDatabase;
let pool: Pool;
let hot: Pool;
let intake: Intake;
let answers: Answers;
const workers: StartedProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.url, { maxConnections: 2, name: 'short-waits' }).$client;
  hot = openHotPool(database.url, { maxConnections: 2, name: 'short-waits-intake' });
  intake = createIntake(hot);
  answers = createAnswers(hot, pino({ level: 'silent' }));
});
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));
afterAll(async () => {
  answers.close();
  await Promise.all([pool.end(), hot.end()]);
  await database.drop();
});

async function startWorker(settings: Record<string, string> = {}): Promise<StartedProcess> {
  const worker = await startProcess('server/worker.ts', { DATABASE_URL: database.url, ...settings });
  workers.push(worker);
  return worker;
}

const trigger = (response_type = 'immediate'): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'In',
  settings: { response_type, response_body: 'ok', response_format: 'text', redirect_url: '' },
});
const delay = (id: number, seconds: number): WorkflowTask => ({
  id,
  type: 'delay',
  name: 'Wait',
  settings: { mode: 'for', amount: String(seconds), unit: 'seconds', until: '' },
});
const set = (id: number): WorkflowTask => ({
  id,
  type: 'set_variables',
  name: 'Set',
  settings: { variables: [{ name: 'is', value: 'set' }] },
});
const waiting = (seconds: number): WorkflowGraph => ({
  tasks: [trigger(), delay(2, seconds), set(3)],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ],
});
const pausing = (count: number, pause_seconds: number): WorkflowGraph => ({
  tasks: [
    trigger(),
    { id: 2, type: 'loop', name: 'Loop', settings: { count, pause_seconds, on_item_failure: 'stop' } },
    set(3),
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
  ],
});

async function start(graph: WorkflowGraph): Promise<string> {
  const { token } = await insertWorkflow(pool, graph);
  return startRun(intake, token);
}

interface RunRow {
  status: string;
  epoch: number;
  ms: number | null;
}
async function find(runId: string): Promise<RunRow> {
  const { rows } = await pool.query<RunRow>(
    `select status, epoch, extract(epoch from finished_at - started_at)::float8 * 1000 as ms from runs where id = $1`,
    [runId],
  );
  return rows[0] ?? { status: 'missing', epoch: 0, ms: null };
}
const statusOf = async (runId: string): Promise<string> => (await find(runId)).status;
const untilStatus = (runId: string, status: string) =>
  expect.poll(() => statusOf(runId), { timeout: 60_000, interval: 10 }).toBe(status);

const isWaiting = async (runId: string): Promise<boolean> =>
  (await pool.query(`select 1 from task_runs where run_id = $1 and status = 'waiting'`, [runId])).rowCount ===
  1;
const untilWaiting = (runId: string) => expect.poll(() => isWaiting(runId), { interval: 5 }).toBe(true);

test('500 items with a pause of 10 ms take no timer of the queue, and far less than the queue polls', async () => {
  await startWorker();
  const runId = await start(pausing(500, 0.01));
  await untilStatus(runId, 'succeeded');
  const { ms, epoch } = await find(runId);
  expect(epoch).toBe(1);
  expect(ms).toBeGreaterThanOrEqual(499 * 10);
  expect((ms ?? Infinity) / 500).toBeLessThan(100);
});

test('a caller who waits has the answer when the Delay is reached, not when it is over', async () => {
  await startWorker();
  const graph = waiting(4);
  const runId = await start({ ...graph, tasks: [trigger('after_workflow'), ...graph.tasks.slice(1)] });
  const answer = await answers.wait(runId, 20_000);
  expect(answer?.status).toBe(200);
  expect(await statusOf(runId)).toBe('running');
  await untilStatus(runId, 'succeeded');
});

test('a process that is killed during a short wait: another one waits for what is left of it', async () => {
  const doomed = await startWorker();
  const runId = await start(waiting(4));
  await untilWaiting(runId);
  const ended = once(doomed.child, 'exit');
  doomed.child.kill('SIGKILL');
  await ended;
  workers.splice(0);
  await startWorker();
  await untilStatus(runId, 'succeeded');
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from task_runs where run_id = $1',
    [runId],
  );
  expect(rows).toEqual([{ count: 3 }]);
});

test('a process that stops lets go of its short waits at once', async () => {
  const worker = await startWorker();
  const runId = await start(waiting(5));
  await untilWaiting(runId);
  const stoppedAt = performance.now();
  await worker.stop();
  expect(performance.now() - stoppedAt).toBeLessThan(4000);
  expect(await statusOf(runId)).toBe('waiting');
  workers.splice(0);
  await startWorker();
  await untilStatus(runId, 'succeeded');
});

test('runs that wait leave room for others', async () => {
  await startWorker({ WORKER_CONCURRENCY: '2' });
  const sleepers = [await start(waiting(5)), await start(waiting(5))];
  for (const runId of sleepers) await untilWaiting(runId);
  const other = await start(pausing(1, 0));
  await untilStatus(other, 'succeeded');
  expect(await Promise.all(sleepers.map(statusOf))).toEqual(['running', 'running']);
});

test('a run that is cancelled and retried during a short wait starts again before the wait would have been over', async () => {
  await startWorker();
  const runId = await start(waiting(5));
  await untilWaiting(runId);
  // The state after cancelling and retrying (lib/runs), in one step.
  await pool.query(
    `with forgotten as (delete from task_runs where run_id = $1 and task_id = 2)
     update runs set status = 'queued', epoch = epoch + 1, worker_id = null where id = $1`,
    [runId],
  );
  const queuedAt = performance.now();
  await pool.query(`select ${addAdvanceJob('json_build_array($1::text)')}`, [runId]);
  await expect.poll(async () => (await find(runId)).epoch, { interval: 10 }).toBe(3);
  expect(performance.now() - queuedAt).toBeLessThan(4000);
  await untilStatus(runId, 'succeeded');
});
