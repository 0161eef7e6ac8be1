// The list of the platform's notifications (docs/messaging.md) matches the tests that it names.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTIFICATION_SAMPLES } from '#lib/messaging/testing/notification-samples.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const section = read('docs/messaging.md').split('## Notifications of the platform')[1] ?? '';
/** The last cell of each row, without heads. */
const cells = [...section.matchAll(/^\|.*\| (.*) \|$/gm)].map(([, cell = '']) => cell);
const rows = cells.filter((cell) => cell !== 'tests');
const named = rows.flatMap((cell) => [...cell.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title));

const samples = NOTIFICATION_SAMPLES.map(({ title }) => title);
const written = globSync('lib/**/*.test.ts', { cwd: root }).flatMap((path) =>
  [...read(path).matchAll(/^\s*test\(\s*'([^']+)'/gm)].map(([, title = '']) => title),
);

test('each row names tests, and each of them exists', () => {
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter((cell) => !cell.includes('"'))).toEqual([]);
  const titles = new Set([...samples, ...written]);
  expect(named.filter((title) => !titles.has(title))).toEqual([]);
});

test('each notification that is posted to the receiver is in the list', () => {
  expect(samples.filter((title) => !named.includes(title))).toEqual([]);
});
