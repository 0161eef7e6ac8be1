// The measurements' own HTTP, also against Node's.
import { once } from 'node:events';
import { createServer as createNodeServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as next } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openClient } from './client.ts';
import { postAll } from './post-all.ts';
import { createJsonServer, type Request } from './server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const ORDER = { body: '{"name":"Zoë"}', headers: { 'x-hub-signature-256': 'sha256=ab' } };

/** A server that does something with each connection's data. */
const rawServer = (take: (socket: Socket, count: number) => void | Promise<void>): Promise<string> => {
  let count = 0;
  return listen(createServer((socket) => socket.on('data', () => void take(socket, (count += 1)))));
};

it('posts what it was given, to a server on Node http', async () => {
  const seen: unknown[] = [];
  const url = await listen(
    createNodeServer((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (part: string) => (body += part));
      req.on('end', () => {
        seen.push([
          req.method,
          req.url,
          req.headers['content-type'],
          req.headers['x-hub-signature-256'],
          body,
        ]);
        res.writeHead(seen.length === 1 ? 200 : 503, { 'Content-Length': 0 }).end();
      });
    }),
  );
  const client = openClient(`${url}/webhook/a?b=c`, 1);
  expect([await client.post(ORDER), await client.post(ORDER)]).toEqual([200, 503]);
  client.close();
  expect(seen[0]).toEqual(['POST', '/webhook/a?b=c', 'application/json', 'sha256=ab', '{"name":"Zoë"}']);
});

it('answers fetch, which closes its connection where it says so', async () => {
  const requests: Request[] = [];
  const url = await listen(
    createJsonServer(async (request) => {
      requests.push(request);
      await next();
      return '{"name":"Zoë"}';
    }),
  );
  const response = await fetch(`${url}/orders`, {
    method: 'PUT',
    body: 'Ä',
    headers: { connection: 'close' },
  });
  expect([response.status, await response.json()]).toEqual([200, { name: 'Zoë' }]);
  expect(requests).toEqual([{ method: 'PUT', url: '/orders', body: 'Ä' }]);
});

it('posts each request once, over at most so many connections', async () => {
  const bodies: string[] = [];
  const server = createJsonServer(({ body }) => {
    bodies.push(body);
    return '{}';
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const url = await listen(server);
  const requests = Array.from({ length: 100 }, (_, place) => ({ body: `[${place}]`, headers: {} }));
  expect(await postAll(url, requests, 3)).toMatchObject({ requests: 100, errors: 0 });
  expect(new Set(bodies).size).toBe(100);
  expect(bodies).toHaveLength(100);
  expect(connections).toBe(3);
});

it('reads a response that arrives byte by byte', async () => {
  const url = await rawServer(async (socket) => {
    for (const byte of Buffer.from(OK)) {
      socket.write(Buffer.from([byte]));
      await next();
    }
  });
  expect(await postAll(url, [ORDER, ORDER], 1)).toMatchObject({ requests: 2, errors: 0 });
});

it('opens another connection where the response ends the first', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', () => socket.write(OK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')));
  });
  const url = await listen(server);
  expect(await postAll(url, [ORDER, ORDER, ORDER], 1)).toMatchObject({ requests: 3, errors: 0 });
  expect(connections).toBe(3);
});

it('fails a request whose connection breaks, and opens another for the next', async () => {
  const url = await rawServer((socket, count) => void (count === 1 ? socket.destroy() : socket.write(OK)));
  const client = openClient(url, 1);
  await expect(client.post(ORDER)).rejects.toThrow(/closed before the response|ECONNRESET/);
  expect(await client.post(ORDER)).toBe(200);
  client.close();
});

it('fails a response that is sent in chunks', async () => {
  const url = await rawServer(
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  );
  await expect(postAll(url, [ORDER], 1)).rejects.toThrow('A message without a Content-Length.');
});
