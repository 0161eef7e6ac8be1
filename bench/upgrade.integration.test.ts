// A short run of `npm run upgrade`: the previous release under load, upgraded process by process, and back. The previous
// release is built from the clone's history.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { playUpgrade } from './upgrade/play.ts';
import { hasCommit, needsSamePackages, preparePrevious } from './upgrade/previous.ts';
import { previousRelease } from './upgrade/releases.ts';
import { findUpgradeProblems } from './upgrade/report.ts';

const SECONDS = 3;
const root = new URL('..', import.meta.url).pathname;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-upgrade-'));
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a rolling upgrade from the previous release and back loses, doubles and holds up nothing', async ({
  skip,
}) => {
  const release = previousRelease();
  if (!hasCommit(release.commit)) return skip(`this clone lacks the commit of ${release.version}`);
  if (!needsSamePackages(release.commit))
    return skip(`${release.version} needs other packages: npm run upgrade installs them`);
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  const previous = join(folder, release.version);
  await preparePrevious(release, previous, () => undefined);
  const played = await playUpgrade(folder, { previous, current: root }, { seconds: SECONDS });
  expect(findUpgradeProblems(played)).toEqual([]);
  expect(played.orders.acknowledged).toBeGreaterThan(200);
  expect(played.conversations.completed).toBeGreaterThan(5);
}, 400_000);
