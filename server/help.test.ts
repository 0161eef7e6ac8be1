import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveHelp } from './help.ts';

const place = mkdtempSync(join(tmpdir(), 'patchbay-help-'));
const folder = join(place, 'first');
const link = join(place, 'last');
let server: Server;
let url: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'guides'));
  symlinkSync(folder, link);
  writeFileSync(join(folder, 'index.html'), 'first page');
  writeFileSync(join(folder, '404.html'), 'no such page');
  writeFileSync(join(folder, 'guides', 'secrets.html'), 'secrets');
  writeFileSync(join(folder, 'assets', 'app-1.js'), 'export {};');
  writeFileSync(join(folder, 'used-by-1'), '');
  const handle = serveHelp({ folder: link, development: false });
  server = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(place, { recursive: true });
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
      '/help/used-by-1',
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

  it('says that it is being built, until it is, and then serves what was built', async () => {
    rmSync(link);
    for (const path of ['/help/', '/help/guides/secrets', '/help/assets/app-1.js']) {
      const response = await ask(path);
      expect([response.status, response.headers.get('refresh')], path).toEqual([503, '3']);
      expect(response.headers.get('content-security-policy'), path).toContain("default-src 'none'");
      expect(await response.text(), path).toContain('The help is being built');
    }
    mkdirSync(join(place, 'second', 'guides'), { recursive: true });
    writeFileSync(join(place, 'second', 'guides', 'new.html'), 'a new page');
    symlinkSync(join(place, 'second'), link);
    expect(await (await ask('/help/guides/new')).text()).toBe('a new page');
  });
});

describe('serveHelp in development', () => {
  it('says how the help is built, as nothing builds it', async () => {
    const handle = serveHelp({
      folder: join(folder, 'nowhere'),
      development: true,
    });
    const own = createServer((req, res) => void handle(req, res));
    await new Promise<void>((resolve) => void own.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(own.address() as AddressInfo).port}/help/`);
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('npm start')]);
    own.close();
  });
});
