import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../listen.ts';
import { createWebServer } from './web-server.ts';

const NEVER_MS = 2 ** 30;

test('in development, an open WebSocket does not keep the server from stopping', async () => {
  const web = createWebServer({ development: true }, (_, res) => res.end());
  web.server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const listening = await listen(web.server, { hosts: ['127.0.0.1'], port: 0 });
  const browser = connect(listening.port, '127.0.0.1');
  browser.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  const [answer] = (await once(browser, 'data')) as [Buffer];
  expect(String(answer)).toContain('101');
  const ended = once(browser, 'close');
  await web.stop(listening, NEVER_MS);
  await ended;
});
