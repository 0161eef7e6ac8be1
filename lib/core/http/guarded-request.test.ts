import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { guardedRequest, type GuardedRequestOptions } from './guarded-request.ts';
import { startTestServer } from './testing/test-server.ts';

const LIMITS = { method: 'GET', timeoutMs: 5000, maxResponseBytes: 10_000, maxRedirects: 3 };

async function callServer(listener: RequestListener, options: Partial<GuardedRequestOptions> = {}) {
  const { origin, host } = await startTestServer(listener);
  return guardedRequest({ ...LIMITS, url: `${origin}/start`, allowedPrivateHosts: [host], ...options });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A server that violates HTTP. @returns its port */
async function startTcpServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const callPort = (port: number, options: Partial<GuardedRequestOptions> = {}) =>
  guardedRequest({
    ...LIMITS,
    url: `http://127.0.0.1:${port}/`,
    allowedPrivateHosts: [`127.0.0.1:${port}`],
    ...options,
  });

describe('what is sent and read', () => {
  it('sends method, headers and body, asks for no compression, and reads the answer whatever its status', async () => {
    const answer = await callServer(
      (request, response) =>
        void bodyOf(request).then((body) => {
          const { method, url, headers } = request;
          response.writeHead(418, { 'Content-Type': 'application/json', 'Set-Cookie': ['a=1', 'b=2'] });
          response.end(JSON.stringify({ method, url, body, headers }));
        }),
      { method: 'post', headers: { 'X-One': 'one' }, body: 'grüße' },
    );
    expect(answer).toMatchObject({
      status: 418,
      headers: { 'content-type': 'application/json', 'set-cookie': 'a=1, b=2' },
    });
    expect(JSON.parse(answer.body.toString())).toMatchObject({
      method: 'POST',
      url: '/start',
      body: 'grüße',
      headers: { 'x-one': 'one', 'accept-encoding': 'identity', 'content-length': '7' },
    });
  });

  it('refuses an answer that is compressed all the same: it could be a bomb', async () => {
    const call = callServer((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'));
    });
    await expect(call).rejects.toMatchObject({ kind: 'compressed_response', bytesSent: true });
  });

  it.each([
    ['ftp://example.com/', 'invalid_url'],
    ['file:///etc/passwd', 'invalid_url'],
    ['example.com', 'invalid_url'],
    ['https://user:secret@example.com/', 'invalid_url'],
  ])('refuses %s', async (url, kind) => {
    const call = guardedRequest({ ...LIMITS, url, allowedPrivateHosts: [] });
    await expect(call).rejects.toMatchObject({ kind, bytesSent: false });
  });

  it.each([
    [{ 'X-A': 'a\r\nX-B: b' }, /line break/],
    [{ 'X A': 'a' }, /"X A" cannot be a header's name/],
    [{ Host: 'other.example' }, /set by Patchbay itself/],
    [{ 'Transfer-Encoding': 'chunked' }, /set by Patchbay itself/],
  ])('refuses the header %j', async (headers, message) => {
    const call = guardedRequest({
      ...LIMITS,
      url: 'http://example.com/',
      headers: { ...headers },
      allowedPrivateHosts: [],
    });
    await expect(call).rejects.toMatchObject({
      kind: 'invalid_header',
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('addresses', () => {
  const refusing = (address: string, family = 4) => ({
    resolve: () => Promise.resolve([{ address, family }]),
    allowedPrivateHosts: [],
  });

  it('refuses a name that leads to a private address, and one that leads there among others', async () => {
    const call = guardedRequest({ ...LIMITS, url: 'http://rebind.example/', ...refusing('127.0.0.1') });
    await expect(call).rejects.toMatchObject({
      kind: 'refused_address',
      message: expect.stringMatching(
        /"rebind\.example" leads to 127\.0\.0\.1, which is not a public address/,
      ) as string,
    });
    const mixed = () =>
      Promise.resolve([
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    const other = guardedRequest({
      ...LIMITS,
      url: 'http://rebind.example/',
      allowedPrivateHosts: [],
      resolve: mixed,
    });
    await expect(other).rejects.toMatchObject({ kind: 'refused_address' });
  });

  it('connects to the address that it checked: a name is resolved once (no DNS rebinding)', async () => {
    const { host } = await startTestServer((request, response) => response.end(request.headers.host));
    const port = host.split(':')[1];
    let resolved = 0;
    const resolve = () => Promise.resolve([{ address: (resolved++, '127.0.0.1'), family: 4 }]);
    const answer = await guardedRequest({
      ...LIMITS,
      url: `http://checked.example:${port}/`,
      allowedPrivateHosts: [`checked.example:${port}`],
      resolve,
    });
    expect(answer.body.toString()).toBe(`checked.example:${port}`);
    expect(resolved).toBe(1);
  });

  it('tries the next address when nothing listens at the first', async () => {
    const { host } = await startTestServer((_request, response) => response.end('here'));
    const port = host.split(':')[1];
    const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const answer = await guardedRequest({
      ...LIMITS,
      url: `http://two.example:${port}/`,
      allowedPrivateHosts: ['two.example'],
      resolve: () => Promise.resolve(addresses),
    });
    expect(answer.body.toString()).toBe('here');
  });

  it('checks where a redirect leads', async () => {
    const inner = await startTestServer((_request, response) => response.end('secret'));
    const call = callServer((_request, response) =>
      response.writeHead(302, { Location: `${inner.origin}/admin` }).end(),
    );
    await expect(call).rejects.toMatchObject({ kind: 'refused_address' });
  });

  it('allows the named port of a host only', async () => {
    const { origin } = await startTestServer((_request, response) => response.end());
    const call = guardedRequest({ ...LIMITS, url: origin, allowedPrivateHosts: ['127.0.0.1:1'] });
    await expect(call).rejects.toMatchObject({ kind: 'refused_address' });
  });
});

describe('redirects (RFC 9110, 15.4)', () => {
  const echoAfter =
    (status: number): RequestListener =>
    (request, response) =>
      void bodyOf(request).then((body) => {
        if (request.url === '/start') return response.writeHead(status, { Location: 'next?x=1' }).end();
        const { method, url, headers } = request;
        return response.end(
          JSON.stringify([method, url, body, headers['content-type'] ?? null, headers.authorization]),
        );
      });

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [302, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ])('%i turns %s into %s', async (status, method, expected) => {
    const headers = { authorization: 'Bearer x', 'content-type': 'text/plain' };
    const answer = await callServer(echoAfter(status), { method, headers, body: 'data' });
    const kept = expected === 'GET' ? ['', null] : ['data', 'text/plain'];
    expect(JSON.parse(answer.body.toString())).toEqual([expected, '/next?x=1', ...kept, 'Bearer x']);
    expect(answer.finalUrl).toMatch(/\/next\?x=1$/);
  });

  it('tells another site no secret', async () => {
    const other = await startTestServer((request, response) => response.end(JSON.stringify(request.headers)));
    const first = await startTestServer((_request, response) =>
      response.writeHead(307, { Location: other.origin }).end(),
    );
    const headers = { authorization: 'a', cookie: 'b', 'x-api-key': 'c', accept: 'text/plain' };
    const allowedPrivateHosts = [first.host, other.host];
    const answer = await guardedRequest({ ...LIMITS, url: first.origin, headers, allowedPrivateHosts });
    const seen = JSON.parse(answer.body.toString()) as Record<string, string>;
    expect(seen).toMatchObject({ accept: 'text/plain', host: other.host });
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(seen).not.toHaveProperty(name);
  });

  it('ends a circle', async () => {
    let calls = 0;
    const call = callServer((_request, response) => {
      calls += 1;
      response.writeHead(302, { Location: '/start' }).end();
    });
    await expect(call).rejects.toMatchObject({ kind: 'too_many_redirects' });
    expect(calls).toBe(4);
  });

  it('gives the redirect itself when none is to be followed', async () => {
    const call = callServer((_request, response) => response.writeHead(302, { Location: '/x' }).end(), {
      maxRedirects: 0,
    });
    expect(await call).toMatchObject({ status: 302, headers: { location: '/x' } });
  });

  it('says that a POST was sent when only what follows it fails', async () => {
    const call = callServer(
      (_request, response) => response.writeHead(303, { Location: 'http://127.0.0.1:1/' }).end(),
      { method: 'POST', allowedPrivateHosts: ['127.0.0.1'] },
    );
    await expect(call).rejects.toMatchObject({ kind: 'not_sent', bytesSent: true });
  });
});

describe('bounds', () => {
  it('stops reading an answer that grows too large', async () => {
    let closed: Promise<unknown> | undefined;
    const call = callServer((_request, response) => {
      closed = once(response, 'close');
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(4096)));
      };
      response.on('drain', write);
      write();
    });
    await expect(call).rejects.toMatchObject({ kind: 'too_large', bytesSent: true });
    await closed;
  });

  it('refuses a length that is too large before it reads', async () => {
    const call = callServer((_request, response) =>
      response.writeHead(200, { 'Content-Length': '10001' }).flushHeaders(),
    );
    await expect(call).rejects.toMatchObject({ kind: 'too_large' });
  });

  it('ends an answer that trickles, by the time of the whole', async () => {
    const call = callServer(
      (_request, response) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      },
      { timeoutMs: 200 },
    );
    await expect(call).rejects.toMatchObject({ kind: 'timeout', bytesSent: true });
  });

  it('ends a name that is never found', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const call = guardedRequest({
      ...LIMITS,
      timeoutMs: 50,
      url: 'http://slow.example/',
      allowedPrivateHosts: [],
      resolve,
    });
    await expect(call).rejects.toMatchObject({ kind: 'timeout', bytesSent: false });
  });
});

describe('whether it was sent (platform: errors)', () => {
  it('was not: nobody listens', async () => {
    await expect(callPort(1)).rejects.toMatchObject({
      kind: 'not_sent',
      bytesSent: false,
      message: '127.0.0.1:1 could not be reached: the connection was refused.',
    });
  });

  it('was not: the name is not found', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const call = guardedRequest({ ...LIMITS, url: 'http://no.example/', allowedPrivateHosts: [], resolve });
    await expect(call).rejects.toMatchObject({
      kind: 'not_sent',
      message: 'The host "no.example" was not found.',
    });
  });

  it('was not: the TLS handshake fails', async () => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.end('no TLS here')));
    const call = callPort(port, { url: `https://127.0.0.1:${port}/`, method: 'POST', body: 'x' });
    await expect(call).rejects.toMatchObject({ kind: 'not_sent', bytesSent: false });
  });

  it('may have been: the connection is reset before the answer', async () => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expect(callPort(port, { method: 'POST', body: 'x' })).rejects.toMatchObject({
      kind: 'interrupted',
      bytesSent: true,
    });
  });

  it('may have been: the connection breaks inside the answer', async () => {
    const port = await startTcpServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    );
    await expect(callPort(port)).rejects.toMatchObject({ kind: 'interrupted', bytesSent: true });
  });

  it('may have been: what answers is not HTTP', async () => {
    const port = await startTcpServer((socket) =>
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
    );
    await expect(callPort(port)).rejects.toMatchObject({ kind: 'invalid_response', bytesSent: true });
  });
});

describe('connections', () => {
  const countConnections = async () => {
    let connections = 0;
    const { origin, host, server } = await startTestServer((_request, response) => response.end('ok'));
    // What the server promises is longer than an idle connection is used.
    server.keepAliveTimeout = 60_000;
    server.on('connection', () => (connections += 1));
    const call = (method: string) =>
      guardedRequest({ ...LIMITS, method, url: origin, allowedPrivateHosts: [host] });
    return { call, server, count: () => connections };
  };

  it('are used again for what may be repeated', async () => {
    const { call, count } = await countConnections();
    await call('GET');
    await call('GET');
    expect(count()).toBe(1);
  });

  it('are used again for a POST only right after another request', async () => {
    const { call, count } = await countConnections();
    const countAfter = async (method: string) => {
      await call(method);
      return count();
    };
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    onTestFinished(() => void vi.restoreAllMocks());
    await call('GET');
    // Where the machine is busy, a moment may be over.
    await expect.poll(() => countAfter('POST'), { timeout: 5000 }).toBe(count());
    const before = count();
    passedMs += 600;
    expect(await countAfter('PUT')).toBe(before);
    passedMs += 600;
    expect(await countAfter('POST')).toBe(before + 1);
  });

  it('that the server is about to close are not used again', async () => {
    const { call, server, count } = await countConnections();
    server.keepAliveTimeout = 1000;
    await call('GET');
    await call('GET');
    expect(count()).toBe(2);
  });

  it('on which a POST gets no response may have been, and it is not repeated', async () => {
    let requests = 0;
    const port = await startTcpServer((socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      }),
    );
    await callPort(port, { method: 'POST', body: 'x' });
    await expect(callPort(port, { method: 'POST', body: 'x' })).rejects.toMatchObject({
      kind: 'interrupted',
      bytesSent: true,
    });
    expect(requests).toBe(2);
  });

  it('that were closed while they were kept are replaced without a word', async () => {
    let requests = 0;
    const port = await startTcpServer((socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      }),
    );
    await callPort(port);
    await expect(callPort(port)).resolves.toMatchObject({ status: 200 });
    expect(requests).toBe(3);
  });
});
