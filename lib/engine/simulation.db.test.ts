// The simulation's in-memory database behaves like PostgreSQL: the statements of some schedules are executed on it one by one,
// each at its simulated instant, and every result is compared.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import type { Executed } from './testing/simulation/database.ts';
import { makeSchedule } from './testing/simulation/schedule.ts';
import { simulate } from './testing/simulation/simulate.ts';
import type { WorkflowRow } from './testing/simulation/tables.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => 1 + index * 7);

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url, application_name: 'simulation' });
  await client.connect();
  // Found before PostgreSQL's own function of this name.
  await client.query(`create schema simulated;
    create function simulated.now() returns timestamptz language sql stable
      as $$ select to_timestamp(current_setting('simulated.now_ms')::float8 / 1000.0) $$;
    set search_path = simulated, pg_catalog, public`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function insertWorkflow(tokenHash: string, workflow: WorkflowRow): Promise<void> {
  const { id, workspace_id, graph, answers_after_run, max_concurrent_runs } = workflow;
  await client.query(`insert into workspaces (id, name) values ($1, 'Simulated') on conflict do nothing`, [
    workspace_id,
  ]);
  await client.query(
    `insert into workflows (id, workspace_id, name, draft, next_task_id, trigger_task_id, published_version, active, answers_after_run, max_concurrent_runs)
     values ($1, $2, 'Workflow', $3, 99, 1, 1, true, $4, $5)`,
    [id, workspace_id, graph, answers_after_run, max_concurrent_runs],
  );
  await client.query(
    `insert into workflow_versions (workflow_id, version, name, graph) values ($1, 1, 'Workflow', $2)`,
    [id, graph],
  );
  await client.query(
    `insert into webhook_tokens (token_hash, workflow_id, token_encrypted) values (decode($1, 'hex'), $2, '')`,
    [tokenHash, id],
  );
}

/** Runs of one job are in any order. */
const keyOf = (payload: unknown): string => {
  const { run_ids = [] } = payload as { run_ids?: string[] };
  return run_ids.toSorted().join();
};

/** The queue numbers its jobs itself: maps its numbers to the simulation's. */
class JobNumbers {
  readonly #real = new Map<string, string>();
  #last = '0';

  /** Also finds jobs that PostgreSQL alone added since the last time. */
  async learn(added: Executed['addedJobs']): Promise<void> {
    const { rows } = await client.query<{ id: string; payload: unknown }>(
      'select id, payload from graphile_worker._private_jobs where id > $1 order by id',
      [this.#last],
    );
    this.#last = rows.at(-1)?.id ?? this.#last;
    for (const { id, payload } of added) {
      const at = rows.findIndex((row) => keyOf(row.payload) === keyOf(payload));
      const [found] = at < 0 ? [] : rows.splice(at, 1);
      if (!found) throw new Error(`PostgreSQL added no job ${JSON.stringify(payload)}.`);
      this.#real.set(id, found.id);
    }
    expect(rows, 'jobs that only PostgreSQL added').toEqual([]);
  }

  readonly realOf = (id: string): string => this.#real.get(id) ?? id;

  inValues({ name, values }: Executed): unknown[] {
    if (name !== 'end_jobs' && name !== 'unlock_jobs') return values;
    const [lockId, ids, ...rest] = values as [string, string[]];
    return [lockId, ids.map(this.realOf), ...rest];
  }

  inRows({ name, rows }: Executed): Executed['rows'] {
    if (name !== 'take_jobs') return rows;
    return rows.map((row) => ({ ...row, id: this.realOf(String(row.id)), payload: keyOf(row.payload) }));
  }
}

const sorted = (rows: Executed['rows']) =>
  rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

const withKey = (row: Record<string, unknown>): Record<string, unknown> =>
  typeof row.payload === 'object' ? { ...row, payload: keyOf(row.payload) } : row;

/** The columns of a row that both have. */
const alike = (row: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key]]));

/** The queue does not define the order of jobs with one due time: here both take them by their numbers. */
const inOrder = (text: string): string =>
  text.replace('order by priority, run_at limit', 'order by priority, run_at, id limit');

let nowMs: number | undefined;
const played = new Set<string>();

async function play(executed: Executed, jobs: JobNumbers): Promise<void> {
  played.add(executed.name);
  if (executed.nowMs !== nowMs)
    await client.query(`select set_config('simulated.now_ms', $1, false)`, [String(executed.nowMs)]);
  nowMs = executed.nowMs;
  const { rows } = await client.query<Record<string, unknown>>({
    // Planned once, as in the product.
    name: executed.name,
    text: inOrder(executed.text),
    values: jobs.inValues(executed),
  });
  if (executed.addedJobs.length > 0) await jobs.learn(executed.addedJobs);
  // The results of these are not used.
  if (executed.name.startsWith('add_') || executed.name === 'open_gate') return;
  const keys = Object.keys(executed.rows[0] ?? {}).toSorted();
  const [real, simulated] = [rows, jobs.inRows(executed)].map((answers) =>
    sorted(answers.map((row) => alike(withKey(row), keys))),
  );
  expect(simulated, `${executed.name} at ${executed.nowMs}`).toEqual(real);
}

test.each(SEEDS)('PostgreSQL answers as the simulated database does, seed %i', async (seed) => {
  await client.query(`truncate workspaces, workflows, processes, run_claims, run_lines, run_gates, runs, events, task_runs, signal_waits,
      used_signals cascade;
    delete from graphile_worker._private_jobs`);
  const { tables, executed } = await simulate(makeSchedule(seed), { keepsExecuted: true });
  for (const [tokenHash, workflow] of tables.workflows) await insertWorkflow(tokenHash, workflow);
  const jobs = new JobNumbers();
  for (const each of executed) await play(each, jobs);
  await jobs.learn([]);
  const { rows } = await client.query<{ id: string; status: string; epoch: number }>(
    'select id, status, epoch from runs order by id',
  );
  expect(rows).toEqual(
    [...tables.runs.values()]
      .map(({ id, status, epoch }) => ({ id, status, epoch }))
      .toSorted((a, b) => a.id.localeCompare(b.id)),
  );
});

test('runs that are executed one at a time are among them', () => {
  expect([...played]).toEqual(
    expect.arrayContaining(['start_runs_in_lines', 'write_runs_in_lines', 'hold_runs', 'open_gate']),
  );
});
