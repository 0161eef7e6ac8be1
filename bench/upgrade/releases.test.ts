import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOlderVersion } from '#lib/core/db/compatibility.ts';
import { VERSION } from '#lib/core/version.ts';
import { listReleases, previousRelease } from './releases.ts';

const root = join(import.meta.dirname, '..', '..');
const releases = listReleases();

const git = (...parameters: string[]): string | null => {
  try {
    return execFileSync('git', parameters, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
};
/** A copy without the full history does not have the files of a release. */
const hasHistory = releases.every(({ commit }) => git('cat-file', '-e', `${commit}^{commit}`) !== null);

test('releases ascend, the last one is before this version or is it, and the changelog has each', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  for (const [index, { version, date }] of releases.entries()) {
    const next = releases[index + 1]?.version;
    if (next) expect(isOlderVersion(version, next)).toBe(true);
    expect(changelog).toContain(`## ${version} · ${date}`);
  }
  expect(isOlderVersion(VERSION, releases.at(-1)?.version ?? '')).toBe(false);
  expect(isOlderVersion(previousRelease().version, VERSION)).toBe(true);
});

test.skipIf(!hasHistory)('the commit of a release has its version and its migrations', () => {
  for (const { version, commit, last_migration } of releases) {
    const read = <Content>(path: string): Content =>
      JSON.parse(git('show', `${commit}:${path}`) ?? '') as Content;
    expect(read<{ version: string }>('package.json').version).toBe(version);
    const { entries } = read<{ entries: { tag: string }[] }>('drizzle/meta/_journal.json');
    expect(entries.at(-1)?.tag).toBe(last_migration);
  }
});
