// No list may depend on the planner's statistics: they are wrong after a bulk load and missing after a restore.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainWork, readsOfWork, type Reads } from '#lib/testing/explain.ts';
import { MAX_RUNS_COUNTED } from '#lib/workflows/row-schema.ts';
import { buildSegment } from '#lib/events/full-text/build.ts';
import { indexDue } from '#lib/events/full-text/index-due.ts';
import { switchFullTextOff, switchFullTextOn } from '#lib/events/full-text/switch.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import {
  customerCases,
  fullTextCases,
  listCases,
  type ListCase,
  type ListedHistory,
} from './testing/list-cases.ts';
import {
  createSkewedWorkflows,
  endOfHistory,
  insertAuditEntries,
  insertCustomers,
  insertHistory,
  withoutAutovacuum,
} from './testing/skewed-history.ts';

const QUIET_COUNT = 12;
const EVENT_COUNT = 16_000;
const CUSTOMER_COUNT = 24_000;
/** Its middle is where two months meet, and so two partitions where the tests have them (TEST_PARTITIONED). */
const START_MS = Date.UTC(2026, 0, 31, 23, 45);
const LIMIT = 5;
/** See the bounds in lib/events/search-by-event.ts. */
const SCAN_ROWS = 2000;

let context: TestContext;

async function fill(statistics: 'none' | 'wrong' | 'fresh'): Promise<ListedHistory> {
  context = await createTestContext();
  const { ctx, stranger } = context;
  const { $client: pool } = ctx.db;
  await withoutAutovacuum(pool, [
    'events',
    'runs',
    'audit_entries',
    'customer_names',
    'sent_messages',
    'received_messages',
  ]);
  const workflows = await createSkewedWorkflows(ctx, QUIET_COUNT);
  const startMs = START_MS;
  const quiet = { workflowIds: workflows.quietIds, startMs };
  const busy = { workflowIds: workflows.busyIds, startMs };
  await insertHistory(ctx, { ...quiet, first: 1, last: 100 });
  if (statistics === 'wrong') await pool.query('analyze');
  await insertHistory(ctx, { ...busy, first: 101, last: EVENT_COUNT });
  await insertAuditEntries(ctx, 50);
  await insertAuditEntries(stranger, 5000);
  if (statistics === 'fresh') await pool.query('analyze');
  return { ...workflows, startMs, endMs: endOfHistory(START_MS, EVENT_COUNT) };
}

/** Maximum rows of one table, and pages, that a list of this kind may read. */
const MOST = {
  page: { rows: 4 * (LIMIT + 1), buffers: 100 },
  scan: { rows: 2 * SCAN_ROWS, buffers: 5 * SCAN_ROWS },
  // See the bounds in lib/events/full-text/search-full-text.ts; what is not indexed yet is read as in a scan.
  index: { rows: 2500, buffers: 6000 },
  // The order by today's runs counts those of every workflow, and then again those of the page.
  workflows: { rows: 4 * MAX_RUNS_COUNTED + 50 * QUIET_COUNT, buffers: 2000 },
};

/** On partitioned tables, of which tests have 15 partitions, each index is as many: most are empty. */
const DESCENTS = process.env['TEST_PARTITIONED'] ? 6 : 1;

describe.each(['none', 'wrong', 'fresh'] as const)('statistics: %s', (statistics) => {
  let history: ListedHistory;
  beforeAll(async () => {
    history = await fill(statistics);
  });

  afterAll(() => context.end());

  const readTooMuch = async (cases: readonly ListCase[]): Promise<Record<string, Reads>> => {
    const excess: Record<string, Reads> = {};
    for (const { name, bound, run } of cases) {
      const reads = await readsOfWork(context.ctx.db.$client, run);
      const most = MOST[bound];
      if (
        reads.buffers > most.buffers * DESCENTS ||
        Object.values(reads.rows).some((rows) => rows > most.rows)
      )
        excess[name] = reads;
    }
    return excess;
  };

  test('every list reads about as many rows as it shows, a search no more than it says', async () => {
    expect(await readTooMuch(listCases(context.ctx, history, LIMIT))).toEqual({});
  });

  test('with full text a search reads no more than the index found', async () => {
    const { ctx } = context;
    await switchFullTextOn(ctx.db);
    while (await indexDue({ pool: ctx.db.$client, maxDocuments: 2000, isRested: true }));
    const cases = fullTextCases(ctx, history, LIMIT);
    expect(await readTooMuch(cases)).toEqual({});
    for (const { name, run } of cases) expect(await run(), name).toMatchObject({ full_text: true });
    const oldest = { id: '0', version: 0, from_ms: history.startMs, to_ms: history.startMs + 1000 };
    const { reads } =
      (
        await explainWork(ctx.db.$client, () =>
          buildSegment(ctx.db.$client, [{ ...oldest, workspace_id: ctx.workspaceId }]),
        )
      )[0] ?? expect.unreachable();
    expect(reads.buffers, 'an old segment that is made again').toBeLessThan(MOST.page.buffers * DESCENTS);
    await switchFullTextOff(ctx.db);
  });

  test('so do those of customers', async () => {
    const { ctx, stranger } = context;
    const customerId = await insertCustomers(ctx, stranger, CUSTOMER_COUNT);
    if (statistics === 'fresh') await ctx.db.$client.query('analyze');
    expect(await readTooMuch(customerCases(ctx, customerId, LIMIT))).toEqual({});
  });
});
