import type { Pool } from '#lib/core/db/client.ts';
import type { TakenRun } from '../run-state.ts';

type Claimed = Pick<TakenRun, 'id' | 'epoch'>;

/**
 * Which worker holds the runs that outlived their job; what a dead worker held is found by it. A claim is that of one taking
 * of its run: statements that arrive late, or never, leave claims of earlier ones, which nobody may go by.
 */
export interface Claims {
  claim(runs: readonly Claimed[]): Promise<void>;
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
        text: `delete from run_claims c using unnest($1::uuid[], $2::int[]) as t(id, epoch)
          where c.run_id = t.id and c.epoch = t.epoch and c.worker_id = $3`,
        values: [runs.map(({ id }) => id), runs.map(({ epoch }) => epoch), workerId],
      });
    },
  };
}
