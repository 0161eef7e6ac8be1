import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressStatic } from './launcher/compress-static.ts';
import { serveStatic } from './static-files.ts';

const SCRIPT = 'export const answer = 42;\n'.repeat(100);
const folder = mkdtempSync(join(tmpdir(), 'patchbay-static-'));
let server: Server;

beforeAll(async () => {
  writeFileSync(join(folder, 'app-1.js'), SCRIPT);
  writeFileSync(join(folder, 'app-1.css'), 'p { margin: 0 }');
  writeFileSync(join(folder, 'secret.txt'), 'not a script');
  await compressStatic(folder);
  const handle = serveStatic(`${folder}/`, '/static/');
  server = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(404).end('next');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request({ port, host: '127.0.0.1', path, headers, method }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('serveStatic', () => {
  it('sends the smallest form that the browser takes, for good', async () => {
    const { status, headers, body } = await ask('/static/app-1.js', { 'Accept-Encoding': 'gzip, br' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
    });
    expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
  });

  it('sends gzip where brotli is not spoken or refused', async () => {
    for (const accepted of ['gzip, deflate', 'br;q=0, gzip', 'br; q=0.000 , GZIP']) {
      const { headers, body } = await ask('/static/app-1.js?v=1', { 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(body).toString()).toBe(SCRIPT);
    }
  });

  it('sends the file as it is to who takes nothing else', async () => {
    const { headers, body } = await ask('/static/app-1.js', { 'Accept-Encoding': 'identity' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe(SCRIPT);
  });

  it('answers HEAD without a body, and leaves everything else to others', async () => {
    const head = await ask('/static/app-1.css', { 'Accept-Encoding': 'br' }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const path of [
      '/static/secret.txt',
      '/static/app-1.js.br',
      '/static/../secret.txt',
      '/static/%2e%2e/x.js',
      '/static/none.js',
    ])
      expect((await ask(path)).status).toBe(404);
    expect((await ask('/static/app-1.js', {}, 'POST')).status).toBe(404);
  });
});
