// Releases what dead processes held: jobs locked by their pool, and runs that they had claimed.
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';

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
