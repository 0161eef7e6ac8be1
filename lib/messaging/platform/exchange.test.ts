import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { exchange, type ExchangeError, type HttpCall } from './exchange.ts';
import { Route } from './route.ts';

/** A platform on its own port. */
async function listen(answer: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    server,
    requests,
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`),
  };
}

const post = (url: URL, beforeSending?: () => Promise<void>, route?: Route): HttpCall => ({
  method: 'POST',
  url,
  headers: {},
  body: '{}',
  timeoutMs: 20_000,
  beforeSending,
  route,
});
const failureOf = (call: HttpCall): Promise<ExchangeError> =>
  exchange(call).then(
    () => Promise.reject(new Error('It was answered.')),
    (error: unknown) => error as ExchangeError,
  );

test('what comes before sending comes once the connection stands, and nothing is sent until it is done', async () => {
  const { server, requests, url } = await listen((_, response) => response.end('{}'));
  const order: string[] = [];
  server.on('connection', () => order.push('connected'));
  server.on('request', () => order.push('request'));
  const connected = once(server, 'connection');
  await exchange(
    post(url, async () => {
      await connected;
      order.push('prepared');
    }),
  );
  expect(order).toEqual(['connected', 'prepared', 'request']);
  expect(requests).toEqual(['POST /messages']);
});

test('where nobody listens nothing comes before sending, and nothing was sent', async () => {
  const { server, url } = await listen(() => undefined);
  await new Promise((done) => server.close(done));
  let isPrepared = false;
  const failure = await failureOf(
    post(url, async () => {
      isPrepared = true;
    }),
  );
  expect({ notSent: failure.notSent, isPrepared }).toEqual({ notSent: true, isPrepared: false });
});

/** Closes the connections of a server, and waits until their other ends know. */
function watchConnections(server: Server) {
  const opened: Socket[] = [];
  const note = (message: unknown): number => opened.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  onTestFinished(() => void unsubscribe('net.client.socket', note));
  return {
    opened,
    close: async () => {
      const closed = opened.map((socket) => once(socket, 'close'));
      server.closeAllConnections();
      await Promise.all(closed);
    },
  };
}

test('a connection that breaks before the request was begun is replaced', async () => {
  const { server, requests, url } = await listen((_, response) => response.end('{}'));
  const { opened, close } = watchConnections(server);
  const answer = await exchange(post(url, close));
  expect(answer).toMatchObject({ status: 200 });
  expect({ requests, opened: opened.length }).toEqual({ requests: ['POST /messages'], opened: 2 });
});

test('where it cannot be replaced, nothing was sent', async () => {
  const { server, requests, url } = await listen((_, response) => response.end('{}'));
  const { close } = watchConnections(server);
  const failure = await failureOf(
    post(url, async () => {
      server.close();
      await close();
    }),
  );
  expect(failure).toMatchObject({ notSent: true });
  expect(requests).toEqual([]);
});

test('what rejects before sending is what the exchange rejects with, and nothing is sent', async () => {
  const { requests, url } = await listen((_, response) => response.end('{}'));
  const lost = new Error('The run is not ours any more.');
  await expect(exchange(post(url, () => Promise.reject(lost)))).rejects.toBe(lost);
  expect(requests).toEqual([]);
});

test('after a lost answer nothing more is sent that must not be repeated, until the address answers', async () => {
  let isBroken = true;
  const { requests, url } = await listen((request, response) => {
    if (isBroken) request.socket.destroy();
    else response.end('{}');
  });
  const route = new Route();
  const prepared: number[] = [];
  const sendNumber = (number: number): HttpCall => post(url, async () => void prepared.push(number), route);
  expect(await failureOf(sendNumber(1))).toMatchObject({ notSent: false });
  expect(await failureOf(sendNumber(2))).toMatchObject({ notSent: true });
  expect({ requests, prepared }).toEqual({ requests: ['POST /messages', 'GET /'], prepared: [1] });
  isBroken = false;
  expect(await exchange(sendNumber(3))).toMatchObject({ status: 200 });
  expect(prepared).toEqual([1, 3]);
  expect(requests.slice(2)).toEqual(['GET /', 'POST /messages']);
});

test('what was about to be sent when another answer was lost is not sent', async () => {
  const { requests, url } = await listen((request) => request.socket.destroy());
  const route = new Route();
  const isPreparing = Promise.withResolvers<void>();
  const isPrepared = Promise.withResolvers<void>();
  const second = failureOf(
    post(
      url,
      () => {
        isPreparing.resolve();
        return isPrepared.promise;
      },
      route,
    ),
  );
  await isPreparing.promise;
  await failureOf(post(url, undefined, route));
  isPrepared.resolve();
  expect(await second).toMatchObject({ notSent: true });
  expect(requests).toEqual(['POST /messages']);
});

test('what may be repeated is sent all the same', async () => {
  const { requests, url } = await listen((request) => request.socket.destroy());
  const route = new Route();
  await failureOf(post(url, undefined, route));
  expect(await failureOf(post(url, undefined, route))).toMatchObject({ notSent: false });
  expect(requests).toEqual(['POST /messages', 'POST /messages']);
});

test('address, path, query and length of a request are those of its URL and body (RFC 9110, 8.6)', async () => {
  const seen: unknown[] = [];
  const { url } = await listen((request, response) => {
    const { host, 'content-length': length } = request.headers;
    seen.push([request.method, request.url, host, length]);
    response.end('{}');
  });
  const answer = await exchange({ ...post(new URL('/v25.0/1?a=b%20c', url)), body: '{"name":"Zoë"}' });
  await exchange({ ...post(url), method: 'DELETE', body: undefined });
  expect(answer.status).toBe(200);
  expect(seen).toEqual([
    ['POST', '/v25.0/1?a=b%20c', url.host, '15'],
    ['DELETE', '/messages', url.host, undefined],
  ]);
});

test('a server without TLS gets nothing of a request to https', async () => {
  const { requests, url } = await listen((_, response) => response.end('{}'));
  url.protocol = 'https:';
  expect(await failureOf(post(url))).toMatchObject({ notSent: true });
  expect(requests).toEqual([]);
});

test('an IPv6 address is connected to without its brackets', async () => {
  const failure = await failureOf(post(new URL('http://[::1]:1/messages')));
  expect(String(failure)).toContain('[::1]:1 could not be reached');
  expect(String(failure)).not.toContain('ENOTFOUND');
});
