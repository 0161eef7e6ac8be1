// Starting and stopping the server process, and reading postmaster.pid.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedPostgresError, type ServerAccount } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';

const LOG_LIMIT_BYTES = 10_000_000;
const POLL_MS = 25;

export interface PostmasterStatus {
  pid: number;
  port: number;
  ready: boolean;
}

/** The contents of postmaster.pid, if the process it names is alive and is PostgreSQL; else null. */
export function readPostmaster(dataFolder: string): PostmasterStatus | null {
  const lines = readPidFile(dataFolder);
  const pid = readPid(dataFolder);
  if (pid === null || !isPostgres(pid)) return null;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Removes a postmaster.pid that names an existing process which is not a running PostgreSQL (the pid was reused after a crash
 * or in a restarted container, or is a zombie): PostgreSQL would mistake it for a server. It removes any other stale file
 * itself, after checking that the old shared memory is unused.
 */
export function removeForeignPidFile(dataFolder: string): void {
  const pid = readPid(dataFolder);
  if (pid !== null && exists(pid) && !isPostgres(pid)) rmSync(pidFileOf(dataFolder), { force: true });
}

/** Starts the server in its own session, so that Ctrl-C in the terminal does not reach it before its clients. */
export function spawnPostmaster(
  dataFolder: string,
  logFile: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  settings: Record<string, string | number>,
): ChildProcess {
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT_BYTES) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    return spawn(binaries.postgres, ['-D', dataFolder, ...options], {
      ...account,
      cwd: dataFolder,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
    });
  } finally {
    closeSync(log);
  }
}

/** Stops a server: fast (clients are disconnected, data is checkpointed), after 30 s immediately. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + patienceMs;
    while (isAlive(pid) && Date.now() < deadline) await wait(POLL_MS);
  }
  if (isAlive(pid)) throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not stop.`);
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return exists(pid) && !isZombie(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      'postgres',
    );
  } catch {
    return false;
  }
}

function pidFileOf(dataFolder: string): string {
  return join(dataFolder, 'postmaster.pid');
}

function readPidFile(dataFolder: string): string[] {
  try {
    return readFileSync(pidFileOf(dataFolder), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function readPid(dataFolder: string): number | null {
  const pid = Number(readPidFile(dataFolder)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}
