import { readDatabaseBytes } from '#lib/core/disk.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import type { ListedHistory } from '../../server/testing/list-cases.ts';
import { createSkewedWorkflows, endOfHistory, insertHistory } from '../../server/testing/skewed-history.ts';
import { assertSpace } from '../customers/fill.ts';
import { withoutDurability } from '../customers/without-indexes.ts';

/** Of each run. */
const TASK_RUNS = 4;
const QUIET_WORKFLOWS = 100;
/** The oldest events belong to the quiet workflows. */
const QUIET_EVENTS = 2000;
const CHUNK = 100_000;
const DAY_MS = 86_400_000;

export interface Filled extends ListedHistory {
  /** What is older than this many days is the first day of the history. */
  days: number;
  /** Of an event with its run and task runs, indexes included. */
  bytesEach: number;
}

/** Writes runs, ten a second, in the order of their ids, and gathers statistics. @throws Error when the disk would be full */
export async function fillHistory(
  ctx: ActorContext,
  { runs, say }: { runs: number; say: (line: string) => void },
): Promise<Filled> {
  const { $client: pool } = ctx.db;
  const workflows = await createSkewedWorkflows(ctx, QUIET_WORKFLOWS);
  const days = Math.max(1, Math.floor(endOfHistory(0, runs) / DAY_MS));
  const startMs = Math.floor(Date.now() - (days + 1) * DAY_MS);
  const before = await readDatabaseBytes(pool);
  const since = performance.now();
  await withoutDurability(pool, async () => {
    const insert = (first: number, last: number, workflowIds: string[]): Promise<void> =>
      insertHistory(ctx, { workflowIds, first, last, startMs, taskRuns: TASK_RUNS });
    await insert(1, QUIET_EVENTS, workflows.quietIds);
    const next = { first: QUIET_EVENTS + 1 };
    const work = async (): Promise<void> => {
      while (next.first <= runs) {
        assertSpace();
        const { first } = next;
        next.first += CHUNK;
        await insert(first, Math.min(first + CHUNK - 1, runs), workflows.busyIds);
      }
    };
    await Promise.all([work(), work()]);
    say(`${runs} runs in ${((performance.now() - since) / 1000).toFixed(0)} s`);
    await pool.query('vacuum analyze');
  });
  const bytesEach = ((await readDatabaseBytes(pool)) - before) / runs;
  say(
    `with statistics in ${((performance.now() - since) / 1000).toFixed(0)} s, ${bytesEach.toFixed(0)} bytes each`,
  );
  return { ...workflows, startMs, endMs: endOfHistory(startMs, runs), days, bytesEach };
}
