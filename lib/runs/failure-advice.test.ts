import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADVISED_CODES, adviseOnFailure } from './failure-advice.ts';

const LIB = join(import.meta.dirname, '..');
const sources = ['tasks', 'engine']
  .flatMap((room) =>
    readdirSync(join(LIB, room), { recursive: true, encoding: 'utf8' }).map((path) => join(LIB, room, path)),
  )
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|[/\\]testing[/\\]/.test(path));

/** Error codes of tasks: those of `TaskError`s in the sources, and those of the platform's errors. */
function listCodes(): Set<string> {
  const codes = new Set<string>();
  for (const path of sources) {
    const text = readFileSync(path, 'utf8');
    for (const [, code] of text.matchAll(/new TaskError\(\s*'(\w+)'/g)) codes.add(code ?? '');
    const table = /const CODES: Readonly<Record<PlatformErrorClass, string>> = \{([^}]*)\}/.exec(text)?.[1];
    for (const [, code] of (table ?? '').matchAll(/: '(\w+)'/g)) codes.add(code ?? '');
  }
  return codes;
}

test('every error that fails a task has advice of its own', () => {
  const codes = listCodes();
  expect(codes.size).toBeGreaterThan(35);
  expect([...codes].filter((code) => !ADVISED_CODES.includes(code))).toEqual([]);
});

test('advice is whole sentences, also for what nobody foresaw', () => {
  const all = [...ADVISED_CODES.map((code) => adviseOnFailure({ code })), adviseOnFailure(null)];
  for (const text of all) expect(text).toMatch(/^[A-Z“].*\.$/);
  expect(adviseOnFailure({ code: 'constructor' })).toBe(adviseOnFailure(null));
});
