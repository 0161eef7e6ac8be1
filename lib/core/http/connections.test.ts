import { expect, it, onTestFinished } from 'vitest';
import { type Connection, Connections, TimeLimit } from './connections.ts';
import { sendOver } from './send-over.ts';
import { startTestServer } from './testing/test-server.ts';

/** @returns opens connections to one server, and sends a request over each */
async function start(most: number) {
  const { origin } = await startTestServer((_request, response) => response.end('here'));
  const destination = { url: new URL(origin), addresses: ['127.0.0.1'] };
  const connections = new Connections(30_000, most);
  const limit = new TimeLimit(5000);
  onTestFinished(() => limit.end());
  const open = async (): Promise<Connection> => {
    const connection = await connections.open(destination, limit);
    await sendOver(connection, { method: 'GET', path: '/', headers: {}, maxResponseBytes: 100 }, limit);
    return connection;
  };
  return { connections, destination, open };
}

it('those used last are kept, and the one used last of all is taken first', async () => {
  const { connections, destination, open } = await start(2);
  const opened = [await open(), await open(), await open()];
  for (const connection of opened) connections.giveBack(connection);
  const take = () => connections.take(destination, 30_000);
  expect([take(), take(), take()]).toEqual([opened[2], opened[1], undefined]);
});

it('one that is longer idle than allowed stays for a request that may use it', async () => {
  const { connections, destination, open } = await start(2);
  const connection = await open();
  connections.giveBack(connection);
  expect(connections.take(destination, -1)).toBeUndefined();
  expect(connections.take(destination, 30_000)).toBe(connection);
});

it('those that lead elsewhere are not taken', async () => {
  const { connections, destination, open } = await start(2);
  connections.giveBack(await open());
  expect(connections.take({ ...destination, addresses: ['127.0.0.2'] }, 30_000)).toBeUndefined();
  expect(connections.take({ ...destination, url: new URL('http://other.example') }, 30_000)).toBeUndefined();
});

it('one that was closed is not taken', async () => {
  const { connections, destination, open } = await start(2);
  const connection = await open();
  connections.giveBack(connection);
  connection.destroy(new Error('closed'));
  expect(connections.take(destination, 30_000)).toBeUndefined();
});
