import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { listenOrRetry } from './listen-or-retry.ts';

const open = (port = 0): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((_, res) => res.end('other')).listen(port, '127.0.0.1', () =>
      resolve(server),
    );
  });
const close = (server: Server): Promise<void> => new Promise((closed) => server.close(() => closed()));

test('a port that is taken is told once, with its setting, and served as soon as it is free', async () => {
  const other = await open();
  const { port } = other.address() as AddressInfo;
  const logger = { error: vi.fn(), info: vi.fn() };
  const server = createServer((_, res) => res.end('metrics'));
  const listening = await listenOrRetry(server, { port, host: '127.0.0.1', logger, retryMs: 20 });
  expect(logger.error.mock.calls[0]?.[1]).toContain(`port ${port} (METRICS_PORT): another program has it`);
  await close(other);
  await vi.waitFor(() => expect(logger.info).toHaveBeenCalled());
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('metrics');
  expect(logger.error).toHaveBeenCalledTimes(1);
  listening.close();
});

test('closing ends the attempts', async () => {
  const other = await open();
  const { port } = other.address() as AddressInfo;
  const server = createServer();
  const logger = { error: vi.fn(), info: vi.fn() };
  const listening = await listenOrRetry(server, { port, host: '127.0.0.1', logger, retryMs: 10 });
  listening.close();
  await close(other);
  const again = await open(port);
  await close(again);
  expect(server.listening).toBe(false);
});
