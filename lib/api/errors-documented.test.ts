import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES, statusOf } from '#lib/core/errors.ts';

test('docs/api.md lists every error code with its status', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api.md'), 'utf8');
  const [, section = ''] = page.split('## Errors');
  const listed = [...section.matchAll(/^\| `(\w+)` \| (\d+) \| \S.+ \|$/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(listed).toEqual(ERROR_CODES.map((code) => [code, statusOf(code)]));
});
