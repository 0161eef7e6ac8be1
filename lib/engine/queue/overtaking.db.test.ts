// Runs overtake those of another workspace that fill the workers (docs/decisions/fairness.md).
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ProcessClock } from '#lib/core/clock.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { makeArrival } from '#lib/testing/start-run.ts';
import { NOTHING_RECURS } from '../testing/nothing-recurs.ts';
import { addAdvanceJob } from '../store/advance-job.ts';
import { type Arrival, startRuns } from '../store/start-runs.ts';
import { FIND_OTHERS } from './overtaking.ts';
import { startWorker } from './worker.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'overtaking' });
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const MAX_RUNS = 8;
const problems: unknown[] = [];
const logger = pino({ level: 'warn' }, { write: (line) => void problems.push(line) });
/** The machine may be busy. */
const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, 40_000);

const insert = () =>
  insertWorkflow(db.$client, {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      { id: 2, type: 'work', name: 'Work', settings: {} },
    ],
    edges: [{ from: 1, to: 2 }],
  });

/** @returns their ids, in the order in which their jobs are due */
async function queueRuns({ workspaceId, workflowId }: InsertedWorkflow, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await db.$client.query(
    `with made as (
       select id, number, gen_random_uuid() as event_id from unnest($3::uuid[]) with ordinality as t(id, number)
     ), new_events as (
       insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
       select event_id, $1, $2, 'production', 'triggered', now(), '{}', '{}', id from made
     ), new_runs as (
       insert into runs (id, workspace_id, workflow_id, version, event_id, created_at) select id, $1, $2, 1, event_id, now() from made
     )
     select ${addAdvanceJob('json_build_array(id)', { runAt: `now() + number * interval '1 microsecond'` })} from made`,
    [workspaceId, workflowId, ids],
  );
  return ids;
}

const endedOf = async (ids: readonly string[]): Promise<number> =>
  (await db.$client.query(`select from runs where id = any($1) and status = 'succeeded'`, [ids])).rowCount ??
  0;

/** Workers whose runs of one workspace do not end before `letGo` is called. */
async function startWorkers(count: number, held: InsertedWorkflow) {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const workers = await Promise.all(
    Array.from({ length: count }, () =>
      startWorker({
        pools: { engine: db.$client, vital: db.$client },
        findExecutor: (type) => ({
          async execute({ runId, workflowId }) {
            if (type === 'work') begun.push(runId);
            if (type === 'work' && workflowId === held.workflowId) await gate.promise;
            return { kind: 'done', output: {}, runText: 'Done.' };
          },
        }),
        renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
        logger,
        clock: new ProcessClock(),
        maxRuns: MAX_RUNS,
        recurring: NOTHING_RECURS,
      }),
    ),
  );
  return {
    begun,
    letGo: gate.resolve,
    stop: async () => {
      gate.resolve();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

it.each([1, 2])(
  'runs of others are executed while those of one workspace fill %i workers, each once',
  async (count) => {
    const [busy, other] = [await insert(), await insert()];
    const many = await queueRuns(busy, 60 * count);
    const { begun, letGo, stop } = await startWorkers(count, busy);
    try {
      await until(async () => expect(begun.length).toBeGreaterThanOrEqual(MAX_RUNS * count));
      const few = await queueRuns(other, 5);
      await until(async () => expect(await endedOf(few)).toBe(few.length));
      expect(await endedOf(many)).toBe(0);
      letGo();
      await until(async () => expect(await endedOf(many)).toBe(many.length));
      expect(begun.toSorted()).toEqual([...many, ...few].toSorted());
      await until(async () =>
        expect(
          (await db.$client.query('select from graphile_worker._private_jobs where key is null')).rowCount,
        ).toBe(0),
      );
      expect(problems).toEqual([]);
    } finally {
      await stop();
    }
  },
);

it('jobs of webhooks name their workspace where it is the only one, and those of the served one are skipped', async () => {
  const [served, other] = [await insert(), await insert()];
  const [ofServed, ofOther, mixed] = [
    [served, served],
    [other, other],
    [served, other],
  ].map((each) => each.map(({ token }) => makeArrival(token))) as [Arrival[], Arrival[], Arrival[]];
  for (const batch of [ofServed, ofOther, mixed]) await startRuns(db.$client, batch);
  const { rows } = await db.$client.query<{ payload: Record<string, unknown> }>(
    'select payload from graphile_worker._private_jobs where key is null order by id',
  );
  expect(rows.map(({ payload }) => payload['workspace_id'])).toEqual([
    served.workspaceId,
    other.workspaceId,
    null,
  ]);

  const workerId = newId();
  await db.$client.query(
    `insert into processes (id, kind, job_pool_id, heartbeat_at) values ($1::uuid, 'worker', $1::text, now())`,
    [workerId],
  );
  const soon = new Date(Date.now() + 60_000);
  const { rows: found } = await db.$client.query<{ others: { run_ids: string[] }[] }>(FIND_OTHERS, [
    workerId,
    null,
    soon,
    served.workspaceId,
  ]);
  const ids = [...ofOther, ...mixed.slice(1)].map(({ runId }) => runId);
  expect(found).toMatchObject([{ looked: true, jobs: 3, others: [{ workspace_id: other.workspaceId }] }]);
  expect(found[0]?.others[0]?.run_ids.toSorted()).toEqual(ids.toSorted());
});
