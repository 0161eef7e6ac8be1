import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { VERSION } from '#lib/core/version.ts';
import * as z from 'zod';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, readAll } from './graph.ts';
import { platformSettingsOf } from './settings.ts';

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const accessTo = (graphUrl: string, more: Record<string, string> = {}): GraphAccess => ({
  settings: platformSettingsOf(
    parseSettings({
      DATABASE_URL: 'postgres://x/x',
      MESSAGING_GRAPH_URL: graphUrl,
      MESSAGING_TIMEOUT_SECONDS: '2',
      ...more,
    }),
  ),
  accessToken: 'the-token',
});
const access = (base = '', more: Record<string, string> = {}): GraphAccess =>
  accessTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, more);

const json =
  (body: unknown, status = 200) =>
  (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

describe('a call', () => {
  test('spec, Versioning and Authentication 4: v18.0 in the path, the token as bearer, ids percent-encoded', async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      seen.push([request.method, request.url, request.headers.authorization]);
      json({ ok: true })(request, response);
    };
    await callGraph(access('/'), { method: 'GET', path: ['wamid.a/b+c=='], query: { fields: 'id,name' } });
    await callGraph(access('/base'), { method: 'POST', path: ['1', 'messages'], body: { to: '1' } });
    expect(seen).toEqual([
      ['GET', '/v18.0/wamid.a%2Fb%2Bc%3D%3D?fields=id%2Cname', 'Bearer the-token'],
      ['POST', '/base/v18.0/1/messages', 'Bearer the-token'],
    ]);
  });

  test('the version of the settings, the proof of the app secret and a User-Agent', async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      seen.push([request.url, request.headers['user-agent']]);
      json({ ok: true })(request, response);
    };
    const of = access('', { MESSAGING_GRAPH_VERSION: 'v24.0', MESSAGING_APP_SECRET: 'the-secret' });
    await callGraph(of, { method: 'GET', path: ['1'], query: { fields: 'id' } });
    await callGraph(of, { method: 'POST', path: ['1', 'messages'], body: {} });
    // printf the-token | openssl dgst -sha256 -hmac the-secret
    const proof = 'appsecret_proof=f5b09c8acdb18571cae3e66edf0f48355330da5a725eb5361f27207a386398f0';
    expect(seen).toEqual([
      [`/v24.0/1?fields=id&${proof}`, `Patchbay/${VERSION}`],
      [`/v24.0/1/messages?${proof}`, `Patchbay/${VERSION}`],
    ]);
  });

  test('what an answer tells of the usage is known afterwards, of a refusal too', async () => {
    const of = access();
    answer = (request, response) => {
      response.setHeader('X-App-Usage', '{"call_count":28,"total_time":25,"total_cputime":25}');
      json({ ok: true })(request, response);
    };
    await callGraph(of, { method: 'GET', path: ['1'] });
    expect(of.settings.graphUsage.isHigh()).toBe(false);
    answer = (request, response) => {
      response.setHeader('X-App-Usage', '{"call_count":100,"total_time":25,"total_cputime":25}');
      json({ error: { code: 4, message: '(#4) Application request limit reached' } }, 400)(request, response);
    };
    await expect(callGraph(of, { method: 'GET', path: ['1'] })).rejects.toMatchObject({ kind: 'rate' });
    expect(of.settings.graphUsage.isHigh()).toBe(true);
  });

  test('big numbers keep their digits', async () => {
    answer = (_, response) => response.end('{"id":12345678901234567890}');
    const { id } = await callGraph(access(), { method: 'GET', path: ['x'] });
    expect(toText(id)).toBe('12345678901234567890');
  });

  test('a list ends where `next` is missing, although a cursor is there', async () => {
    const urls: string[] = [];
    answer = (request, response) => {
      urls.push(request.url ?? '');
      const isFirst = urls.length === 1;
      json({
        data: [{ n: urls.length }],
        paging: {
          cursors: { after: 'c' },
          ...(isFirst ? { next: 'http://elsewhere.example/?after=c' } : {}),
        },
      })(request, response);
    };
    expect(
      await readAll(access(), { path: ['x'], query: { limit: '1' } }, z.object({ n: z.number() })),
    ).toEqual([{ n: 1 }, { n: 2 }]);
    expect(urls).toEqual(['/v18.0/x?limit=1', '/v18.0/x?limit=1&after=c']);
  });
});

describe('no good answer', () => {
  const call = (of = access()) => callGraph(of, { method: 'POST', path: ['1', 'messages'], body: {} });

  test('a server that speaks no TLS: the handshake fails, nothing was sent', async () => {
    answer = json({});
    const secure = accessTo(access().settings.graphUrl?.replace('http:', 'https:') ?? '');
    await expect(call(secure)).rejects.toMatchObject({ kind: 'not_sent' });
  });

  test('a connection that is cut in the middle of the answer: not known', async () => {
    answer = (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      response.socket?.destroySoon();
    };
    await expect(call()).rejects.toMatchObject({ kind: 'lost_answer' });
  });

  test('a connection that is taken and then says nothing: not known', async () => {
    const silent = createTcpServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await expect(call(accessTo(`http://127.0.0.1:${port}`))).rejects.toMatchObject({ kind: 'lost_answer' });
    silent.close();
  });

  test.each([
    ['200 with an error in it', 200, { error: { code: 131026, message: 'x' } }, 'undeliverable'],
    ['500 without a body of the platform', 500, 'oops', 'trouble'],
    ['400 without a code', 400, { error: { message: 'x' } }, 'refused'],
    ['502 of some proxy', 502, {}, 'lost_answer'],
  ])('%s', async (_, status, body, kind) => {
    answer = json(body, status);
    await expect(call()).rejects.toMatchObject({ kind });
  });

  test('the token never stands in an error, also when the platform repeats it', async () => {
    answer = json(
      {
        error: { code: 100, message: 'Token the-token is odd', error_data: { details: 'Bearer the-token' } },
      },
      400,
    );
    const error: unknown = await call().catch((each: unknown) => each);
    expect(error).toMatchObject({ message: expect.stringContaining('[redacted]') as string });
    expect(JSON.stringify(error)).not.toContain('the-token');
  });
});
