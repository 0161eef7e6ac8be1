import { describe, expect, it, onTestFinished } from 'vitest';
import { connectFirst, interleaveFamilies } from './connections.ts';
import { guardedRequest } from './guarded-request.ts';
import { startFullHost } from './testing/start-full-host.ts';
import { startTestServer } from './testing/test-server.ts';

const HERE = '127.0.0.1';
const OTHER = '127.0.0.2';
const THIRD = '127.0.0.3';

async function startServer(): Promise<number> {
  const { host } = await startTestServer((_request, response) => response.end('here'));
  return Number(host.split(':')[1]);
}

async function connectTo(addresses: string[], port: number, signal = new AbortController().signal) {
  const startedAt = performance.now();
  const socket = await connectFirst(addresses, port, signal);
  onTestFinished(() => void socket.destroy());
  return { address: socket.remoteAddress, ms: performance.now() - startedAt };
}

describe('the order of addresses (RFC 8305, 4)', () => {
  it.each([
    [
      ['::1', '::2', '::3', '1.1.1.1'],
      ['::1', '1.1.1.1', '::2', '::3'],
    ],
    [
      ['1.1.1.1', '1.1.1.2', '::1'],
      ['1.1.1.1', '::1', '1.1.1.2'],
    ],
    [['1.1.1.1'], ['1.1.1.1']],
    [[], []],
  ])('%j is tried as %j', (given, expected) => {
    expect(interleaveFamilies(given)).toEqual(expected);
  });
});

describe('happy eyeballs (RFC 8305, 5)', () => {
  it('continues at once when an address refuses', async () => {
    const { address, ms } = await connectTo([OTHER, THIRD, HERE], await startServer());
    expect(address).toBe(HERE);
    expect(ms).toBeLessThan(250);
  });

  it('continues after a quarter of a second when an address does not answer', async () => {
    const port = await startServer();
    await startFullHost(OTHER, port);
    const { address, ms } = await connectTo([OTHER, HERE], port);
    expect(address).toBe(HERE);
    expect(ms).toBeGreaterThan(240);
  });

  it('still waits for a slow address when all others have failed', async () => {
    const port = await startServer();
    const { wake } = await startFullHost(OTHER, port);
    setTimeout(wake, 400);
    const { address, ms } = await connectTo([OTHER, THIRD], port);
    expect(address).toBe(OTHER);
    expect(ms).toBeGreaterThan(390);
  });

  it('tells the first failure when there is no way at all', async () => {
    const failing = connectFirst([HERE, OTHER], 1, new AbortController().signal);
    await expect(failing).rejects.toMatchObject({ code: 'ECONNREFUSED', address: HERE });
  });

  it('ends with the time, and a request that waits for it was not sent', async () => {
    const port = await startServer();
    await startFullHost(OTHER, port);
    await expect(connectFirst([OTHER], port, AbortSignal.timeout(100))).rejects.toThrow(
      /could not be established in time/,
    );
    await expect(connectFirst([HERE], port, AbortSignal.abort())).rejects.toThrow(
      /could not be established in time/,
    );
    const call = guardedRequest({
      method: 'POST',
      url: `http://${OTHER}:${port}/`,
      timeoutMs: 100,
      maxResponseBytes: 10,
      maxRedirects: 0,
      allowedPrivateHosts: [OTHER],
    });
    await expect(call).rejects.toMatchObject({ kind: 'timeout', bytesSent: false });
  });

  it('reaches a host by the address that answers, and keeps the connection', async () => {
    let connections = 0;
    const { host, server } = await startTestServer((_request, response) => response.end('here'));
    server.on('connection', () => (connections += 1));
    const port = Number(host.split(':')[1]);
    await startFullHost(OTHER, port);
    const call = () =>
      guardedRequest({
        method: 'GET',
        url: `http://two.example:${port}/`,
        timeoutMs: 5000,
        maxResponseBytes: 10,
        maxRedirects: 0,
        allowedPrivateHosts: ['two.example'],
        resolve: () => Promise.resolve([OTHER, HERE].map((address) => ({ address, family: 4 }))),
      });
    expect((await call()).body.toString()).toBe('here');
    expect((await call()).body.toString()).toBe('here');
    expect(connections).toBe(1);
  });
});
