// The previous release as its users have it: its commit, installed and built.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Release } from './releases.ts';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
const MOST_OUTPUT_BYTES = 50_000_000;

/** A clone without history, or a copy without git, does not have it. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether all packages of a release are installed here. @param commit in the history */
export function needsSamePackages(commit: string): boolean {
  const text = execFileSync('git', ['show', `${commit}:package.json`], { cwd: root, encoding: 'utf8' });
  const own = packagesOf(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(packagesOf(text)).every(([name, version]) => own[name] === version);
}

type Packages = Record<string, string | undefined>;

function packagesOf(text: string): Packages {
  const parsed = JSON.parse(text) as Record<string, Packages | undefined>;
  return { ...parsed['dependencies'], ...parsed['devDependencies'], ...parsed['optionalDependencies'] };
}

/**
 * Checks out the release into a folder, with the packages of this clone where they are the same, and builds it. An existing one
 * is used.
 * @throws Error with the output of the failed program
 */
export async function preparePrevious(
  { version, commit }: Release,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  if (!existsSync(join(folder, 'package.json'))) {
    say(`Unpacking ${version} (${commit.slice(0, 7)})`);
    mkdirSync(folder, { recursive: true });
    await inShell(`git -C "$1" archive "$2" | tar -x -C "$3"`, root, commit, folder);
  }
  if (!existsSync(join(folder, 'node_modules'))) {
    if (needsSamePackages(commit))
      // Hard links: npm replaces files and does not write into them.
      await inShell('cp -al "$1" "$2" || cp -a "$1" "$2"', join(root, 'node_modules'), `${folder}/`);
    else {
      say(`Installing what ${version} needs`);
      await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: MOST_OUTPUT_BYTES });
    }
  }
  say(`Building ${version}`);
  await run(nodeOf(folder), ['.ci/test.ts', 'build'], { cwd: folder, maxBuffer: MOST_OUTPUT_BYTES });
}

/** The Node version of a release. */
export const nodeOf = (releaseFolder: string): string =>
  join(releaseFolder, 'node_modules', 'node', 'bin', 'node');

const inShell = (script: string, ...parameters: string[]): Promise<unknown> =>
  run('/bin/sh', ['-c', `set -e; ${script}`, 'sh', ...parameters]);
