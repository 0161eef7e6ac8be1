// The health page's checks of this installation.
import { resolve } from 'node:path';
import type { Database } from '#lib/core/db/client.ts';
import { connectionBudget, countConnections } from '#lib/core/db/connection-budget.ts';
import { type DiskSpace, LEAST_FREE_BYTES, readDiskSpaceFor, toGigabytes } from '#lib/core/disk.ts';
import type { Settings } from '#lib/core/env.ts';
import { checkReadiness, countProcesses, type Readiness } from '#lib/engine/store/readiness.ts';
import {
  type AppFinding,
  checkAppSubscription,
  checkUnrouted,
} from '#lib/messaging/notifications/check-app.ts';
import { knowsApp } from '#lib/messaging/platform/graph.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { findUnopened, listSealedSamples } from '#lib/workflows/secrets/rotate-stored-secrets.ts';
import { checkPlatform, isSandbox } from './check-platform.ts';
import type { HealthCheck } from './health-types.ts';

type Finding = Omit<HealthCheck, 'id'>;

const RESTART = 'Restart Patchbay. If that does not help, the reason is in the log of the worker.';

/** What this installation needs to run workflows, and how to fix what is missing. It never throws. */
export async function listHealthChecks({ db }: { db: Database }, settings: Settings): Promise<HealthCheck[]> {
  const readiness = await checkReadiness(db.$client);
  const hasTables = readiness.database === 'ok' && readiness.migrations === 'ok';
  return [
    { id: 'database', ...checkDatabase(readiness) },
    { id: 'workers', ...checkWorkers(readiness) },
    { id: 'queue', ...checkQueue(readiness) },
    { id: 'disk', ...(await checkDisk(settings)) },
    { id: 'keys', ...(hasTables ? await unlessGone(checkKeys(db, settings)) : UNKNOWN) },
    { id: 'connections', ...(hasTables ? await unlessGone(checkConnections(db)) : UNKNOWN) },
    { id: 'platform', ...checkPlatform(settings) },
    {
      id: 'notifications',
      ...(hasTables ? await unlessGone(checkAppNotifications(db, settings)) : UNKNOWN),
    },
  ];
}

/** The database may become unavailable between two checks. */
const unlessGone = (finding: Promise<Finding>): Promise<Finding> => finding.catch(() => UNKNOWN);

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
const warning = (what: string, fix: string): Finding => ({ ...ok(what), result: 'warning', fix });
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

/** The fullest of the disks that this web process writes to, which other machines do not share. */
async function checkDisk({ PATCHBAY_DATA_DIR, MEDIA_FOLDER, MEDIA_STORE }: Settings): Promise<Finding> {
  const folders = [PATCHBAY_DATA_DIR, ...(MEDIA_STORE === 'folder' && MEDIA_FOLDER ? [MEDIA_FOLDER] : [])];
  const spaces = await Promise.all(folders.map((folder) => readDiskSpaceFor(resolve(folder))));
  const [least] = spaces
    .filter((space) => space !== null)
    .toSorted((one, other) => one.freeBytes - other.freeBytes);
  return least ? judgeDisk(least) : warning('The disk of the web process cannot be read.', SEE_DOCTOR);
}

/** The health page's text about a disk. */
export function judgeDisk({ freeBytes, bytes }: DiskSpace): Finding {
  const what = `${toGigabytes(freeBytes)} GB of ${toGigabytes(bytes)} GB free.`;
  if (freeBytes < LEAST_FREE_BYTES)
    return failed(what, 'Make room or enlarge the disk now: when none is left, nothing can be stored.');
  return freeBytes < bytes * LOW_SHARE ? warning(what, 'Make room, or enlarge the disk.') : ok(what);
}

const LOW_SHARE = 0.1;
const SEE_DOCTOR = 'Run `patchbay doctor` on the server: it says which.';
/** Decrypting samples of all columns takes a dozen statements, and every open page polls every few seconds. */
const KEYS_KNOWN_MS = 60_000;
const keysKnown = new WeakMap<Database, { keys: string | undefined; atMs: number; finding: Finding }>();

async function checkKeys(db: Database, { ENCRYPTION_KEYS: keys }: Settings): Promise<Finding> {
  const known = keysKnown.get(db);
  if (known && known.keys === keys && Date.now() - known.atMs < KEYS_KNOWN_MS) return known.finding;
  const problem = findUnopened(await listSealedSamples(db.$client), keys);
  const finding =
    problem === null
      ? ok('They open everything that is stored encrypted.')
      : failed(
          'They do not open everything that is stored encrypted. Tasks and sign-ins that need it fail.',
          `Add the missing key to ENCRYPTION_KEYS. ${SEE_DOCTOR}`,
        );
  keysKnown.set(db, { keys, atMs: Date.now(), finding });
  return finding;
}

async function checkConnections(db: Database): Promise<Finding> {
  const counts = await countProcesses(db.$client);
  const { open, available } = await countConnections(db.$client);
  const what = `${open} of ${available} connections to PostgreSQL are open. All processes together open up to ${connectionBudget(counts)}.`;
  if (connectionBudget(counts) > available)
    return warning(
      `${what} Requests can fail under load.`,
      'Raise max_connections of PostgreSQL, or run fewer web and worker processes.',
    );
  return open > available * BUSY_SHARE
    ? warning(what, 'Find out what else uses this PostgreSQL, or raise its max_connections.')
    : ok(what);
}

const BUSY_SHARE = 0.9;

/** Every open page polls every few seconds; the platform counts calls. */
const KNOWN_MS = 60_000;
/** A page waits for it. */
const TIMEOUT_MS = 5000;
const known = new WeakMap<Settings, { atMs: number; finding: Promise<AppFinding> }>();

/** The health page's check of notifications: the app's subscriptions, and notifications without a connection. */
async function checkAppNotifications(db: Database, settings: Settings): Promise<Omit<HealthCheck, 'id'>> {
  const subscription = await askAtMostOnce(settings);
  const unrouted = await checkUnrouted({ db });
  const worst = subscription.result === 'ok' && unrouted !== null ? unrouted : subscription;
  return { ...worst, at: null };
}

function askAtMostOnce(settings: Settings): AppFinding | Promise<AppFinding> {
  const platform = platformSettingsOf(settings);
  if (platform.graphUrl === undefined) return fine('No messaging platform is configured.');
  if (isSandbox(settings)) return fine('The sandbox sends them to each connection.');
  if (!knowsApp(platform))
    return fine('Set MESSAGING_CLIENT_ID and MESSAGING_CLIENT_SECRET to see what the app is subscribed to.');
  const before = known.get(settings);
  if (before && Date.now() - before.atMs < KNOWN_MS) return before.finding;
  const timeoutMs = Math.min(platform.timeoutMs, TIMEOUT_MS);
  const ctx = { platform: { ...platform, timeoutMs }, baseUrl: settings.BASE_URL };
  const finding = checkAppSubscription(ctx);
  known.set(settings, { atMs: Date.now(), finding });
  return finding;
}

const fine = (what: string): AppFinding => ({ result: 'ok', what, fix: null });
