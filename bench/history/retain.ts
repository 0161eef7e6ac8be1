import { setTimeout as pause } from 'node:timers/promises';
import { lowestIdAt } from '#lib/core/ids.ts';
import { besideSteadyLoad, type SteadyLoad } from '../webhooks/steady.ts';
import type { Installation } from './start.ts';

const POLL_MS = 500;
const DAY_MS = 86_400_000;
/** Runs and events. */
const PARTS = 2;

export interface RetentionFigures {
  runs: number;
  seconds: number;
  /** Webhooks at the same time. */
  plain: SteadyLoad;
  /** The same webhooks without it. */
  alone: SteadyLoad;
}

const KEEP = `
insert into retention_settings (workspace_id, runs_days) values ($1, $2)
on conflict (workspace_id) do update set runs_days = $2, bodies_days = null, changed_at = now()`;
const COUNT = 'select count(*)::int as count from runs where workspace_id = $1 and id < $2';
const DONE = `
select count(*)::int as count from retention_progress
where workspace_id = $1 and part in ('runs', 'events') and done_through >= $2`;

/** The product's worker removes what is older than some days, while webhooks come in. */
export async function measureRetention(
  { product, ctx, token }: Installation,
  { days, rate, aloneSeconds }: { days: number; rate: number; aloneSeconds: number },
): Promise<RetentionFigures> {
  const { $client: pool } = ctx.db;
  const { workspaceId } = ctx;
  const read = async (statement: string, ...more: unknown[]): Promise<number> =>
    (await pool.query<{ count: number }>(statement, [workspaceId, ...more])).rows[0]?.count ?? 0;
  const web = await product.start('web');
  const worker = await product.start('worker');
  const url = `${web.base}/webhook/${token}`;
  try {
    const { plain: alone } = await besideSteadyLoad(url, rate, () => pause(aloneSeconds * 1000, {}));
    const cutoffMs = Date.now() - days * DAY_MS;
    const before = lowestIdAt(cutoffMs);
    const due = await read(COUNT, before);
    const { seconds, plain } = await besideSteadyLoad(url, rate, async () => {
      const since = performance.now();
      await pool.query(KEEP, [workspaceId, days]);
      await pool.query(
        `update graphile_worker._private_jobs set run_at = now() where key = 'retention' and locked_at is null`,
      );
      while ((await read(DONE, new Date(cutoffMs))) < PARTS) await pause(POLL_MS);
      return { seconds: (performance.now() - since) / 1000 };
    });
    return { runs: due - (await read(COUNT, before)), seconds, plain, alone };
  } finally {
    await worker.stop();
    await web.stop();
  }
}
