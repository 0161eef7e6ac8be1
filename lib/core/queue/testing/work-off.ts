// For tests: handles the due jobs of a kind, like a worker.
import { pino } from 'pino';
import type { Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { JobConsumer, type JobHandler } from '../job-consumer.ts';
import { createJobTable } from '../job-table.ts';

export function workOff(pool: Pool, handler: JobHandler | null): Promise<void> {
  if (!handler) return Promise.resolve();
  const { task, lane, handle } = handler;
  const table = createJobTable(pool, { lockId: newId(), lane, tasks: [task] });
  return new JobConsumer({ table, handle, lane, logger: pino({ level: 'silent' }) }).workOff();
}

/** Makes all jobs of a kind due. */
export const makeJobsDue = (pool: Pool, { lane }: Pick<JobHandler, 'lane'>): Promise<unknown> =>
  pool.query('update graphile_worker._private_jobs set run_at = now() where priority = $1', [lane.priority]);
