// `npm start`: brings Patchbay up, keeps it up, and takes it down on Ctrl-C or SIGTERM. `npm run dev` does so from the
// sources (`--dev`): nothing is built, and what changes is loaded again.
import { constants } from 'node:os';
import { inspect, parseArgs } from 'node:util';
import { EmbeddedPostgresError } from '#lib/core/db/embedded-postgres/account.ts';
import { UnfitDatabaseError } from '#lib/core/db/compatibility.ts';
import { launch } from './launcher/launch.ts';
import { LaunchError } from './launcher/launch-error.ts';
import { toPrinted } from './launcher/log-line.mjs';
import { readLaunchSettings } from './launcher/settings.ts';
import { startHelpBuild } from './launcher/start-help-build.ts';
import { BUILT_EXIT_CODE, NEEDED_TO_START } from './launcher/sources.mjs';
import { watchStarters } from './launcher/watch-starters.ts';
import { root } from './root.ts';

class Stopped extends Error {}
class Built extends Error {}

function say(line: string): void {
  process.stdout.write(toPrinted('info', line));
}

const { dev, starters } = parseArgs({
  strict: false,
  options: { dev: { type: 'boolean' }, starters: { type: 'string' } },
}).values;
const development = dev === true;
/** The pids of what started this process: bootstrap and npm. */
const watched = typeof starters === 'string' ? starters.split(',').map(Number) : null;
const stopRequest = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopRequest.abort(new Stopped(signal)));
// The terminal may go away before this process does; nothing it could still show is worth dying for.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/**
 * The bootstrap runs the sources where the build is stale, and the bundle, which takes a quarter of the memory, where it
 * is fresh: now.
 */
async function build(): Promise<void> {
  if (development || import.meta.filename.endsWith('.mjs')) return;
  const { buildIfNeeded } = await import('./launcher/build.ts');
  await buildIfNeeded(root, say, stopRequest.signal, NEEDED_TO_START);
  if (watched) throw new Built();
}

async function main(): Promise<number> {
  const settings = { ...readLaunchSettings(process.env, root), development };
  const launched = await launch(settings, build, say, stopRequest.signal);
  if ('runningAt' in launched) {
    say(`Patchbay already runs at ${launched.runningAt} (process ${launched.pid})`);
    return 0;
  }
  if (watched) watchStarters(watched, () => launched.orphan());
  say(`Patchbay is ready at ${launched.url}`);
  if (launched.setupCode !== null)
    say(`No account exists yet. Setup code for the owner's account: ${launched.setupCode}`);
  const helpBuild = development ? null : startHelpBuild(root);
  if (!stopRequest.signal.aborted)
    await new Promise((done) => stopRequest.signal.addEventListener('abort', done, { once: true }));
  say('Stopping');
  await helpBuild?.stop();
  await launched.stop();
  say('Patchbay has stopped');
  return 0;
}

try {
  process.exit(await main());
} catch (error) {
  if (error instanceof Built) process.exit(BUILT_EXIT_CODE);
  if (error instanceof Stopped) process.exit(128 + constants.signals[error.message as 'SIGINT']);
  if ([LaunchError, EmbeddedPostgresError, UnfitDatabaseError].some((kind) => error instanceof kind))
    process.stderr.write(toPrinted('fatal', (error as Error).message));
  else process.stderr.write(toPrinted('fatal', inspect(error)));
  process.exit(1);
}
