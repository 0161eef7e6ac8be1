// Runs when a launcher was killed and nobody started it again (server/launcher/keeper.ts): ends what it left behind,
// in order. Arguments: the data folder and, where it has one, the folder of the embedded database.
import { setTimeout as wait } from 'node:timers/promises';
import { stopPostgres } from '#lib/core/db/embedded-postgres.ts';
import { endLeftBehind, isClaimed } from './launcher/single-instance.ts';

/** A launcher that was killed is started again within ten seconds (server/bootstrap.mjs) and takes over what runs. */
const GRACE_MS = 20_000;
const POLL_MS = 500;

const [dataFolder = '', databaseFolder] = process.argv.slice(2);
for (const deadline = Date.now() + GRACE_MS; Date.now() < deadline; await wait(POLL_MS))
  // Its own keeper sees to the rest.
  if (isClaimed(dataFolder)) process.exit(0);
await endLeftBehind(dataFolder);
// A server that stops is one that the next start waits for.
if (databaseFolder && !isClaimed(dataFolder)) await stopPostgres(databaseFolder);
