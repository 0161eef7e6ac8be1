import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHelp } from './help.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-help-'));
let server: Server;
let url: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'index.html'), 'first page');
  writeFileSync(join(folder, '404.html'), 'no such page');
  writeFileSync(join(folder, 'guides', 'secrets.html'), 'secrets');
  writeFileSync(join(folder, 'assets', 'app-1.js'), 'export {};');
  writeFileSync(join(folder, 'patchbay-sources'), 'a hash');
  const handle = serveHelp(folder);
  server = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const ask = (path: string, init: RequestInit = {}) => fetch(url + path, { redirect: 'manual', ...init });

describe('serveHelp', () => {
  it('answers the first page, and pages without their ending', async () => {
    expect(await (await ask('/help/')).text()).toBe('first page');
    const page = await ask('/help/guides/secrets?from=app');
    expect([page.status, await page.text()]).toEqual([200, 'secrets']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('sends /help to /help/, and leaves other paths to others', async () => {
    const moved = await ask('/help');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/help/']);
    expect((await ask('/helpers')).status).toBe(418);
    expect((await ask('/')).status).toBe(418);
  });

  it('keeps files with a hash in their name for good', async () => {
    const script = await ask('/help/assets/app-1.js');
    expect(script.headers.get('cache-control')).toContain('immutable');
  });

  it('answers 404 with a page for what is not there, and for files that are no pages', async () => {
    for (const path of [
      '/help/nothing',
      '/help/patchbay-sources',
      '/help/..%2f..%2fpackage.json',
      '/help/assets/',
    ]) {
      const response = await ask(path);
      expect([response.status, await response.text()], path).toEqual([404, 'no such page']);
    }
  });

  it('reads only', async () => {
    const response = await ask('/help/', { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await (await ask('/help/', { method: 'HEAD' })).text()).toBe('');
  });
});
