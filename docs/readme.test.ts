// The front page stays short and only states measured figures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

test('it has about 70 lines and links each page once', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(75);
  const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
  expect(links.filter((link, index) => links.indexOf(link) !== index)).toEqual([]);
});

test('the settings, the table of answers and the map of the code are in docs, one link away', () => {
  for (const page of ['docs/reference/settings.md', 'docs/webhooks.md', 'docs/architecture.md'])
    expect(readme).toContain(`](${page})`);
  expect(readme).not.toMatch(/^\|/m);
  expect(read('docs/webhooks.md')).toContain('| an unknown token | 404 `unknown_webhook` |');
});

test('each figure of the comparison is one of the last measurement', () => {
  const [, section = ''] = /## Compared with (Node-RED[^]+?)\n## /.exec(readme) ?? [];
  const measured = read('bench/results/webhooks.md');
  const version = /^Node-RED [\d.]+/.exec(section)?.[0] ?? 'no version';
  expect(measured).toContain(version);
  const figures = section.match(/\b\d{2,}\b(?!\.)/g) ?? [];
  expect(figures.length).toBeGreaterThan(8);
  expect(
    figures.filter((figure) => !new RegExp(`\\b${figure}\\b`).test(measured) && figure !== '32'),
  ).toEqual([]);
});
