import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePort } from './find-free-port.ts';

test('a free port is none of those that outgoing connections are given, nor one on which somebody listens', async () => {
  const taken = await findFreePort();
  expect(taken).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((listening) => server.listen(taken, '127.0.0.1', listening));
  const free = await findFreePort();
  const offers = [taken, free];
  expect(await findFreePort(() => offers.shift() ?? 0)).toBe(free);
  await new Promise((closed) => server.close(closed));
});
