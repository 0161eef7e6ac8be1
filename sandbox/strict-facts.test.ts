// The table under "Strict" in the README has the implementation of each fact, and the test of the product.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const HERE = import.meta.dirname;
const ROOT = dirname(HERE);
const FACTS = 25;

interface Fact {
  number: number;
  name: string;
  imitation: string;
  places: string[];
  tests: string[];
  product: string;
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);

/** Tests of the sandbox may be referred to by topic. */
const testsIn = (cell: string): string[] =>
  cell === ''
    ? []
    : cell
        .split(', ')
        .map((name) => (name.startsWith('`') ? name.replaceAll('`', '') : `strict-${name}.test.ts`));

function readFacts(): Fact[] {
  const readme = readFileSync(join(HERE, 'README.md'), 'utf8');
  const [section = ''] = (readme.split('\n## Strict\n')[1] ?? '').split('\n## ');
  return [...section.matchAll(/^\| (\d+) \|(.*)\|$/gm)].map(([, number, cells = '']) => {
    const [name = '', strict = '', otherwise = '', places = '', tests = '', product = ''] = cells
      .split('|')
      .map((cell) => cell.trim());
    return {
      number: Number(number),
      name,
      imitation: `${strict} ${otherwise}`,
      places: namesIn(places),
      tests: testsIn(tests),
      product,
    };
  });
}

const facts = readFacts();

test('every fact has a row', () => {
  const all = Array.from({ length: FACTS }, (_none, index) => index + 1);
  expect([...new Set(facts.map(({ number }) => number))]).toEqual(all);
});

test('each is imitated and tested here, or says why not', () => {
  const unfounded = facts.filter(
    ({ imitation, places, tests }) =>
      !imitation.includes('not imitated: ') && (places.length === 0 || tests.length === 0),
  );
  expect(unfounded.map(({ name }) => name)).toEqual([]);
});

test('each has a test of the product, or says why not', () => {
  const unfounded = facts.filter(({ product }) => !/\.(?:test|spec)\.ts`|^none, /.test(product));
  expect(unfounded.map(({ name }) => name)).toEqual([]);
});

test('the files that it names exist', () => {
  const named = facts.flatMap(({ places, tests, product }) => [
    ...[...places, ...tests].map((path) => join('sandbox', path)),
    ...namesIn(product),
  ]);
  expect(named.length).toBeGreaterThan(FACTS * 3);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
