import { createServer, type ListenOptions } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test('thousands of connections may wait to be accepted: more would be reset, requests that were sent included', async () => {
  const server = createServer();
  const asked: ListenOptions[] = [];
  const start = server.listen.bind(server) as (options: ListenOptions, ready: () => void) => typeof server;
  server.listen = ((options: ListenOptions, ready: () => void) => {
    asked.push(options);
    return start(options, ready);
  }) as typeof server.listen;
  const listening = await listen(server, { hosts: ['127.0.0.1'], port: 0 });
  await listening.close();
  expect(asked.map(({ backlog }) => backlog)).toEqual([4096]);
});
