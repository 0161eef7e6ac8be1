// `npm start`: starts Patchbay, keeps it running, and stops it on Ctrl-C or SIGTERM. `npm run dev` does so from the sources
// (`--dev`): nothing is built, and changes are reloaded.
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
/** The pids of the processes that started this one: bootstrap and npm. */
const watched = typeof starters === 'string' ? starters.split(',').map(Number) : null;
const stopRequest = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopRequest.abort(new Stopped(signal)));
// The terminal may be closed before this process ends; failing output must not end it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/**
 * The bootstrap runs the sources where the build is outdated, and the bundle, which takes a quarter of the memory, where it is
 * up to date, as it is now.
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
