// Runs when a launcher was killed and not restarted (server/launcher/keeper.ts): ends its remaining processes, in order.
// Arguments: the data folder and, where it has one, the folder of the embedded database.
import { setTimeout as wait } from 'node:timers/promises';
import { stopPostgres } from '#lib/core/db/embedded-postgres.ts';
import { endLeftBehind, isClaimed } from './launcher/single-instance.ts';

/** A killed launcher is restarted within ten seconds (server/bootstrap.mjs) and takes over running processes. */
const GRACE_MS = 20_000;
const POLL_MS = 500;

const [dataFolder = '', databaseFolder] = process.argv.slice(2);
for (const deadline = Date.now() + GRACE_MS; Date.now() < deadline; await wait(POLL_MS))
  // Its own keeper handles the rest.
  if (isClaimed(dataFolder)) process.exit(0);
await endLeftBehind(dataFolder);
// The next start waits for a stopping server.
if (databaseFolder && !isClaimed(dataFolder)) await stopPostgres(databaseFolder);
