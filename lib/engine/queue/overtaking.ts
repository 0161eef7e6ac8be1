// Runs overtake those of another workspace (docs/decisions/fairness.md). While more jobs are due than the workers take, one of them looks
// through these for runs of other workspaces than the one that it is executing most of, and adds a job for them in a separate lane.
// Their first job stays where it is and finds nothing to do later: a job is only a hint.
import type { Logger } from 'pino';
import type { Pool } from '#lib/core/db/client.ts';
import { OVERTAKING, RUNS } from '#lib/core/queue/job-table.ts';
import { addAdvanceJob, ADVANCE_TASK } from '../store/advance-job.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '../store/take.ts';
import { RECURRING_TASKS } from './recurring.ts';
import type { RunHost } from './run-host.ts';

/** Time after which a due job counts as waiting: its transaction has been committed by then. */
export const WAITED_MS = 200;
/** Jobs that one statement looks at: the newest ones first, since those of others came behind the many. */
const JOBS_A_LOOK = 10_000;
/** Statements of one look. */
const MOST_STATEMENTS = 4;
/** Runs of a workspace, and of all of them, that are remembered until they overtake. */
const REMEMBERED = { ofOne: 1000, ofAll: 20_000 };
/** Runs that overtake at once: each costs a second job that finds nothing to do. */
const RUNS_A_LOOK = 128;
const RUNS_A_JOB = 24;

/**
 * Runs of jobs that are due, by workspace, and in their order; jobs that say that all of their runs are of the served workspace (`$4`) are skipped
 * without a look at these. Only the worker that has lived longest looks, and only where there are several
 * workspaces. The times of jobs are compared in whole milliseconds.
 */
export const FIND_OTHERS = `
with looks as materialized (
  select $1::uuid = (
    select id from processes where kind = 'worker' and heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'
    order by id limit 1
  ) and (select count(*) from (select from workspaces limit 2) as several) > 1 as does
), due as materialized (
  select payload, run_at from graphile_worker._private_jobs
  where (select does from looks) and is_available and priority = ${RUNS.priority}
    and run_at >= coalesce($2::timestamptz, '-infinity')
    and run_at < coalesce($3::timestamptz, date_trunc('milliseconds', now() - interval '${WAITED_MS} milliseconds'))
    and task_id = (select id from graphile_worker._private_tasks where identifier = '${ADVANCE_TASK}')
  order by run_at desc limit ${JOBS_A_LOOK}
), found as materialized (
  select (select r.workspace_id from runs r where r.id = due_run.id::uuid) as workspace_id, due_run.id, run_at
  from due cross join lateral json_array_elements_text(due.payload -> 'run_ids') as due_run(id)
  where (due.payload ->> 'workspace_id')::uuid is distinct from $4::uuid
), others as (
  select workspace_id, (array_agg(id order by run_at, id))[1:${REMEMBERED.ofOne}] as run_ids
  from found where workspace_id <> $4::uuid group by workspace_id
)
select coalesce($3::timestamptz, date_trunc('milliseconds', now() - interval '${WAITED_MS} milliseconds')) as until,
  coalesce((select does from looks), false) as looked, (select count(*) from due)::int as jobs,
  (select date_trunc('milliseconds', min(run_at)) from due) as oldest,
  coalesce((select json_agg(others order by workspace_id) from others), '[]') as others`;

/**
 * Recurring jobs work for all workspaces, such as those that start schedules and lists: those that are due come first. Their lane
 * stays the same, so that workers of an older version find them.
 */
const HURRY = `
with oldest as (
  select run_at from graphile_worker._private_jobs where is_available and priority = ${RUNS.priority} order by run_at limit 1
)
update graphile_worker._private_jobs set run_at = (select run_at from oldest) - interval '1 millisecond'
where key = any($1) and is_available and run_at < now() - interval '${WAITED_MS} milliseconds' and run_at > (select run_at from oldest)`;

/** For each list of ids. */
const OVERTAKE = `
select ${addAdvanceJob('run_ids', { isSignaled: true, lane: OVERTAKING })} as job from json_array_elements($1::json) as t(run_ids)`;

interface Found {
  until: Date;
  /** False: another worker does, or there is one workspace. */
  looked: boolean;
  jobs: number;
  oldest: Date | null;
  others: { workspace_id: string; run_ids: string[] }[];
}

/** A span of the times at which jobs were due; null: from the beginning. */
interface Span {
  since: Date | null;
  until: Date;
}

export interface OvertakingOptions {
  pool: Pool;
  workerId: string;
  host: Pick<RunHost, 'held' | 'roomToOvertake'>;
  logger: Logger;
  /** Called when there are jobs in the lane. */
  wake: () => void;
}

export class Overtaking {
  readonly #options: OvertakingOptions;
  /** Runs that have not overtaken yet, by workspace. */
  readonly #waiting = new Map<string, string[]>();
  /** What was due before this has been read, except in the spans that are left. */
  #lookedUntil: Date | null = null;
  #left: Span[] = [];
  /** The workspace whose runs are executed most. */
  #served = '00000000-0000-0000-0000-000000000000';
  #isLooking = false;

  constructor(options: OvertakingOptions) {
    this.#options = options;
  }

  /** @param msBehind for how long more jobs have been due than this worker took */
  look(msBehind: number): void {
    if (msBehind < WAITED_MS) return this.#forget();
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookAndAdd()
      .catch((error: unknown) => {
        this.#forget();
        this.#options.logger.warn({ err: error }, 'Could not look for runs of other workspaces');
      })
      .finally(() => (this.#isLooking = false));
  }

  #forget(): void {
    this.#waiting.clear();
    this.#left = [];
    this.#lookedUntil = null;
  }

  async #lookAndAdd(): Promise<void> {
    const { held } = this.#options.host;
    const [most] = [...held].toSorted(([, a], [, b]) => b - a);
    if (most) [this.#served] = most;
    await this.#find({ since: this.#lookedUntil, until: null });
    for (let count = 1; count < MOST_STATEMENTS; count += 1) {
      const span = this.#left.pop();
      if (!span) break;
      await this.#find(span);
    }
    await this.#overtake();
    await this.#options.pool.query({ name: 'hurry_jobs', text: HURRY, values: [RECURRING_TASKS] });
  }

  async #find({ since, until }: { since: Date | null; until: Date | null }): Promise<void> {
    const { pool, workerId } = this.#options;
    const values = [workerId, since, until, this.#served];
    const { rows } = await pool.query<Found>(FIND_OTHERS, values);
    const [found] = rows;
    // Should this worker be the one that looks later, it begins with the oldest job.
    if (!found?.looked) return this.#forget();
    if (until === null) this.#lookedUntil = found.until;
    if (found.jobs === JOBS_A_LOOK && found.oldest) {
      // The next look includes the rest of this millisecond, unless that alone has more jobs than one look.
      const next = new Date(found.oldest.getTime() + 1);
      this.#left.push({ since, until: next < found.until ? next : found.oldest });
    }
    let room = REMEMBERED.ofAll - [...this.#waiting.values()].reduce((sum, ids) => sum + ids.length, 0);
    for (const { workspace_id, run_ids } of found.others) {
      const known = this.#waiting.get(workspace_id) ?? [];
      const more = run_ids.slice(0, Math.max(0, Math.min(room, REMEMBERED.ofOne - known.length)));
      room -= more.length;
      if (more.length > 0) this.#waiting.set(workspace_id, [...known, ...more]);
    }
  }

  /** Each workspace gets the same part of what may overtake; what one does not need, the others do. */
  async #overtake(): Promise<void> {
    const { pool, host, wake } = this.#options;
    const { roomToOvertake: room, held } = host;
    const jobs: string[][] = [];
    // One that holds much of the room leaves the rest to others.
    const entitled = [...this.#waiting]
      .filter(([workspaceId]) => (held.get(workspaceId) ?? 0) < room && workspaceId !== this.#served)
      .toSorted(([, a], [, b]) => a.length - b.length);
    let left = Math.min(RUNS_A_LOOK, Math.ceil(room / 2));
    for (const [index, [workspaceId, runIds]] of entitled.entries()) {
      const next = runIds.splice(0, Math.ceil(left / (entitled.length - index)));
      left -= next.length;
      if (runIds.length === 0) this.#waiting.delete(workspaceId);
      for (let at = 0; at < next.length; at += RUNS_A_JOB) jobs.push(next.slice(at, at + RUNS_A_JOB));
    }
    if (jobs.length === 0) return;
    await pool.query({ name: 'overtake', text: OVERTAKE, values: [JSON.stringify(jobs)] });
    wake();
  }
}
