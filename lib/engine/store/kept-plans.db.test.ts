// A connection keeps the plans of its statements. Those that were made while tables were empty find rows by key later.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHotPool, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { countRowsRead } from '#lib/testing/count-rows-read.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createJobTable, RUNS } from '#lib/core/queue/job-table.ts';
import { createClaims } from '../queue/claims.ts';
import type { RunStore } from '../engine-deps.ts';
import type { TakenRun } from '../run-state.ts';
import { ADVANCE_TASK, addAdvanceJob } from './advance-job.ts';
import { createRunStore } from './store.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 1, name: 'kept-plans' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const MANY = 5000;
const TABLES = ['runs', 'events', 'task_runs', 'run_claims'];
/** The rows of a run, and what finding them by key reads besides. */
const ROWS_A_RUN = 20;

test.each(['succeeded', 'failed'] as const)(
  'runs that %s are taken, claimed and written by key',
  async (status) => {
    await pool.query(`truncate ${TABLES.join(', ')}`);
    await pool.query(`vacuum analyze ${TABLES.join(', ')}`);
    const workerId = newId();
    await pool.query(`insert into processes (id, kind) values ($1, 'worker')`, [workerId]);
    const store = createRunStore(pool, workerId);
    const claims = createClaims(pool, workerId);
    const unknown = { id: newId(), epoch: 1 } as TakenRun;
    const advance = async (runs: readonly TakenRun[]): Promise<void> => {
      await claims.claim(runs);
      await Promise.all(runs.map((run) => write(store, run, status)));
      await claims.release(runs);
    };
    await store.take([unknown.id]);
    await advance([unknown]);

    await pool.query(
      `with made as (select gen_random_uuid() as id, gen_random_uuid() as event_id from generate_series(1, ${MANY})),
       stored as (
         insert into events (id, workspace_id, kind, outcome, received_at, headers, body, run_id)
         select event_id, $1, 'production', 'triggered', now(), '{}', '{}', id from made
       ), claimed as (insert into run_claims (run_id, epoch, worker_id) select id, 1, $3 from made)
     insert into runs (id, workspace_id, workflow_id, version, event_id, created_at)
     select id, $1, $2, 1, event_id, now() from made`,
      [newId(), newId(), workerId],
    );
    const { rows } = await pool.query<{ id: string }>('select id from runs order by id limit 20');
    const before = await countRowsRead(pool, TABLES);
    const runs = await store.take(rows.map(({ id }) => id));
    expect(runs).toHaveLength(rows.length);
    await advance(runs);
    expect((await countRowsRead(pool, TABLES)) - before).toBeLessThan(ROWS_A_RUN * rows.length);
    const ended = await pool.query('select from runs where status = $1', [status]);
    expect(ended.rowCount).toBe(rows.length);
    expect((await pool.query('select from run_claims')).rowCount).toBe(MANY - rows.length);
  },
);

test('jobs are taken and ended by key', async () => {
  await pool.query('truncate graphile_worker._private_jobs');
  await pool.query('vacuum analyze graphile_worker._private_jobs');
  const jobs = createJobTable(pool, { lockId: newId(), lane: RUNS, tasks: [ADVANCE_TASK] });
  expect(await jobs.take(1)).toEqual([]);
  await jobs.end([{ id: '0' }]);

  await pool.query(
    `select ${addAdvanceJob('json_build_array(gen_random_uuid())')} from generate_series(1, 1000)`,
  );
  const before = await countRowsRead(pool, ['_private_jobs']);
  const taken = await jobs.take(20);
  await jobs.end(taken.map(({ id }) => ({ id })));
  expect(taken).toHaveLength(20);
  expect((await countRowsRead(pool, ['_private_jobs'])) - before).toBeLessThan(ROWS_A_RUN * taken.length);
});

async function write(store: RunStore, run: TakenRun, status: 'succeeded' | 'failed'): Promise<void> {
  await store.write(run, [{ taskId: 1, iteration: '', attempt: 1, status }], {
    status,
    finishedAt: Date.now(),
    ...(status === 'failed' ? { error: { code: 'internal', message: 'It failed.' } } : {}),
  });
}
