// What the health page says of this installation.
import type { Database } from '#lib/core/db/client.ts';
import { checkReadiness, type Readiness } from '#lib/engine/store/readiness.ts';
import type { HealthCheck } from './health-types.ts';

/** What this installation needs in order to run workflows, and what to do about what is missing. It never throws. */
export const listHealthChecks = async ({ db }: { db: Database }): Promise<HealthCheck[]> => {
  const readiness = await checkReadiness(db.$client);
  return [databaseCheck(readiness), workersCheck(readiness), queueCheck(readiness)];
};

function databaseCheck({ database, migrations }: Readiness): HealthCheck {
  const id = 'database';
  if (database === 'unreachable')
    return {
      id,
      result: 'failed',
      what: 'The database cannot be reached.',
      fix: 'Check that PostgreSQL is running.',
      at: null,
    };
  if (migrations === 'missing')
    return {
      id,
      result: 'failed',
      what: 'Its tables are missing.',
      fix: 'Restart Patchbay: it creates them at start.',
      at: null,
    };
  return { id, result: 'ok', what: 'Connected.', fix: null, at: null };
}

function workersCheck({ database, workers }: Readiness): HealthCheck {
  const id = 'workers';
  if (database === 'unreachable')
    return {
      id,
      result: 'failed',
      what: 'Unknown while the database cannot be reached.',
      fix: null,
      at: null,
    };
  if (workers === 0)
    return {
      id,
      result: 'failed',
      what: 'No worker is running. Webhooks are still accepted, and their runs start when one is back.',
      fix: 'Restart Patchbay. If that does not help, the reason is in the log of the worker.',
      at: null,
    };
  return {
    id,
    result: 'ok',
    what: workers === 1 ? '1 worker is running.' : `${workers} workers are running.`,
    fix: null,
    at: null,
  };
}

function queueCheck({ queue, dueSince, lastJobAt }: Readiness): HealthCheck {
  const id = 'queue';
  if (queue === 'unknown')
    return {
      id,
      result: 'failed',
      what: 'Unknown while the database cannot be reached.',
      fix: null,
      at: null,
    };
  if (queue === 'stalled')
    return {
      id,
      result: 'failed',
      what: 'Runs are waiting, and no worker picks them up. The oldest has been due since',
      fix: 'Restart Patchbay. If that does not help, the reason is in the log of the worker.',
      at: dueSince?.toISOString() ?? null,
    };
  if (!lastJobAt) return { id, result: 'ok', what: 'Nothing to do yet.', fix: null, at: null };
  return {
    id,
    result: 'ok',
    what: 'Runs are picked up as they come. Last work:',
    fix: null,
    at: lastJobAt.toISOString(),
  };
}
