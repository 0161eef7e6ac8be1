// An operator builds new versions in the clone while an old one runs, and then restarts it. Building pages takes a minute:
// Next's builder is replaced by a program that writes changed pages of this clone to Next's output folder.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { buildIfNeeded } from './launcher/build.ts';
import { NEEDED_TO_START } from './launcher/sources.mjs';
import { root } from './root.ts';
import { copyClone } from './testing/copy-clone.ts';
import { Installation, type Start } from './testing/installation.ts';

const UP_MS = 180_000;
const NEVER = new AbortController().signal;
const OPENED = '/sign-in';
const NEVER_OPENED = '/forgot-password';

const place = mkdtempSync(join(tmpdir(), 'patchbay-beside-'));
const clone = join(place, 'clone');
let product: Installation;
let run: Start | undefined;
let url: string;

beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, NEVER);
  copyClone(root, clone);
  plantBuilder(join(clone, 'node_modules/next/dist/bin/next'));
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  const { DATABASE_URL: _database, BASE_URL: _base, ...environment } = process.env;
  product = new Installation(
    join(place, 'data'),
    { ...environment, PORT: String(port), SANDBOX_PORT: '0' },
    { root: clone },
  );
}, 300_000);
afterAll(async () => {
  await stop();
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
});

/** The version that it builds lacks a page and all scripts of the previous one, and has its own id. */
function plantBuilder(file: string): void {
  // It is linked to the one of this clone.
  rmSync(file);
  writeFileSync(
    file,
    `const { cpSync, globSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
    rmSync('.next', { recursive: true, force: true });
    cpSync(${JSON.stringify(realpathSync(join(root, '.pages')))}, '.next', {
      recursive: true,
      verbatimSymlinks: true,
      // Marks of processes that serve the original come and go.
      filter: (file) => !file.includes('/used-by-'),
    });
    rmSync('.next/server/app/(auth)${NEVER_OPENED}', { recursive: true });
    for (const script of globSync('.next/static/**/*.js*')) rmSync(script);
    writeFileSync('.next/BUILD_ID', readFileSync('lib/made-up-version.ts', 'utf8').match(/'(.+)'/)[1]);`,
  );
}

async function buildVersion(name: string): Promise<void> {
  writeFileSync(join(clone, 'lib/made-up-version.ts'), `export const version = '${name}';`);
  await buildIfNeeded(clone, () => undefined, NEVER, NEEDED_TO_START);
}

async function start(): Promise<void> {
  run = product.start();
  await vi.waitFor(() => expect(run?.output()).toContain('Patchbay is ready'), UP_MS);
}

async function stop(): Promise<void> {
  run?.bootstrap.kill('SIGTERM');
  await run?.exited;
}

async function open(path: string): Promise<{ status: number; html: string }> {
  const response = await fetch(url + path);
  return { status: response.status, html: await response.text() };
}

test('builds under a running product disturb it no more; the next start runs the last one', async () => {
  await start();
  const before = await open(OPENED);
  const scripts = [...before.html.matchAll(/\/_next\/static\/[^"\\]+\.js/g)].map(([path]) => path);
  expect(scripts.length).toBeGreaterThan(3);

  await buildVersion('version-2');
  // Folders of earlier builds are removed, except those of running processes.
  await buildVersion('version-3');

  const statuses = await Promise.all(scripts.map(async (path) => (await open(path)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await open(NEVER_OPENED)).status).toBe(200);

  const [killed] = product.pidsOf('web.mjs');
  process.kill(killed ?? 0, 'SIGKILL');
  await vi.waitFor(async () => {
    expect(product.pidsOf('web.mjs')).not.toEqual([killed]);
    const { status, html } = await open(OPENED);
    expect(status).toBe(200);
    expect(html).not.toMatch(/version-[23]/);
  }, UP_MS);
  expect((await open(scripts[0] ?? '')).status).toBe(200);

  await stop();
  await start();
  expect((await open(OPENED)).html).toContain('version-3');
  expect((await open(NEVER_OPENED)).status).not.toBe(200);
});
