// Which statements write runs of a workflow with a gate (docs/engine.md, "Gates").
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHotPool, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { makeArrival } from '#lib/testing/start-run.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { toLine } from './run-lines.ts';
import { type Arrival, startRuns } from './start-runs.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 2, name: 'gates' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const GRAPH = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'In', settings: {} }], edges: [] };

/** @returns the token of a workflow that executes at most this many runs at once; null: any number */
async function insert(most: number | null): Promise<{ token: string; workflowId: string }> {
  const workflow = await insertWorkflow(pool, GRAPH);
  await pool.query('update workflows set max_concurrent_runs = $2 where id = $1', [
    workflow.workflowId,
    most,
  ]);
  return workflow;
}

const ANSWER = { status: 200, contentType: 'text/plain', body: 'Done.' };
const leg = () => ({
  change: { status: 'succeeded' as const, answer: ANSWER, finishedAt: Date.now() },
  taskRuns: [],
  startedAt: Date.now(),
});

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

function arrival(token: string, more: Partial<Arrival> & { key?: string; hasLeg?: boolean } = {}): Arrival {
  const { key, hasLeg = false, ...rest } = more;
  return makeArrival(token, {
    response: {
      version: 1,
      problem: null,
      ...(hasLeg ? { leg: leg() } : {}),
      ...(key === undefined
        ? {}
        : { key: { hash: hash(key), bodyHash: hash('{}'), answer: hasLeg ? ANSWER : null } }),
    },
    ...rest,
  });
}

/** @returns the names of the statements, and the outcome of each request */
async function startTogether(batch: readonly Arrival[]) {
  const statements: string[] = [];
  const client = {
    query: (query: { name: string }) => {
      statements.push(query.name);
      return pool.query(query as never);
    },
  } as unknown as Queryable;
  return { statements, admissions: await startRuns(client, batch) };
}

const stored = async ({ runId }: Arrival): Promise<object[]> =>
  (
    await pool.query<{ status: string }>(
      `select r.status, g.is_through from runs r left join run_gates g on g.run_id = r.id where r.id = $1`,
      [runId],
    )
  ).rows;

test('a statement that knows no lines leaves runs of a gate to another one, and writes the others', async () => {
  const [gated, open] = [await insert(1), await insert(null)];
  const batch = [arrival(gated.token), arrival(open.token), arrival(gated.token)];
  const { statements, admissions } = await startTogether(batch);
  expect(statements).toEqual(['start_runs', 'start_runs_in_lines']);
  expect(admissions).toEqual([
    { outcome: 'triggered', waitsForTurn: false },
    { outcome: 'triggered', waitsForTurn: false },
    { outcome: 'triggered', waitsForTurn: true },
  ]);
  expect(await Promise.all(batch.map(stored))).toEqual([
    [{ status: 'queued', is_through: true }],
    [{ status: 'queued', is_through: null }],
    [{ status: 'queued', is_through: false }],
  ]);
});

test('one that knows lines writes them at once', async () => {
  const [gated, ordered] = [await insert(1), await insert(null)];
  const line = toLine(ordered.workflowId, 'A');
  const { statements, admissions } = await startTogether([
    arrival(gated.token),
    arrival(ordered.token, { line }),
  ]);
  expect(statements).toEqual(['start_runs_in_lines']);
  expect(admissions).toEqual(Array(2).fill({ outcome: 'triggered', waitsForTurn: false }));
});

test('a key is not claimed with the answer of a leg, which may not be written at a gate', async () => {
  const [gated, ordered] = [await insert(1), await insert(null)];
  const line = toLine(ordered.workflowId, 'A');
  const keyed = arrival(gated.token, { key: 'first', hasLeg: true });
  const { statements, admissions } = await startTogether([keyed, arrival(ordered.token, { line })]);
  expect(statements).toEqual(['start_runs_by_keys_in_lines', 'start_runs_by_keys_in_lines']);
  // Its run renders the answer, also where it could begin at once.
  expect(admissions).toEqual([
    { outcome: 'triggered', waitsForTurn: true },
    { outcome: 'triggered', waitsForTurn: false },
  ]);
  expect(await stored(keyed)).toEqual([{ status: 'queued', is_through: true }]);
  const { rows } = await pool.query('select run_id, answer from webhook_keys where key_hash = $1', [
    hash('first'),
  ]);
  expect(rows).toEqual([{ run_id: keyed.runId, answer: null }]);
});

test('a key without the answer of a leg, and a run with a line of its own, are written at once', async () => {
  const gated = await insert(1);
  const line = toLine(gated.workflowId, 'A');
  const batch = [
    arrival(gated.token, { key: 'without', line: toLine(gated.workflowId, 'B') }),
    arrival(gated.token, { key: 'with', hasLeg: true, line }),
  ];
  const { statements, admissions } = await startTogether(batch);
  expect(statements).toEqual(['start_runs_by_keys_in_lines']);
  expect(admissions).toEqual([
    { outcome: 'triggered', waitsForTurn: false },
    { outcome: 'triggered', waitsForTurn: true },
  ]);
});
