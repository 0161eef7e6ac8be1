// The statements of heartbeats and claims.
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';
import { addAdvanceJob, unlock } from './job-statements.ts';
import type { Moment, Row, Statement } from './moment.ts';
import type { Tables } from './tables.ts';

const HEARTBEAT_MS = HEARTBEAT_TIMEOUT_SECONDS * 1000;

/** Whether the sender of this heartbeat is alive. */
export const isAlive = ({ nowMs, sabotage }: Moment, heartbeatAt: number): boolean =>
  sabotage !== 'heartbeats' && heartbeatAt > nowMs - HEARTBEAT_MS;

type Claim = [runIds: string[], epochs: number[], workerId: string];

export const claimRuns: Statement<Claim> = ({ tables, sabotage }, [runIds, epochs, workerId]) => {
  if (sabotage === 'claims') return [];
  runIds.forEach((id, index) => {
    const epoch = epochs[index] ?? 0;
    if ((tables.claims.get(id)?.epoch ?? -1) < epoch) tables.claims.set(id, { worker_id: workerId, epoch });
  });
  return [];
};

export const releaseRuns: Statement<Claim> = (moment, [runIds, epochs, workerId]) => {
  const { claims, runs } = moment.tables;
  const taken = runIds.filter((id, index) => {
    const claim = claims.get(id);
    if (claim?.worker_id !== workerId || claim.epoch !== epochs[index]) return false;
    claims.delete(id);
    const run = runs.get(id);
    return run?.status === 'running' && run.epoch > claim.epoch;
  });
  if (taken.length > 0) addAdvanceJob(moment, taken);
  return [{ requeued: Number(taken.length > 0) }];
};

export const beat: Statement<[id: string, kind: string, jobPoolId: string | null]> = (
  { tables, nowMs },
  [id, , jobPoolId],
) => {
  tables.processes.set(id, { id, job_pool_id: jobPoolId, heartbeat_at: nowMs });
  return [{ now: new Date(nowMs) }];
};

export const giveBack: Statement<[id: string | null]> = (moment, [id]) => {
  const { tables, nowMs, sabotage } = moment;
  const dead = [...tables.processes.values()].filter(
    (process) => process.id === id || process.heartbeat_at < nowMs - HEARTBEAT_MS,
  );
  for (const process of dead) tables.processes.delete(process.id);
  const pools = new Set(dead.flatMap((process) => process.job_pool_id ?? []));
  const workers = new Set(dead.map((process) => process.id));
  if (sabotage === 'giving_back') return [givenBack(0, 0)];
  unlockPools(tables, pools);
  return [
    givenBack(
      pools.size,
      requeue(moment, (worker) => workers.has(worker)),
    ),
  ];
};

export const giveBackStrays: Statement<[]> = (moment) => {
  const { tables, nowMs, sabotage } = moment;
  const live = [...tables.processes.values()].filter(
    (process) => process.heartbeat_at >= nowMs - HEARTBEAT_MS,
  );
  const workers = new Set(live.map((process) => process.id));
  const livePools = new Set(live.flatMap((process) => process.job_pool_id ?? []));
  if (sabotage === 'giving_back') return [givenBack(0, 0)];
  const pools = new Set<string>();
  for (const { locked_by, locked_at } of tables.jobs.values()) {
    if (locked_by === null || locked_at === null || livePools.has(locked_by)) continue;
    if (locked_at < nowMs - HEARTBEAT_MS) pools.add(locked_by);
  }
  unlockPools(tables, pools);
  return [
    givenBack(
      pools.size,
      requeue(moment, (worker) => !workers.has(worker)),
    ),
  ];
};

const givenBack = (pools: number, runs: number): Row => ({ pools, runs });

function unlockPools(tables: Tables, pools: ReadonlySet<string>): void {
  for (const job of tables.jobs.values())
    if (job.locked_by !== null && pools.has(job.locked_by)) unlock(job, job.attempts);
}

/** @returns the number of released runs. */
function requeue(moment: Moment, isGone: (workerId: string) => boolean): number {
  const { claims } = moment.tables;
  const orphans = [...claims].filter(([, { worker_id }]) => isGone(worker_id)).map(([runId]) => runId);
  for (const runId of orphans) claims.delete(runId);
  if (orphans.length > 0) addAdvanceJob(moment, orphans);
  return orphans.length;
}
