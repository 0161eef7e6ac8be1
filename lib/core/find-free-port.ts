import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below those that systems give to outgoing connections (from 32768 on Linux), any of which may take a port in the meantime. */
const LOWEST = 20_000;
const END = 32_000;
const TRIES = 1000;
/** By a socket without a file, which the system removes with its process. */
const CAN_CLAIM = process.platform === 'linux';

/**
 * A TCP port on which nothing listened a moment ago, on any address. No other call gets it while this process runs, not in another
 * process either (on Linux), so that those that start at the same time do not get the same one.
 * @param choose the next one to try
 * @throws Error when almost all of them are taken
 */
export async function findFreePort(choose = () => randomInt(LOWEST, END)): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = choose();
    const claim = CAN_CLAIM ? await listen(`\0patchbay port ${port}`) : undefined;
    if (CAN_CLAIM && !claim) continue;
    const probe = await listen(port);
    if (probe) {
      probe.close();
      await once(probe, 'close');
      claim?.unref();
      return port;
    }
    claim?.close();
  }
  throw new Error(`No port from ${LOWEST} to ${END - 1} is free.`);
}

/** @returns undefined when it is taken */
function listen(address: string | number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(address, () => resolve(server));
  });
}
