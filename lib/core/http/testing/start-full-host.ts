import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

const LISTEN = `
const server = require('node:net').createServer((socket) => socket.on('error', () => undefined));
const [, host, port] = process.argv;
server.listen({ host, port: Number(port), backlog: 1 }, () => console.log('listening'));`;

/** Longer than a connection on the same machine takes. */
const HANGS_MS = 200;
const MOST_CONNECTIONS = 100;

/** A host that neither accepts nor refuses connections until it is resumed: a suspended process with a full accept queue. */
export async function startFullHost(address: string, port: number): Promise<{ wake: () => void }> {
  const child = spawn(process.execPath, ['-e', LISTEN, address, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  let isFull = false;
  while (!isFull) {
    if (sockets.length === MOST_CONNECTIONS) throw new Error('The queue does not fill.');
    const socket = connect(port, address).on('error', () => undefined);
    sockets.push(socket);
    const connected = once(socket, 'connect').then(() => true);
    const hangs = new Promise<boolean>((resolve) => setTimeout(resolve, HANGS_MS, false));
    isFull = !(await Promise.race([connected, hangs]));
  }
  return { wake: () => void child.kill('SIGCONT') };
}
