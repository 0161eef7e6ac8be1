import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { guardedRequest } from './guarded-request.ts';
import { startTestServer } from './testing/test-server.ts';

/** Sends a request, and streams the response. */
async function pour(listener: RequestListener, sink: () => Writable) {
  const { origin, host } = await startTestServer(listener);
  return guardedRequest({
    method: 'GET',
    url: origin,
    timeoutMs: 5000,
    maxResponseBytes: 1000,
    maxRedirects: 3,
    allowedPrivateHosts: [host],
    sink,
  });
}

it('writes a successful answer where it is told to, and keeps nothing of it', async () => {
  const sink = new PassThrough();
  const written = buffer(sink);
  const answer = await pour(
    (_, response) => response.end('x'.repeat(1000)),
    () => sink,
  );
  expect(answer).toMatchObject({ status: 200, body: Buffer.alloc(0) });
  expect((await written).toString()).toBe('x'.repeat(1000));
});

it('reads any other answer as ever, and makes no sink for a redirect', async () => {
  let sinks = 0;
  const sink = () => {
    sinks += 1;
    return new PassThrough().resume();
  };
  expect(await pour((_, response) => response.writeHead(404).end('gone'), sink)).toMatchObject({
    status: 404,
    body: Buffer.from('gone'),
  });
  expect(sinks).toBe(0);
  await pour(({ url }, response) => {
    if (url === '/next') response.end('here');
    else response.writeHead(302, { location: '/next' }).end('see there');
  }, sink);
  expect(sinks).toBe(1);
});

it.each([
  ['too large, as its length says', 'too_large', (_: unknown, response) => response.end('x'.repeat(1001))],
  [
    'too large, as is found on the way',
    'too_large',
    (_: unknown, response) => {
      response.write('x'.repeat(600));
      response.end('x'.repeat(600));
    },
  ],
  [
    'compressed',
    'compressed_response',
    (_: unknown, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x')),
  ],
  [
    'broken off',
    'interrupted',
    (_: unknown, response) => {
      response.writeHead(200, { 'content-length': '900' }).write('x'.repeat(100));
      setImmediate(() => response.destroy());
    },
  ],
] as [string, string, RequestListener][])('an answer that is %s fails', async (_, kind, listener) => {
  const failing = pour(listener, () => new PassThrough().resume());
  await expect(failing).rejects.toMatchObject({ kind });
});

it('fails when the sink does', async () => {
  const full = () => new Writable({ write: (_chunk, _encoding, done) => done(new Error('No space left.')) });
  await expect(pour((_, response) => response.end('x'), full)).rejects.toMatchObject({ kind: 'interrupted' });
});
