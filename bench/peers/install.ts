// Installs other products with npm into a folder outside the repository, where the next run finds them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LONGEST_INSTALL_MS = 180_000;

export interface Installed {
  version: string;
  /** Of the package itself. */
  folder: string;
}

/**
 * Installs a package for production, unless an earlier run did.
 * @param wanted such as `node-red@5`
 * @throws Error with npm's reason, or after three minutes.
 */
export async function installPeer(wanted: string): Promise<Installed> {
  const folder = join(tmpdir(), 'patchbay-bench-peers', wanted);
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  // npm writes this list last.
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) await install(folder, wanted);
  const installed = join(folder, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { version, folder: installed };
}

async function install(folder: string, wanted: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', ...options, wanted], { cwd: folder, timeout: LONGEST_INSTALL_MS });
  } catch (error) {
    const { killed, stderr } = error as { killed?: boolean; stderr?: string };
    const reason = killed
      ? 'it takes longer than 3 minutes'
      : (stderr ?? '').replaceAll(/^npm (error|warn) ?/gm, '');
    throw new Error(`${wanted} cannot be installed: ${reason.trim().split('\n').slice(0, 2).join(' ')}`, {
      cause: error,
    });
  }
}
