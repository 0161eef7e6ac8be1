// The database that comes with Patchbay. Called by the launcher and by the tests' global setup; promises a server
// that accepts connections, whatever state an earlier kill left the data folder in.
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { platform, release } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { chooseServerAccount, EmbeddedPostgresError, placeDataFolder } from './embedded-postgres/account.ts';
import { findPostgresBinaries, openPostgresBinaries } from './embedded-postgres/binaries.ts';
import {
  ensureDataFolder,
  SUPERUSER,
  writeServerAccess,
  type ServerAccess,
} from './embedded-postgres/data-folder.ts';
import {
  isAlive,
  readPostmaster,
  removeForeignPidFile,
  spawnPostmaster,
  stopPostmaster,
} from './embedded-postgres/postmaster.ts';

const DATABASE = 'patchbay';
const POLL_MS = 25;
/** Maximum time for the processes of a killed server to release its memory, port and pid file. */
const LEFTOVERS_PATIENCE_MS = 60_000;
/** Crash recovery replays at most `max_wal_size` of log; an adopted server may still be recovering. */
const READY_PATIENCE_MS = 600_000;

const LEAST_CONNECTIONS = 100;
/** PostgreSQL's `superuser_reserved_connections`. */
const RESERVED_CONNECTIONS = 3;

export interface EmbeddedPostgresOptions {
  /** Created when missing. For root it may be moved elsewhere, see `placeDataFolder`. */
  dataDirectory: string;
  /** Preferred port on 127.0.0.1; by default the last one used, else a free one. */
  port?: number;
  /** Minimum number of connections, besides those that PostgreSQL reserves for superusers. */
  connections?: number;
  /** false: no fsync, for throw-away databases only. Default true. */
  durable?: boolean;
  /** A folder of PostgreSQL's programs, for a data folder of another major version; by default the installed ones. */
  binariesFolder?: string;
  /** Receives progress and warnings, one line each. */
  say?: (line: string) => void;
}

export interface EmbeddedPostgres {
  url: string;
  pid: number;
  /** Actual location of the data. */
  dataFolder: string;
  /** true when a server that outlived its parent was adopted. */
  adopted: boolean;
  /** Settles when the server's main process is gone, for any reason. */
  gone: Promise<void>;
  /** Fast shutdown; settles when the process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on 127.0.0.1, or adopts the server that already serves this data folder.
 * @throws EmbeddedPostgresError with the reason and the fix
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const say = options.say ?? (() => undefined);
  const account = chooseServerAccount(options.dataDirectory);
  const dataFolder = placeDataFolder(options.dataDirectory, account, say);
  const binaries =
    options.binariesFolder === undefined
      ? findPostgresBinaries(account, say)
      : openPostgresBinaries(options.binariesFolder, account, say);
  const firstPort = options.port ?? (await findFreePort());
  const access = ensureDataFolder(dataFolder, binaries, account, firstPort);
  if (options.port !== undefined) access.port = options.port;

  const adoptedPid = await adopt(dataFolder, access);
  const context = {
    dataFolder,
    binaries,
    account,
    access,
    durable: options.durable ?? true,
    connections: options.connections ?? 0,
  };
  const pid = adoptedPid ?? (await startServer(context));
  if (adoptedPid === null) writeServerAccess(dataFolder, access, account);
  await ensureDatabase(access);
  const stopped = Promise.withResolvers<void>();
  return {
    url: urlOf(access, DATABASE),
    pid,
    dataFolder,
    adopted: adoptedPid !== null,
    // Does not keep the process alive: a caller that has stopped the server must be able to exit.
    gone: Promise.race([untilGone(pid), stopped.promise]),
    async stop() {
      await stopPostmaster(pid);
      stopped.resolve();
    },
  };
}

/** Stops the server of the folder, if one runs. */
export async function stopPostgres(dataFolder: string): Promise<void> {
  const running = readPostmaster(dataFolder);
  if (running) await stopPostmaster(running.pid);
}

interface StartContext {
  dataFolder: string;
  binaries: ReturnType<typeof findPostgresBinaries>;
  account: ReturnType<typeof chooseServerAccount>;
  /** `port` is changed when the preferred one is taken. */
  access: ServerAccess;
  durable: boolean;
  connections: number;
}

/** The pid of a running server of this data folder once it accepts connections; null when there is none. */
async function adopt(dataFolder: string, access: ServerAccess): Promise<number | null> {
  const deadline = Date.now() + READY_PATIENCE_MS;
  while (Date.now() < deadline) {
    const running = readPostmaster(dataFolder);
    if (!running) return null;
    if (running.ready && (await serves({ ...access, port: running.port }, dataFolder))) {
      access.port = running.port;
      return running.pid;
    }
    await wait(POLL_MS);
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL server holds ${dataFolder} but does not accept connections. See ${logFileOf(dataFolder)}.`,
  );
}

async function startServer(context: StartContext): Promise<number> {
  const { dataFolder, binaries, account, access } = context;
  const logFile = logFileOf(dataFolder);
  const deadline = Date.now() + LEFTOVERS_PATIENCE_MS;
  for (;;) {
    removeForeignPidFile(dataFolder);
    const logStart = existsSync(logFile) ? readFileSync(logFile).length : 0;
    const child = spawnPostmaster(dataFolder, logFile, binaries, account, settingsFor(context));
    child.unref();
    const exited = once(child, 'exit').then(
      () => true,
      () => true,
    );
    while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      if (readPostmaster(dataFolder)?.ready && (await serves(access, dataFolder))) return child.pid;
      await Promise.race([exited, wait(POLL_MS)]);
    }
    await exited;
    const reason = readFileSync(logFile).subarray(logStart).toString().trim();
    if (/Address already in use|could not bind/i.test(reason)) access.port = await findFreePort();
    else if (!/pre-existing shared memory|lock file .* already exists/i.test(reason) || Date.now() > deadline)
      throw startFailed(dataFolder, reason);
    else await wait(POLL_MS * 4);
  }
}

function settingsFor({ access, durable, connections }: StartContext): Record<string, string | number> {
  return {
    port: access.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: Math.max(LEAST_CONNECTIONS, connections + RESERVED_CONNECTIONS),
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    log_checkpoints: 'off',
    jit: 'off',
    // Only short statements run here; parallel ones would need more /dev/shm than containers have.
    max_parallel_workers_per_gather: 0,
    recovery_init_sync_method: recoverySyncMethod(platform(), release()),
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
}

/**
 * After a crash PostgreSQL syncs what it reads to the disk: file by file, for 1,500 files (20 s on a busy disk), or, on
 * Linux, with one call (20 ms). Before Linux 5.8 that call does not report every error (PostgreSQL's documentation).
 */
export function recoverySyncMethod(system: string, version: string): 'fsync' | 'syncfs' {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return system === 'linux' && (major > 5 || (major === 5 && minor >= 8)) ? 'syncfs' : 'fsync';
}

async function serves(access: ServerAccess, dataFolder: string): Promise<boolean> {
  try {
    const [row] = await query<{ data_directory: string }>(access, 'SHOW data_directory');
    return row !== undefined && realpathSync(row.data_directory) === realpathSync(dataFolder);
  } catch {
    return false;
  }
}

async function ensureDatabase(access: ServerAccess): Promise<void> {
  const found = await query(access, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (found.length === 0) await query(access, `CREATE DATABASE ${DATABASE}`);
}

async function query<Row>(access: ServerAccess, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: urlOf(access, 'postgres'), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf({ port, password }: ServerAccess, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

function logFileOf(dataFolder: string): string {
  return join(dirname(dataFolder), 'postgres.log');
}

/** Does not keep the process alive. */
async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await wait(200, undefined, { ref: false });
}

function startFailed(dataFolder: string, reason: string): EmbeddedPostgresError {
  const hint = /No space left on device/.test(reason)
    ? ' The disk is full: free some space and start again.'
    : ' DATABASE_URL can name your own PostgreSQL server instead.';
  return new EmbeddedPostgresError(
    `PostgreSQL did not start in ${dataFolder}: ${reason.split('\n').slice(-5).join('\n')}${hint}`,
  );
}
