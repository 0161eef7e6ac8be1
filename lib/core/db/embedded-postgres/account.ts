// PostgreSQL refuses to run as root, so that root runs it under another account, in a place that this account can access.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The embedded database cannot be started; the message says why and what the operator can do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export interface ServerAccount {
  uid: number;
  gid: number;
}

/** Where root stores what the server's account needs but cannot access in the project folder. */
export function sharedStateFolder(): string {
  return '/var/lib/patchbay';
}

/**
 * The account for PostgreSQL: null (the current user) unless that is root; else the owner of an existing data
 * folder, the owner of the nearest existing folder above it, `postgres` or `nobody`, whichever comes first.
 */
export function chooseServerAccount(dataFolder: string): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(join(dataFolder, 'PG_VERSION'))) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { uid, gid };
  }
  const accounts = readAccounts();
  const { uid } = statSync(nearestExisting(dataFolder));
  // initdb insists on an account with a name.
  const chosen =
    (uid === 0 ? undefined : accounts.find((account) => account.uid === uid)) ??
    accounts.find((account) => account.name === 'postgres') ??
    accounts.find((account) => account.name === 'nobody');
  if (chosen) return { uid: chosen.uid, gid: chosen.gid };
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody" to run it as. ' +
      'Start Patchbay as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.',
  );
}

/**
 * The folder that actually holds the data: the requested one, or, where `account` may not enter its parent,
 * `/var/lib/patchbay/<hash of the requested path>/postgres`. The parent exists afterwards.
 */
export function placeDataFolder(
  wanted: string,
  account: ServerAccount | null,
  say: (line: string) => void,
): string {
  const path = resolve(wanted);
  mkdirSync(dirname(path), { recursive: true });
  if (!account || canEnter(dirname(path), account)) return path;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  const placed = join(sharedStateFolder(), hash, 'postgres');
  if (!existsSync(placed)) {
    say(`The database is kept in ${placed}, because PostgreSQL's account cannot access ${dirname(path)}`);
  }
  mkdirSync(dirname(placed), { recursive: true, mode: 0o755 });
  return placed;
}

/** Creates a folder that belongs to the account (or to the current user) and that no other user may enter. */
export function createOwnedFolder(path: string, account: ServerAccount | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (account) chownSync(path, account.uid, account.gid);
}

function canEnter(folder: string, account: ServerAccount): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' }).status === 0;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((account) => account.uid > 0 && account.gid > 0);
}
