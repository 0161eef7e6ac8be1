import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { guardedRequest } from './guarded-request.ts';
import { startHttpsServer } from './testing/https-server.ts';

const answer: RequestListener = (request, response) => {
  response.end(`${request.method} ${request.headers.host}`);
};

/** Every name leads to 127.0.0.1. */
const call = (url: string, method = 'GET') =>
  guardedRequest({
    method,
    url,
    body: method === 'POST' ? '{}' : undefined,
    timeoutMs: 5000,
    maxResponseBytes: 1000,
    maxRedirects: 0,
    allowedPrivateHosts: [new URL(url).host],
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });

const secure = { names: [{ type: 'dns', value: 'secure.example' } as const] };

it.each(['GET', 'POST'])(
  '%s over TLS has the certificate of its name, and keeps the connection',
  async (method) => {
    let connections = 0;
    const { port, server } = await startHttpsServer(answer, secure);
    server.on('secureConnection', () => (connections += 1));
    const host = `secure.example:${port}`;
    for (let time = 0; time < 2; time += 1)
      expect((await call(`https://${host}/`, method)).body.toString()).toBe(`${method} ${host}`);
    expect(connections).toBe(1);
  },
);

it('an address in the URL needs a certificate for this address', async () => {
  const { port } = await startHttpsServer(answer, { names: [{ type: 'ip', value: '127.0.0.1' }] });
  expect(await call(`https://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
  const other = await startHttpsServer(answer, secure);
  await expect(call(`https://127.0.0.1:${other.port}/`)).rejects.toMatchObject({ kind: 'not_sent' });
});

it.each([
  [
    'of another name',
    { names: [{ type: 'dns', value: 'other.example' } as const] },
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  ['that nobody vouches for', { ...secure, isTrusted: false }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('a server with a certificate %s gets nothing of the request', async (_, certificate, code) => {
  let requests = 0;
  const { port } = await startHttpsServer((...exchange) => {
    requests += 1;
    answer(...exchange);
  }, certificate);
  await expect(call(`https://secure.example:${port}/`, 'POST')).rejects.toMatchObject({
    kind: 'not_sent',
    bytesSent: false,
    message: `secure.example:${port} could not be reached: the secure connection failed (${code}).`,
  });
  expect(requests).toBe(0);
});
