// What the health page says of this installation.
import type { Database } from '#lib/core/db/client.ts';
import { checkReadiness, type Readiness } from '#lib/engine/store/readiness.ts';
import type { HealthCheck } from './health-types.ts';

type Finding = Omit<HealthCheck, 'id'>;

const RESTART = 'Restart Patchbay. If that does not help, the reason is in the log of the worker.';

/** What this installation needs in order to run workflows, and what to do about what is missing. It never throws. */
export const listHealthChecks = async ({ db }: { db: Database }): Promise<HealthCheck[]> => {
  const readiness = await checkReadiness(db.$client);
  return [
    { id: 'database', ...checkDatabase(readiness) },
    { id: 'workers', ...checkWorkers(readiness) },
    { id: 'queue', ...checkQueue(readiness) },
  ];
};

/** @param at the instant that `what` ends with */
const ok = (what: string, at: Date | null = null): Finding => ({
  result: 'ok',
  what,
  fix: null,
  at: at?.toISOString() ?? null,
});
const failed = (what: string, fix: string | null, at: Date | null = null): Finding => ({
  ...ok(what, at),
  result: 'failed',
  fix,
});
const UNKNOWN = failed('Unknown while the database cannot be reached.', null);

function checkDatabase({ database, migrations }: Readiness): Finding {
  if (database === 'unreachable')
    return failed('The database cannot be reached.', 'Check that PostgreSQL is running.');
  if (migrations === 'missing')
    return failed('Its tables are missing.', 'Restart Patchbay: it creates them at start.');
  return ok('Connected.');
}

function checkWorkers({ database, workers }: Readiness): Finding {
  if (database === 'unreachable') return UNKNOWN;
  if (workers === 0)
    return failed(
      'No worker is running. Messages wait; nothing is lost. Webhooks are still accepted, and their runs start when one is back.',
      RESTART,
    );
  return ok(workers === 1 ? '1 worker is running.' : `${workers} workers are running.`);
}

function checkQueue({ queue, dueSince, lastJobAt }: Readiness): Finding {
  if (queue === 'unknown') return UNKNOWN;
  if (queue === 'stalled')
    return failed(
      'Runs are waiting, and no worker picks them up. The oldest has been due since',
      RESTART,
      dueSince,
    );
  return lastJobAt ? ok('Runs are picked up as they come. Last work:', lastJobAt) : ok('Nothing to do yet.');
}
