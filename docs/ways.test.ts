// The code paths that docs/architecture.md lists file by file.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Longer paths are too long to read. */
const MOST_FILES: Readonly<Record<string, number>> = {
  'From a body to the first variables': 22,
  'From a tap to an exit': 28,
  'From a failed run to a mail': 14,
};

const [, section = ''] =
  /^## Three ways, file by file\n([^]*?)^## /m.exec(read('docs/architecture.md')) ?? [];
const ways = section
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    files: [...text.matchAll(/^- `([^`]+)`/gm)].map(([, file = '']) => file),
  }));

/** The files of the path that a file imports. */
function importsOf(file: string, files: readonly string[]): string[] {
  const specifiers = [...read(file).matchAll(/\bfrom '([^']+)'/g)].map(([, specifier = '']) => specifier);
  const targets = specifiers.map((specifier) =>
    specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier),
  );
  return files.filter((each) => targets.includes(each));
}

test('the ways are those that are measured', () => {
  expect(ways.map(({ title }) => title)).toEqual(Object.keys(MOST_FILES));
});

describe.each(ways)('$title', ({ title, files }) => {
  test('is short', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(MOST_FILES[title] ?? 0);
  });

  test('leads through files that exist, each once, and each next to another one', () => {
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
    const steps = files.flatMap((file) => importsOf(file, files).map((imported) => [file, imported]));
    expect(files.filter((file) => !steps.flat().includes(file))).toEqual([]);
  });
});
