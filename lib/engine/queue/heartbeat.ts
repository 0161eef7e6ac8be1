// Heartbeats of processes; what dead ones held is released (graphile-worker's own lock lasts four hours).
import type { Logger } from 'pino';
import type { ProcessClock } from '#lib/core/clock.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';

const INTERVAL_MS = 1000;
/** This sweep reads the whole job table: 0.2 s with a million timers. */
const STRAYS_INTERVAL_MS = 60_000;
/** A beat that takes longer was blocked, as those of all processes are while commits wait for a standby. */
const HELD_UP_MS = 2000;
/** After an outage of the database the other processes have this time to send a heartbeat. */
const GRACE_MS = HEARTBEAT_TIMEOUT_SECONDS * 1000;

export interface HeartbeatOptions {
  pool: Pool;
  processId: string;
  kind: 'web' | 'worker';
  /** The id under which this process locks jobs, a web process while there are no workers; null when it takes none. */
  jobPoolId: string | null;
  /** Time since this process last took a job; null when it has taken none. */
  msSinceLastJob?: () => number | null;
  /** Synchronized with the database's time at every beat. */
  clock: ProcessClock;
  logger: Logger;
}

const BEAT = `
insert into processes (id, kind, job_pool_id, heartbeat_at, last_job_at) values ($1, $2, $3, now(), now() - $4 * interval '1 ms')
on conflict (id) do update set heartbeat_at = now(), last_job_at = excluded.last_job_at returning now()`;

/**
 * Sends a heartbeat every second and, in workers, releases what dead processes held. Stop it last: whatever the process still
 * holds then is released, too.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<{ stop(): Promise<void> }> {
  const { pool, processId, kind, jobPoolId, msSinceLastJob = () => null, clock, logger } = options;
  const sweep = createSweep(pool, logger);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  let sweepsFromMs = 0;
  const waitForOthers = (): void => void (sweepsFromMs = performance.now() + GRACE_MS);
  const beat = async (): Promise<void> => {
    const startedAtMs = performance.now();
    const values = [processId, kind, jobPoolId, msSinceLastJob()];
    const { rows } = await pool.query<{ now: Date }>({ name: 'beat', text: BEAT, values });
    const answeredAtMs = performance.now();
    if (rows[0]) clock.learn(rows[0].now, startedAtMs, answeredAtMs);
    if (answeredAtMs - startedAtMs > HELD_UP_MS) waitForOthers();
    if (kind === 'worker' && performance.now() >= sweepsFromMs) await sweep();
  };
  const tick = (): void => {
    beating = beat()
      .catch((error: unknown) => {
        waitForOthers();
        logger.warn({ err: error }, 'the heartbeat could not reach the database');
      })
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
      await pool.query(GIVE_BACK, [processId]).catch(() => undefined);
    },
  };
}

/** Releases what dead processes held, and sometimes also what unknown processes hold. */
function createSweep(pool: Pool, logger: Logger): () => Promise<void> {
  let straysDueAtMs = 0;
  return async () => {
    await releaseDead(pool, logger);
    if (performance.now() < straysDueAtMs) return;
    await release(pool, logger, { name: 'give_back_strays', text: GIVE_BACK_STRAYS });
    straysDueAtMs = performance.now() + STRAYS_INTERVAL_MS;
  };
}

/** Releases what dead processes held. Workers do so at each heartbeat, a web process while there are none. */
export const releaseDead = (pool: Pool, logger: Logger): Promise<void> =>
  release(pool, logger, { name: 'give_back', text: GIVE_BACK, values: [null] });

async function release(
  pool: Pool,
  logger: Logger,
  query: { name: string; text: string; values?: unknown[] },
): Promise<void> {
  const { rows } = await pool.query<GivenBack>(query);
  const found = rows[0];
  if (found && found.pools + found.runs > 0) logger.warn(found, 'released work held by stopped processes');
}

// Releases what dead processes held: jobs locked by their pool, and runs that they had claimed.

export interface GivenBack {
  /** Number of job pools whose jobs were unlocked. */
  pools: number;
  /** Number of claimed runs that were queued again. */
  runs: number;
}

const OLDEST_HEARTBEAT = `now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'`;

const REQUEUED = `
requeued as (
  select ${addAdvanceJob('json_agg(run_id)')} from orphans
  having count(*) > 0
)`;

/**
 * Removes dead processes, and the process `$1` (null: none), and releases what they held. It runs every second, so that it
 * reads claims and jobs only when a process is dead.
 */
export const GIVE_BACK = `
with dead as (
  delete from processes where id = $1::uuid or heartbeat_at < ${OLDEST_HEARTBEAT} returning id, job_pool_id
), unlocked as (
  select graphile_worker.force_unlock_workers(array_agg(job_pool_id)) from dead
  where job_pool_id is not null having count(*) > 0
), orphans as (
  delete from run_claims where exists (select from dead) and worker_id = any (array(select id from dead)) returning run_id
), ${REQUEUED}
select (select count(job_pool_id) from dead)::int as pools, (select count(*) from orphans)::int as runs,
  (select count(*) from unlocked)::int as unlocked, (select count(*) from requeued)::int as requeued`;

/** Releases what is held by unknown pools and workers. Reads all jobs and claims. */
export const GIVE_BACK_STRAYS = `
with live as (
  select id, job_pool_id from processes where heartbeat_at >= ${OLDEST_HEARTBEAT}
), strays as (
  select distinct locked_by from graphile_worker.jobs
  where locked_by is not null and locked_at < ${OLDEST_HEARTBEAT}
    and locked_by not in (select job_pool_id from live where job_pool_id is not null)
), unlocked as (
  select graphile_worker.force_unlock_workers(array_agg(locked_by)) from strays having count(*) > 0
), orphans as (
  delete from run_claims where worker_id not in (select id from live) returning run_id
), ${REQUEUED}
select (select count(*) from strays)::int as pools, (select count(*) from orphans)::int as runs,
  (select count(*) from unlocked)::int as unlocked, (select count(*) from requeued)::int as requeued`;
