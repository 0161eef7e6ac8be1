import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildIfNeeded } from './launcher/build.ts';
import { programFile } from './launcher/settings.ts';
import { root } from './root.ts';

beforeAll(() => buildIfNeeded(root, () => undefined, new AbortController().signal));

test.each(['web', 'worker'] as const)(
  'the stack trace of a bundled %s names the line of its source',
  (part) => {
    const file = 'lib/core/env.ts';
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    const thrown = lines.findIndex((line) => line.includes('throw new SettingsError(problems)')) + 1;
    // The process itself only reports invalid settings.
    const sayStack = `process.on('uncaughtExceptionMonitor', (error) => process.stderr.write(error.stack))`;
    const parameters = ['--import', `data:text/javascript,${sayStack}`, programFile(root, part)];
    const { stderr, status } = spawnSync(process.execPath, parameters, {
      env: { ...process.env, DATABASE_URL: 'none' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`at parseSettings (${join(root, file)}:${thrown}:`);
  },
);

// prom-client depends on its API, which has no effect alone.
test('OpenTelemetry’s SDK is in its own bundle', () => {
  const holdsSdk = (name: string): boolean =>
    readFileSync(join(root, '.programs', `${name}.mjs.map`), 'utf8').includes(
      'node_modules/@opentelemetry/sdk-trace/',
    );
  expect(holdsSdk('traces')).toBe(true);
  expect(['web', 'worker', 'patchbay', 'start'].filter(holdsSdk)).toEqual([]);
});

// `import { z } from 'zod'` and `z.core` hold all of zod: 400 KB, which each process would parse and keep.
test('zod’s messages in other languages are in no bundle', () => {
  const maps = globSync('.programs/**/*.mjs.map', { cwd: root });
  expect(maps.length).toBeGreaterThan(5);
  const holdsLanguages = (map: string): boolean =>
    /zod\/v4\/locales\/(?!en\.|index\.)\w/.test(readFileSync(join(root, map), 'utf8'));
  expect(maps.filter(holdsLanguages)).toEqual([]);
});
