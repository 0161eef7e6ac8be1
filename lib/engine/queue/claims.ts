import type { Pool } from '#lib/core/db/client.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import type { TakenRun } from '../run-state.ts';

type Claimed = Pick<TakenRun, 'id' | 'epoch'>;

/**
 * Which worker holds the runs that outlived their job, so that the runs of a dead worker are found. A claim belongs to one
 * epoch of its run: statements that arrive late or never leave claims of earlier epochs, which are ignored.
 */
export interface Claims {
  claim(runs: readonly Claimed[]): Promise<void>;
  /**
   * A run that another worker has taken in between gets a job: the sender of a take that arrived late does not know that it
   * holds the run, which has no other job.
   */
  release(runs: readonly Claimed[]): Promise<void>;
}

export function createClaims(pool: Pool, workerId: string): Claims {
  return {
    async claim(runs) {
      await pool.query({
        name: 'claim_runs',
        text: `insert into run_claims (run_id, epoch, worker_id)
          select id, epoch, $3 from unnest($1::uuid[], $2::int[]) as t(id, epoch)
          on conflict (run_id) do update set worker_id = excluded.worker_id, epoch = excluded.epoch
          where run_claims.epoch < excluded.epoch`,
        values: [runs.map(({ id }) => id), runs.map(({ epoch }) => epoch), workerId],
      });
    },
    async release(runs) {
      await pool.query({
        name: 'release_runs',
        text: `with released as (
            delete from run_claims c using unnest($1::uuid[], $2::int[]) as t(id, epoch)
            where c.run_id = t.id and c.epoch = t.epoch and c.worker_id = $3 returning c.run_id, c.epoch
          ), requeued as (
            select ${addAdvanceJob('json_agg(r.id)')} from released c join runs r on r.id = c.run_id
            where r.status = 'running' and r.epoch > c.epoch having count(*) > 0
          )
          select (select count(*) from requeued)::int as requeued`,
        values: [runs.map(({ id }) => id), runs.map(({ epoch }) => epoch), workerId],
      });
    },
  };
}
