// Plays the statements of a simulation on PostgreSQL, each at its simulated instant, and compares what they return.
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Executed } from './database.ts';
import type { Tables, WorkflowRow } from './tables.ts';

/** Functions of the time, which are found before PostgreSQL's own of the same name. */
const TIMES = ['now', 'clock_timestamp', 'statement_timestamp'];
const OWN_TIME = TIMES.map(
  (name) => `create function simulated.${name}() returns timestamptz language sql stable
    as $$ select to_timestamp(current_setting('simulated.now_ms')::float8 / 1000.0) $$;`,
).join('\n');

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'simulation' });
  await client.connect();
  await client.query(`set search_path = simulated, pg_catalog, public; set lock_timeout = '5s'`);
  return client;
}

export class Replay {
  readonly #url: string;
  readonly #client: Client;
  /** Of transactions that are not over. */
  readonly #transactions = new Map<number, Client>();
  /** What tests look at. */
  readonly played = new Set<string>();

  private constructor(url: string, client: Client) {
    this.#url = url;
    this.#client = client;
  }

  /** @param url of a database with the product's tables */
  static async start(url: string): Promise<Replay> {
    const client = await connect(url);
    await client.query(`create schema simulated; ${OWN_TIME}`);
    return new Replay(url, client);
  }

  get client(): Client {
    return this.#client;
  }

  async end(): Promise<void> {
    await this.#endTransactions();
    await this.#client.end();
  }

  /** Empties the database, and plays a simulation. @param prepare inserts what its statements find besides workflows */
  async play(
    { tables, executed }: { tables: Tables; executed: readonly Executed[] },
    prepare: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    await this.#endTransactions();
    await this.#client
      .query(`truncate workspaces, workflows, processes, run_claims, run_lines, run_gates, workspace_gates, runs, events, task_runs,
        signal_waits, used_signals, run_calls cascade;
      delete from graphile_worker._private_jobs`);
    for (const [tokenHash, workflow] of tables.workflows)
      await insertWorkflow(this.#client, tokenHash, workflow);
    await prepare();
    const jobs = new JobNumbers(this.#client);
    for (const each of executed) await this.#playOne(each, jobs);
    await this.#endTransactions();
    await jobs.learn([]);
  }

  async #endTransactions(): Promise<void> {
    for (const client of this.#transactions.values()) await client.end();
    this.#transactions.clear();
  }

  async #clientOf(transaction: number | undefined): Promise<Client> {
    if (transaction === undefined) return this.#client;
    const known = this.#transactions.get(transaction);
    if (known) return known;
    const client = await connect(this.#url);
    await client.query('begin');
    this.#transactions.set(transaction, client);
    return client;
  }

  async #playOne(executed: Executed, jobs: JobNumbers): Promise<void> {
    const { name, nowMs, transaction } = executed;
    this.played.add(name);
    const client = await this.#clientOf(transaction);
    if (transaction !== undefined && (name === 'commit' || name === 'rollback')) {
      await client.query(name);
      await client.end();
      this.#transactions.delete(transaction);
      if (executed.addedJobs.length > 0) await jobs.learn(executed.addedJobs);
      return;
    }
    await client.query(`select set_config('simulated.now_ms', $1, false)`, [String(nowMs)]);
    const { rows } = await client.query<Record<string, unknown>>({
      // Planned once, as in the product.
      name,
      text: inOrder(executed),
      values: jobs.inValues(executed),
    });
    if (executed.addedJobs.length > 0) await jobs.learn(executed.addedJobs);
    // The results of these are not used.
    if (name.startsWith('add_') || name.startsWith('open_') || name === 'overtake') return;
    const keys = Object.keys(executed.rows[0] ?? {}).toSorted();
    const [real, simulated] = [rows, jobs.inRows(executed)].map((answers) =>
      sorted(answers.map((row) => toComparable(alike(withKey(row), keys)) as Record<string, unknown>)),
    );
    expect(asExact(simulated, real), `${name} at ${nowMs}`).toEqual(real);
  }
}

/** For the tests of a file: a database that statements are played on. */
export function setUpReplay(): () => Replay {
  let database: TestDatabase;
  let replay: Replay;
  beforeAll(async () => {
    database = await createTestDatabase();
    replay = await Replay.start(database.url);
  });
  afterAll(async () => {
    await replay.end();
    await database.drop();
  });
  return () => replay;
}

/** Compares the runs of both after a simulation was played, by these columns. */
export async function expectSameRuns(
  { client }: Replay,
  { runs }: Tables,
  columns: readonly ['id', ...('status' | 'epoch')[]],
): Promise<void> {
  const { rows } = await client.query(`select ${columns.join(', ')} from runs order by id`);
  const simulated = [...runs.values()]
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .map((run) => Object.fromEntries(columns.map((column) => [column, run[column]])));
  expect(rows).toEqual(simulated);
}

/** PostgreSQL computes with microseconds, the simulation with fractions of a millisecond. */
const INEXACT_BY = 0.1;

/** The simulated value, with the real numbers where they are alike. */
function asExact(simulated: unknown, real: unknown): unknown {
  if (typeof simulated === 'number' && typeof real === 'number')
    return Math.abs(simulated - real) < INEXACT_BY ? real : simulated;
  if (Array.isArray(simulated))
    return Array.isArray(real) ? simulated.map((value, index) => asExact(value, real[index])) : simulated;
  if (typeof simulated !== 'object' || simulated === null || simulated instanceof Date) return simulated;
  const others = (typeof real === 'object' && real !== null ? real : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(simulated).map(([key, value]) => [key, asExact(value, others[key])]),
  );
}

/** Instants in JSON. */
function toComparable(value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value).toISOString();
  if (Array.isArray(value)) return value.map(toComparable);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toComparable(each)]));
}

async function insertWorkflow(client: Client, tokenHash: string, workflow: WorkflowRow): Promise<void> {
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
  readonly #client: Client;
  readonly #real = new Map<string, string>();
  readonly #known = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Also finds jobs that PostgreSQL alone added since the last time. */
  async learn(added: Executed['addedJobs']): Promise<void> {
    const { rows } = await this.#client.query<{ id: string; payload: unknown; run_at_ms: number }>(
      `select id, payload, (extract(epoch from run_at) * 1000)::float8 as run_at_ms
       from graphile_worker._private_jobs where id <> all($1::bigint[]) order by id`,
      [[...this.#known]],
    );
    for (const { id } of rows) this.#known.add(id);
    for (const { id, payload, runAtMs } of added) {
      const differenceOf = ({ run_at_ms }: (typeof rows)[number]): number => Math.abs(run_at_ms - runAtMs);
      // One statement may add two jobs of a run, for now and for later.
      const found = rows
        .filter((row) => keyOf(row.payload) === keyOf(payload))
        .toSorted((one, other) => differenceOf(one) - differenceOf(other))[0];
      if (found) rows.splice(rows.indexOf(found), 1);
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

/** By ids, places and texts: other numbers may differ a little. */
const sorted = (rows: Executed['rows']) =>
  rows.toSorted((a, b) => withoutNumbers(a).localeCompare(withoutNumbers(b)));

const withoutNumbers = (row: unknown): string =>
  JSON.stringify(row, (key, value: unknown) =>
    typeof value === 'number' && !(Number.isInteger(value) && /id|place/i.test(key)) ? undefined : value,
  );

const withKey = (row: Record<string, unknown>): Record<string, unknown> =>
  typeof row.payload === 'object' ? { ...row, payload: keyOf(row.payload) } : row;

/** The columns of a row that both have. */
const alike = (row: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, row[key]]));

/** Jobs with one due time are taken in the order of their runs, as in the simulated database. */
function inOrder({ name, text }: Executed): string {
  if (name !== 'take_jobs') return text;
  const ordered = text.replace(
    'order by run_at limit',
    `order by run_at, payload #>> '{run_ids,0}' collate "C", id limit`,
  );
  if (ordered === text) throw new Error('The statement take_jobs has another order.');
  return ordered;
}
