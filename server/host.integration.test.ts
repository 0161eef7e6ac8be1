// The addresses of a web process. 127.0.0.2 is this machine too, but not a listener on only 127.0.0.1.
import { createConnection, createServer } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { buildIfNeeded } from './launcher/build.ts';

const OTHER_INTERFACE = '127.0.0.2';
const root = new URL('..', import.meta.url).pathname;
const undo: (() => Promise<void>)[] = [];

beforeAll(() => buildIfNeeded(root, () => undefined, new AbortController().signal));
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** @returns the port. */
async function startWeb(settings: Record<string, string> = {}): Promise<number> {
  const database = await createTestDatabase();
  undo.push(() => database.drop());
  const port = await findFreePort();
  const web = await startProcess('server/web.ts', {
    DATABASE_URL: database.url,
    PORT: String(port),
    ...settings,
  });
  undo.push(() => web.stop());
  return port;
}

const healthAt = async (host: string, port: number): Promise<string> => {
  const response = await fetch(`http://${host}:${port}/healthz`);
  return response.text();
};

const refusalAt = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = createConnection({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(0, '::1', () => server.close(() => resolve(true)));
});

test('without HOST it answers on loopback, whatever "localhost" leads to, and on no other interface', async () => {
  const port = await startWeb();
  expect(await healthAt('127.0.0.1', port)).toMatch(/^ok /);
  expect(await healthAt('localhost', port)).toMatch(/^ok /);
  if (hasIpv6) expect(await healthAt('[::1]', port)).toMatch(/^ok /);
  expect(await refusalAt(OTHER_INTERFACE, port)).toBe('ECONNREFUSED');
});

test('with HOST it answers where it was told to', async () => {
  const port = await startWeb({ HOST: '0.0.0.0' });
  expect(await healthAt(OTHER_INTERFACE, port)).toMatch(/^ok /);
});

test('several web processes share the port on both loopback addresses', async () => {
  const database = await createTestDatabase();
  undo.push(() => database.drop());
  const port = await findFreePort();
  const settings = { DATABASE_URL: database.url, PORT: String(port), REUSE_PORT: 'on' };
  for (let index = 0; index < 2; index += 1) {
    const web = await startProcess('server/web.ts', settings);
    undo.push(() => web.stop());
  }
  expect(await healthAt('127.0.0.1', port)).toMatch(/^ok /);
  if (hasIpv6) expect(await healthAt('[::1]', port)).toMatch(/^ok /);
});

test('over HTTPS pages tell browsers to stay there', async () => {
  const port = await startWeb({ BASE_URL: 'https://patchbay.example' });
  const approval = await fetch(`http://127.0.0.1:${port}/resume/${'x'.repeat(32)}`);
  expect(approval.headers.get('strict-transport-security')).toBe('max-age=31536000');
  const { headers } = await fetch(`http://127.0.0.1:${port}/no-such-page`);
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
});
