import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSources } from './restart-on-change.ts';

let root: string;
let files: string[];
let stop: () => void;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'patchbay-sources-'));
  for (const folder of ['lib/core/testing', 'server']) mkdirSync(join(root, folder), { recursive: true });
  write('lib/core/ids.ts');
  files = [];
  stop = watchSources(root, ['lib', 'server'], (file) => files.push(file));
});
afterEach(() => {
  stop();
  rmSync(root, { recursive: true });
});

const write = (file: string) => writeFileSync(join(root, file), String(Math.random()));
const changes = (...expected: string[]) => vi.waitFor(() => expect(files).toEqual(expected), 5000);

test('a source that was changed, added or moved there is named, also in a folder that is new', async () => {
  write('lib/core/ids.ts');
  await changes('lib/core/ids.ts');
  write('server/web.ts.new');
  renameSync(join(root, 'server/web.ts.new'), join(root, 'server/web.ts'));
  await changes('lib/core/ids.ts', 'server/web.ts');
});

test('tests, what only they use, and documents change no process', async () => {
  write('lib/core/ids.test.ts');
  write('lib/core/testing/clock.ts');
  write('lib/core/README.md');
  write('lib/core/.ids.ts.swp');
  write('lib/core/ids.ts');
  await changes('lib/core/ids.ts');
});

test('what changes together is one change', async () => {
  for (let file = 0; file < 20; file += 1) write(`server/part-${file}.ts`);
  await vi.waitFor(() => expect(files).toHaveLength(1), 5000);
  write('lib/core/ids.ts');
  await vi.waitFor(() => expect(files).toHaveLength(2), 5000);
});
