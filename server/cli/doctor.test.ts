import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { diagnose } from './doctor.ts';
import type { Output } from './output.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-doctor-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('a database that cannot be reached is a finding, also where there is no data folder', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/patchbay');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('PATCHBAY_DATA_DIR', join(folder, 'none', 'yet'));
  const given: unknown[] = [];
  const output: Output = { say: () => undefined, give: (value) => given.push(value), line: () => true };
  expect(await diagnose(output)).toBe(false);
  expect(given).toEqual([
    [
      expect.objectContaining({ about: 'Settings', state: 'ok' }),
      expect.objectContaining({ about: 'Disk' }),
      {
        about: 'PostgreSQL',
        state: 'problem',
        text: 'connect ECONNREFUSED 127.0.0.1:1. DATABASE_URL says which database is meant.',
      },
    ],
  ]);
});
