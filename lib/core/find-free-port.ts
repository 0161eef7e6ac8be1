import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems give to outgoing connections (from 32768 on Linux), any of which may take a port in the meantime. */
const LOWEST = 20_000;
const END = 32_000;
const TRIES = 1000;

/**
 * A TCP port on which nothing listened a moment ago, on any address.
 * @param choose the next one to try
 * @throws Error when almost all of them are taken
 */
export async function findFreePort(choose = () => randomInt(LOWEST, END)): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = choose();
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${LOWEST} to ${END - 1} is free.`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
