import type { Pool } from '#lib/core/db/client.ts';

/** Which worker holds the runs that outlived their job; what a dead worker held is found by it. */
export interface Claims {
  claim(runIds: readonly string[]): Promise<void>;
  release(runIds: readonly string[]): Promise<void>;
}

export function createClaims(pool: Pool, workerId: string): Claims {
  return {
    async claim(runIds) {
      await pool.query({
        name: 'claim_runs',
        text: `insert into run_claims (run_id, worker_id) select id, $2 from unnest($1::uuid[]) as t(id)
          on conflict (run_id) do update set worker_id = excluded.worker_id`,
        values: [runIds, workerId],
      });
    },
    async release(runIds) {
      await pool.query({
        name: 'release_runs',
        text: 'delete from run_claims where run_id = any($1::uuid[]) and worker_id = $2',
        values: [runIds, workerId],
      });
    },
  };
}
