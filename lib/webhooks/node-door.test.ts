import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readBody } from './node-door.ts';

test('a body whose caller disconnected before it was read ends as incomplete', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
    const client = request({ host: '127.0.0.1', port, method: 'POST', headers: { 'content-length': 1000 } });
    client.on('error', () => undefined);
    client.write('the first bytes');
    const [req] = await arrived;
    const closed = new Promise((resolve) => req.on('close', resolve));
    client.destroy();
    await closed;
    expect(await readBody(req, () => true)).toBe(false);
  } finally {
    server.close();
  }
});
