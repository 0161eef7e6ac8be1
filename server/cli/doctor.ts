// `patchbay doctor`: checks an installation, and shows problems with their fixes.
import { findConnectionShortage } from '#lib/core/db/connection-budget.ts';
import type { Database } from '#lib/core/db/client.ts';
import { compareSchema, findOldestVersion, UnfitDatabaseError } from '#lib/core/db/compatibility.ts';
import { endOfMonths, readShapes } from '#lib/core/db/partitions/shape.ts';
import { LEAST_FREE_BYTES, readDiskSpaceFor, toGigabytes } from '#lib/core/disk.ts';
import { findLastMigration, listMigrations } from '#lib/core/db/migration-history.ts';
import { checkReadiness } from '#lib/engine/store/readiness.ts';
import { LATE_SECONDS, readOverdueSeconds } from '#lib/workflows/retention/due-parts.ts';
import { findUnopened, listSealedSamples } from '#lib/workflows/secrets/rotate-stored-secrets.ts';
import { describeDatabaseProblem } from './describe-database-problem.ts';
import { liveFindings } from './doctor-live.ts';
import { type Finding, ok, problem, toLine, warning } from './findings.ts';
import { findEncryptionKeys, type Installation, withDatabase } from './installation.ts';
import type { Output } from './output.ts';

const LEAST_POSTGRES = 15;
/** Workers make partitions of three months ahead. */
const DAYS_AHEAD = 60;

/**
 * Runs all checks. @param isLive also checks each step of going live with the platform, where the tables exist @returns whether
 * there is no problem @throws LaunchError that names all invalid settings
 */
export async function diagnose(output: Output, { isLive = false } = {}): Promise<boolean> {
  const findings = await withDatabase({ say: output.say }, async (db, installation) => {
    const here = [
      ok('Settings', 'they can be used, and go together'),
      await diskFinding(installation),
      ...(await databaseFindings(db, installation)),
      ...addressFindings(installation),
    ];
    const hasTables = here.some(({ about, state }) => about === 'Tables' && state === 'ok');
    return isLive && hasTables ? [...here, ...(await liveFindings(db, installation))] : here;
  });
  output.give(findings, findings.map(toLine));
  return findings.every(({ state }) => state !== 'problem');
}

async function diskFinding({ settings }: Installation): Promise<Finding> {
  const space = await readDiskSpaceFor(settings.dataFolder);
  if (space === null) return problem('Disk', `there is none for ${settings.dataFolder}.`);
  const text = `${toGigabytes(space.freeBytes)} GB free for ${settings.dataFolder}`;
  return space.freeBytes < LEAST_FREE_BYTES
    ? problem('Disk', `${text}: make room, or nothing can be stored.`)
    : ok('Disk', text);
}

/** Nothing else is known about an unusable one. */
async function databaseFindings(db: Database, installation: Installation): Promise<Finding[]> {
  try {
    const [postgres, connections] = [await postgresFinding(db), await connectionFinding(db, installation)];
    if ((await findLastMigration(db)) === null) return [postgres, connections, NO_TABLES];
    return [
      postgres,
      await migrationFinding(db, installation),
      await keyFinding(db, installation),
      connections,
      await workerFinding(db),
      ...(await retentionFindings(db)),
      ...(await partitionFindings(db)),
    ];
  } catch (error) {
    const why = describeDatabaseProblem(error);
    if (why === null) throw error;
    return [problem('PostgreSQL', why)];
  }
}

const NO_TABLES = problem('Tables', 'there are none: run `patchbay migrate`, or `npm start`.');

async function postgresFinding(db: Database): Promise<Finding> {
  const { rows } = await db.execute<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const version = rows[0]?.version ?? '';
  return Number.parseInt(version, 10) >= LEAST_POSTGRES
    ? ok('PostgreSQL', version)
    : problem('PostgreSQL', `${version}: Patchbay needs ${LEAST_POSTGRES} or newer.`);
}

async function migrationFinding(db: Database, { migrationsFolder }: Installation): Promise<Finding> {
  try {
    const state = await compareSchema(db, migrationsFolder);
    if (state === 'current') {
      const oldest = await findOldestVersion(db);
      return ok(
        'Tables',
        `of this version${oldest === null ? '' : `; versions from ${oldest} on may run on them`}`,
      );
    }
    if (state === 'newer') return ok('Tables', 'of a newer version, beside which this one may run');
  } catch (error) {
    if (error instanceof UnfitDatabaseError) return problem('Tables', error.message);
    throw error;
  }
  const last = (await findLastMigration(db)) ?? 0;
  const missing = listMigrations(migrationsFolder).filter(({ when }) => when > last).length;
  return warning('Tables', `${missing} changes are missing: run \`patchbay migrate\`, or \`npm start\`.`);
}

async function keyFinding(db: Database, { settings }: Installation): Promise<Finding> {
  const found = findUnopened(await listSealedSamples(db.$client), findEncryptionKeys(settings));
  return found === null
    ? ok('Encryption keys', 'they open what is stored')
    : problem(
        'Encryption keys',
        `${found}. Set the ENCRYPTION_KEYS that it was made with, or put its secrets.json back into the data folder.`,
      );
}

async function connectionFinding(db: Database, { settings }: Installation): Promise<Finding> {
  const about = 'Database connections';
  const shortage = await findConnectionShortage(db.$client, settings);
  return shortage === null ? ok(about, 'PostgreSQL allows enough') : warning(about, shortage);
}

async function workerFinding(db: Database): Promise<Finding> {
  const { workers, queue } = await checkReadiness(db.$client);
  if (queue === 'stalled') return problem('Workers', 'jobs are due, and no worker takes any.');
  return workers > 0
    ? ok('Workers', `${workers} alive`)
    : warning('Workers', 'none is alive: Patchbay does not run, or only its web processes.');
}

/** None before the tables are those of this version. */
async function retentionFindings(db: Database): Promise<Finding[]> {
  const { rows } = await db.$client.query<{ is_there: boolean }>(
    `select to_regclass('retention_progress') is not null as is_there`,
  );
  if (rows[0]?.is_there !== true) return [];
  const overdueSeconds = await readOverdueSeconds(db.$client);
  if (overdueSeconds <= LATE_SECONDS) return [ok('Retention', 'old data is deleted in time')];
  const days = (overdueSeconds / LATE_SECONDS).toFixed(1);
  return [
    warning(
      'Retention',
      `some data has been due for deletion for ${days} days: the log of the workers says why.`,
    ),
  ];
}

const DAY_MS = 86_400_000;

/** None where the tables are plain. */
async function partitionFindings(db: Database): Promise<Finding[]> {
  const states = await readShapes(db.$client);
  const about = 'Partitions';
  if (states.some(({ shape }) => shape === 'unfinished'))
    return [warning(about, 'a conversion was begun and not ended: run `patchbay partition` again.')];
  const partitioned = states.filter(({ shape }) => shape === 'partitioned');
  if (partitioned.length === 0) return [];
  const isLate = partitioned.some(
    ({ partitions }) => (endOfMonths(partitions) ?? 0) < Date.now() + DAYS_AHEAD * DAY_MS,
  );
  return [
    isLate
      ? warning(
          about,
          'those of the next months are missing: the log of the workers, which make them, says why.',
        )
      : ok(about, 'those of the next months are there'),
  ];
}

function addressFindings({ settings }: Installation): Finding[] {
  if (process.env['PATCHBAY_ENV'] !== 'production') return [];
  if (settings.baseUrl?.startsWith('https://')) return [ok('Address', settings.baseUrl)];
  return [
    warning(
      'Address',
      `BASE_URL is ${settings.baseUrl ?? 'not set'}: callers and browsers should use https.`,
    ),
  ];
}
