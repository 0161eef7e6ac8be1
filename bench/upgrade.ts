// `npm run upgrade -- --seconds 15`: the previous release under load, upgraded process by process, and back
// (docs/operations.md, "Upgrades"). Exits with an error if anything was lost.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '#lib/core/version.ts';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { describeMachine } from './machine.ts';
import { leaveBackup } from './upgrade/leave-backup.ts';
import { playUpgrade } from './upgrade/play.ts';
import { hasCommit, preparePrevious } from './upgrade/previous.ts';
import { previousRelease } from './upgrade/releases.ts';
import { findUpgradeProblems, summarizeUpgrade, toUpgradeLines } from './upgrade/report.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    /** Folder of the previous release; it is created there if missing, and kept. */
    previous: { type: 'string', default: '' },
    /** Instead of an upgrade, the previous release writes a backup there, for tests of later ones. */
    'leave-backup': { type: 'string', default: '' },
  },
});
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const release = previousRelease();
if (!values.previous && !hasCommit(release.commit))
  throw new Error(`This clone does not have the commit of ${release.version}: git fetch --unshallow`);

await buildIfNeeded(root, say, new AbortController().signal);
const folder = mkdtempSync(join(tmpdir(), 'patchbay-upgrade-'));
chmodSync(folder, 0o711);
const previous = values.previous || join(folder, release.version);
await preparePrevious(release, previous, say);
if (values['leave-backup']) {
  await leaveBackup({ release: previous, version: release.version }, resolve(values['leave-backup']), folder);
  rmSync(folder, { recursive: true, force: true });
} else await upgradeAndBack();

async function upgradeAndBack(): Promise<void> {
  say(`From ${release.version} to ${VERSION} and back`);
  const played = await playUpgrade(
    folder,
    { previous, current: root },
    { seconds: Number(values.seconds), say },
  );
  const problems = findUpgradeProblems(played);
  const figures = {
    from: release.version,
    to: VERSION,
    machine: describeMachine(),
    ...summarizeUpgrade(played),
  };
  mkdirSync(join(root, 'bench', 'results'), { recursive: true });
  writeFileSync(join(root, 'bench', 'results', 'upgrade.json'), `${JSON.stringify(figures, null, 2)}\n`);
  for (const line of [...problems, ...toUpgradeLines(played)]) say(line);
  if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
  else say(`What the processes printed is in ${folder}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
