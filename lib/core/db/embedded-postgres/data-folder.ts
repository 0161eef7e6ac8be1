// The data folder of the embedded server: made in one step, with its port and password inside it.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwnedFolder, EmbeddedPostgresError, type ServerAccount } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';

export const SUPERUSER = 'patchbay';
const FIRST_WITH_BUILTIN_LOCALE = 17;
const ACCESS_FILE = 'patchbay-access.json';

/** How to reach the server; stored inside the data folder (mode 0600), so that one cannot be lost without the other. */
export interface ServerAccess {
  port: number;
  password: string;
}

/**
 * Creates the data folder with initdb unless it exists. A kill half way leaves nothing: it is created under another name and
 * then renamed.
 * @throws EmbeddedPostgresError when it was written by another major version, or initdb fails
 */
export function ensureDataFolder(
  folder: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  port: number,
): ServerAccess {
  finishReplacing(folder);
  const found = findMajorVersion(folder);
  if (found !== null) {
    if (found !== binaries.majorVersion) throw otherVersion(folder, found, binaries.majorVersion);
    return readServerAccess(folder);
  }
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const access = { port, password: randomBytes(24).toString('base64url') };
  runInitdb(unfinished, binaries, account, access.password);
  writeServerAccess(unfinished, access, account);
  renameSync(unfinished, folder);
  return access;
}

/** The major version that wrote a data folder; null: there is none. */
export function findMajorVersion(folder: string): number | null {
  const versionFile = join(folder, 'PG_VERSION');
  return existsSync(versionFile) ? Number(readFileSync(versionFile, 'utf8')) : null;
}

/** The replacement of a data folder is complete under this name before the folder is moved away. */
const successorOf = (folder: string): string => `${folder}.upgraded`;

/**
 * Replaces a data folder by a complete one. After a kill at any moment, either the old one is in place, or the next start
 * finishes the replacement.
 * @returns where the old one is now
 */
export function replaceDataFolder(folder: string, successor: string): string {
  const base = `${folder}-${findMajorVersion(folder)}`;
  let kept = base;
  for (let count = 2; existsSync(kept); count += 1) kept = `${base}-${count}`;
  rmSync(successorOf(folder), { recursive: true, force: true });
  renameSync(successor, successorOf(folder));
  renameSync(folder, kept);
  finishReplacing(folder);
  return kept;
}

function finishReplacing(folder: string): void {
  if (!existsSync(folder) && existsSync(successorOf(folder))) renameSync(successorOf(folder), folder);
}

export function writeServerAccess(folder: string, access: ServerAccess, account: ServerAccount | null): void {
  const path = join(folder, ACCESS_FILE);
  writeFileSync(`${path}.new`, JSON.stringify(access), { mode: 0o600 });
  if (account) chownSync(`${path}.new`, account.uid, account.gid);
  renameSync(`${path}.new`, path);
}

function readServerAccess(folder: string): ServerAccess {
  try {
    return JSON.parse(readFileSync(join(folder, ACCESS_FILE), 'utf8')) as ServerAccess;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `${join(folder, ACCESS_FILE)} is missing or unreadable; it holds the password of the database in ${folder}. ` +
        'Restore it from a backup, start Patchbay as the user who owns it, or move that folder away to start with an empty database.',
      { cause },
    );
  }
}

function runInitdb(
  folder: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  password: string,
): void {
  createOwnedFolder(folder, account);
  const temporary = mkdtempSync(join(tmpdir(), 'patchbay-'));
  if (account) chownSync(temporary, account.uid, account.gid);
  const passwordFile = join(temporary, 'password');
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account) chownSync(passwordFile, account.uid, account.gid);
    // The builtin provider depends on no locale of the machine.
    const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const hasBuiltin = binaries.majorVersion >= FIRST_WITH_BUILTIN_LOCALE;
    const locale = ['--locale=C', '--encoding=UTF8', ...(hasBuiltin ? builtin : [])];
    const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const result = spawnSync(binaries.initdb, ['-D', folder, ...locale, ...access], {
      ...account,
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv,
      encoding: 'utf8',
    });
    if (result.status === 0) return;
    const reason = result.error?.message ?? (result.stderr || result.stdout).trim();
    rmSync(folder, { recursive: true, force: true });
    throw new EmbeddedPostgresError(`The database could not be created in ${folder}: ${reason}`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function otherVersion(folder: string, found: number, ours: number): EmbeddedPostgresError {
  const wayOut =
    found < ours
      ? 'Run `npm run -s patchbay -- upgrade-database`: it makes a new folder and keeps the old one (docs/operations.md). '
      : 'Start the version of Patchbay that wrote it. ';
  return new EmbeddedPostgresError(
    `The database in ${folder} was written by PostgreSQL ${found}; this version of Patchbay brings ${ours}. ` +
      `${wayOut}Or set DATABASE_URL to your own PostgreSQL ${found} server that uses it.`,
  );
}
