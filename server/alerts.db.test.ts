// Checks for alerts run every few seconds: none may read more with a longer history, whatever the planner's statistics say.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { type Explained, explainWork } from '#lib/testing/explain.ts';
import { alertCases, PAGE, GROWING_TABLES } from './testing/alert-cases.ts';
import { insertAlertHistory } from './testing/alert-history.ts';
import { createSkewedWorkflows, insertHistory, withoutAutovacuum } from './testing/skewed-history.ts';

const WORKFLOWS = 6;
const EVENTS = 8000;
const ALERTS = 5000;
const STEP_MS = 100;
const SILENT_MS = 3 * 3_600_000;
/** Maximum number of rows of one table that a statement may read. */
const MOST = { idle: 10, page: 4 * (PAGE + 1), workflows: 800 * (WORKFLOWS + 2) };

let context: TestContext;

async function fill(statistics: 'none' | 'fresh'): Promise<ReturnType<typeof alertCases>> {
  context = await createTestContext();
  const { ctx } = context;
  await withoutAutovacuum(ctx.db.$client, GROWING_TABLES);
  const { busyIds, quietIds } = await createSkewedWorkflows(ctx, WORKFLOWS);
  const startMs = Date.now() - SILENT_MS - EVENTS * STEP_MS;
  await insertHistory(ctx, { workflowIds: quietIds, first: 1, last: 100, startMs });
  await insertHistory(ctx, { workflowIds: busyIds, first: 101, last: EVENTS, startMs });
  await insertAlertHistory(ctx, { alerts: ALERTS, states: ALERTS, connections: 5 });
  if (statistics === 'fresh') await ctx.db.$client.query('analyze');
  const settings = parseSettings({
    DATABASE_URL: 'postgres://unused',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'patchbay@example.com',
  });
  const runtime = { ...ctx, settings, logger: pino({ level: 'silent' }) };
  return alertCases(runtime, [...busyIds, ...quietIds]);
}

const mostOf = ({ reads }: Explained): number =>
  Math.max(0, ...GROWING_TABLES.map((table) => reads.rows[table] ?? 0));

describe.each(['none', 'fresh'] as const)('statistics: %s', (statistics) => {
  let cases: ReturnType<typeof alertCases>;
  beforeAll(async () => {
    cases = await fill(statistics);
  });
  afterAll(() => context.end());

  test('no statement of jobs, checks and screens reads a table that grows from end to end', async () => {
    const excess: Record<string, unknown> = {};
    for (const { name, bound, prepare, run } of cases) {
      await prepare();
      for (const each of await explainWork(context.ctx.db.$client, run)) {
        const read = mostOf(each);
        if (read > MOST[bound])
          excess[`${name}: ${each.text.replaceAll(/\s+/g, ' ').slice(0, 120)}`] = each.reads;
      }
    }
    expect(excess).toEqual({});
  });
});
