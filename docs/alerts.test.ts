import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KIND_INFO } from '#lib/alerts/kinds.ts';

test('docs/guides/alerts.md has every kind of alert, and which are sent without settings', () => {
  const page = readFileSync(join(import.meta.dirname, 'guides', 'alerts.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ([A-Z][^|]+?) \| [^|]+ \| ?(sent)? ?\|$/gm)];
  expect(Object.fromEntries(rows.map(([, label, sent]) => [label, sent !== undefined]))).toEqual(
    Object.fromEntries(Object.values(KIND_INFO).map(({ label, byDefault }) => [label, byDefault])),
  );
});
