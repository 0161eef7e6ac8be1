import type { Pool } from '#lib/core/db/client.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import type { TakenRun } from '../run-state.ts';

const MAX_RELEASES = 256;

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

const CLAIM = `
insert into run_claims (run_id, epoch, worker_id)
select id, epoch, $3 from unnest($1::uuid[], $2::int[]) as t(id, epoch)
on conflict (run_id) do update set worker_id = excluded.worker_id, epoch = excluded.epoch
where run_claims.epoch < excluded.epoch`;

const RELEASE = `
with released as (
  delete from run_claims c using unnest($1::uuid[], $2::int[]) as t(id, epoch)
  where c.run_id = any(array[t.id]) and c.epoch = t.epoch and c.worker_id is not distinct from $3 returning c.run_id, c.epoch
), requeued as (
  select ${addAdvanceJob('json_agg(r.id)')} from released c join runs r on r.id = any(array[c.run_id])
  where r.status = 'running' and r.epoch > c.epoch having count(*) > 0
)
select (select count(*) from requeued)::int as requeued`;

export function createClaims(pool: Pool, workerId: string): Claims {
  const execute = async (name: string, text: string, runs: readonly Claimed[]): Promise<void> => {
    // In one order everywhere, so that statements of two workers cannot deadlock.
    const sorted = runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const values = [sorted.map(({ id }) => id), sorted.map(({ epoch }) => epoch), workerId];
    await pool.query({ name, text, values });
  };
  // Under load most runs outlive their job, and end many at a time: each released alone would be a commit a run.
  const releases = new GroupCommit<Claimed, void>(
    async (runs) => {
      await execute('release_runs', RELEASE, runs);
      return runs.map(() => undefined);
    },
    { maxBatch: MAX_RELEASES, maxWeight: Infinity, weigh: () => 0, lanes: 1 },
  );
  return {
    claim: (runs) => execute('claim_runs', CLAIM, runs),
    async release(runs) {
      await Promise.all(runs.map((run) => releases.add(run)));
    },
  };
}
