// Processes say that they live; what the dead ones held is given back (graphile-worker's own lock lasts four hours).
import type { Logger } from 'pino';
import type { Pool } from '#lib/db/client.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';

const INTERVAL_MS = 1000;

export interface HeartbeatOptions {
  pool: Pool;
  processId: string;
  kind: 'web' | 'worker';
  /** The id under which the job queue locks this process's jobs, once it is known. */
  jobPoolId: () => string | null;
  logger: Logger;
}

const BEAT = `
insert into processes (id, kind, job_pool_id, heartbeat_at) values ($1, $2, $3, now())
on conflict (id) do update set heartbeat_at = now(), job_pool_id = excluded.job_pool_id`;

const SWEEP = `
with dead as (
  delete from processes where heartbeat_at < now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds' returning id
), strays as (
  select distinct locked_by from graphile_worker.jobs
  where locked_by is not null and locked_at < now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'
    and locked_by not in (select job_pool_id from processes where job_pool_id is not null
      and heartbeat_at >= now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds')
), unlocked as (
  select graphile_worker.force_unlock_workers(array_agg(locked_by)) from strays having count(*) > 0
), orphans as (
  delete from run_claims where worker_id not in (select id from processes
    where heartbeat_at >= now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds') returning run_id
), requeued as (
  select graphile_worker.add_job('advance', json_build_object('run_ids', json_agg(run_id))) from orphans
  having count(*) > 0
)
select (select count(*) from dead)::int as dead, (select count(*) from strays)::int as strays,
  (select count(*) from orphans)::int as orphans,
  (select count(*) from unlocked)::int as unlocked, (select count(*) from requeued)::int as requeued`;

interface SweepRow {
  dead: number;
  strays: number;
  orphans: number;
}

/** Beats every second and, for workers, gives back what dead processes held. Stop it last, when nothing is held. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<{ stop(): Promise<void> }> {
  const { pool, processId, kind, logger } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const beat = async (): Promise<void> => {
    await pool.query({ name: 'beat', text: BEAT, values: [processId, kind, options.jobPoolId()] });
    if (kind !== 'worker') return;
    const { rows } = await pool.query<SweepRow>({ name: 'sweep', text: SWEEP });
    const found = rows[0];
    if (found && found.strays + found.orphans > 0)
      logger.warn(found, 'gave back what stopped processes held');
  };
  const tick = (): void => {
    beating = beat()
      .catch((error: unknown) => logger.warn({ err: error }, 'the heartbeat did not reach the database'))
      .finally(() => {
        if (!stopped) timer = setTimeout(tick, INTERVAL_MS);
      });
  };
  await beat();
  timer = setTimeout(tick, INTERVAL_MS);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await beating;
      await pool.query('delete from processes where id = $1', [processId]).catch(() => undefined);
    },
  };
}
