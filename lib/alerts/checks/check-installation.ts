import { writeInstant } from '#lib/core/time/zones.ts';
import { hostname } from 'node:os';
import {
  GIGABYTE,
  LARGE_DATABASE_GIGABYTES,
  readDatabaseBytes,
  readDiskSpace,
  toGigabytes,
} from '#lib/core/disk.ts';
import { checkReadiness } from '#lib/engine/store/readiness.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import type { AlertContent } from '../alert-types.ts';
import { loadAlertSettings } from '#lib/alerts/stored-settings.ts';
import {
  LATE_SECONDS,
  readOldestEventSeconds,
  readOverdueSeconds,
} from '#lib/workflows/retention/due-parts.ts';
import type { AlertRuntime } from '../runtime.ts';
import { writeDuration } from '../write-words.ts';
import { recordMissingWorkers } from './check-workers.ts';
import { recordOnce } from './record-findings.ts';

/** Reports an old queue, data that is not deleted in time, nearly full disks and a large database, in the first workspace. */
export async function checkInstallation(
  runtime: AlertRuntime,
  {
    now = new Date(),
    machine = hostname(),
    readDisk = readDiskSpace,
    readBytes = readDatabaseBytes,
  }: {
    now?: Date;
    machine?: string;
    readDisk?: typeof readDiskSpace;
    readBytes?: typeof readDatabaseBytes;
  } = {},
): Promise<void> {
  const workspaceId = await findFirstWorkspace(runtime.db);
  if (workspaceId === null) return;
  // This code runs in a worker, so there is one.
  await recordMissingWorkers(runtime, null, now);
  const settings = await loadAlertSettings(runtime.db, workspaceId);
  const { queue_minutes: minutes, disk_percent: percent, database_gigabytes: gigabytes } = settings;
  const { dueSince } = await checkReadiness(runtime.db.$client);
  const isOld = dueSince !== null && now.getTime() - dueSince.getTime() >= minutes * 60_000;
  const about = { workspaceId, workflowId: null };
  await recordOnce(
    runtime,
    {
      ...about,
      kind: 'queue',
      about: 'queue',
      trouble: isOld ? 'old' : null,
      content: (zone) => describeQueue(dueSince ?? now, now, zone),
    },
    now,
  );
  const overdueSeconds = await readOverdueSeconds(runtime.db.$client, now);
  await recordOnce(
    runtime,
    {
      ...about,
      kind: 'retention',
      about: 'retention',
      trouble: overdueSeconds > LATE_SECONDS ? 'late' : null,
      content: () => describeLateRetention(overdueSeconds),
    },
    now,
  );
  const pool = runtime.db.$client;
  const bytes = await readBytes(pool);
  const oldestSeconds = await readOldestEventSeconds(pool, now);
  await recordOnce(
    runtime,
    {
      ...about,
      kind: 'database',
      about: 'size',
      // Reported again when the setting is raised, and that is exceeded, too.
      trouble: bytes > gigabytes * GIGABYTE ? `above ${gigabytes} GB` : null,
      content: () => describeSize(bytes, gigabytes, oldestSeconds),
    },
    now,
  );
  const { PATCHBAY_DATA_DIR: dataFolder, MEDIA_FOLDER: mediaFolder } = runtime.settings;
  for (const folder of new Set([dataFolder, mediaFolder ?? dataFolder])) {
    const disk = await readDisk(folder);
    if (disk === null) continue;
    const freePercent = (100 * disk.freeBytes) / disk.bytes;
    await recordOnce(
      runtime,
      {
        ...about,
        kind: 'disk',
        // Workers of several machines take turns with this check.
        about: `${machine} ${folder}`,
        trouble: freePercent < percent ? 'low' : null,
        content: () => describeDisk({ folder, machine }, disk.freeBytes, freePercent),
      },
      now,
    );
  }
}

/** The alert about a queue whose oldest job waits too long. */
const describeQueue = (dueSince: Date, now: Date, zone: string): AlertContent => ({
  title: `Runs are delayed: they wait ${writeDuration((now.getTime() - dueSince.getTime()) / 1000)} before they start`,
  paragraphs: [
    `The oldest job of the queue has been due since ${writeInstant(dueSince, zone)}. Webhooks are still accepted, and nothing is lost.`,
    'Look at Settings → Health. If workers are running, start more of them; if there are few or none, their log says why.',
  ],
  link: { label: 'Open Health', path: '/settings/health' },
  since: dueSince.toISOString(),
});

/** The alert about data that is kept for longer than its workspace says. */
const describeLateRetention = (overdueSeconds: number): AlertContent => ({
  title: `Old data is not deleted in time: some has been due for ${writeDuration(overdueSeconds)}`,
  paragraphs: [
    'Workers delete what is older than its workspace keeps it, and have not finished that for more than a day. The data is deleted later; nothing else is affected.',
    'Look for errors about retention in the log of the workers. Where there are none, the database is too busy: start workers on a machine with more capacity, or keep data for longer.',
  ],
  link: { label: 'Open Health', path: '/settings/health' },
});

/** The alert about a large database. */
function describeSize(bytes: number, gigabytes: number, oldestSeconds: number): AlertContent {
  const days = Math.max(1, oldestSeconds / 86_400);
  return {
    title: `The database has ${toGigabytes(bytes)} GB, more than ${gigabytes} GB`,
    paragraphs: [
      `Its oldest event is ${writeDuration(oldestSeconds)} old: for each day that is kept, it holds about ${toGigabytes(bytes / days)} GB.`,
      `Check that its disk has room, and keep data for fewer days in Settings → Retention if you do not need it. From ${LARGE_DATABASE_GIGABYTES} GB on, use pg_basebackup with WAL archiving for backups. If this size is fine, allow more under Settings → Alerts.`,
    ],
    link: { label: 'Open Retention', path: '/settings/retention' },
  };
}

/** The alert about a nearly full disk. */
const describeDisk = (
  { folder, machine }: { folder: string; machine: string },
  freeBytes: number,
  freePercent: number,
): AlertContent => ({
  title: `A disk is nearly full: ${Math.floor(freePercent)} % free`,
  paragraphs: [
    `${toGigabytes(freeBytes)} GB are free for ${folder} on ${machine}, the machine of a worker. When none is left, files of customers, and the database if it is there, cannot be written.`,
    'Make room, or enlarge the disk. Files of customers are removed earlier with a lower MEDIA_RETENTION_DAYS.',
  ],
  link: { label: 'Open Health', path: '/settings/health' },
});
