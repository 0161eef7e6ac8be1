import { expect, test } from 'vitest';
import { describeTree, measureTree } from './tree-figures.ts';

const lines = (count: number, first = ''): string => `${first}\n${'x;\n'.repeat(count - 1)}`;
const files = [
  { path: 'lib/core/a.ts', text: lines(10) },
  { path: 'lib/core/b.ts', text: lines(40, `import { a } from './a.ts';`) },
  { path: 'lib/engine/c.ts', text: lines(20, `import type { B } from '#lib/core/b.ts';`) },
  { path: 'server/web.ts', text: lines(30, `const c = await import('../lib/engine/c.ts');`) },
  { path: 'lib/core/a.test.ts', text: lines(5, `import { a } from '../engine/d.ts';`) },
  { path: 'lib/testing/help.ts', text: lines(6, `import '../core/a.ts';`) },
  { path: 'e2e/canvas.spec.ts', text: lines(7) },
  { path: 'bench/load.test.ts', text: lines(8) },
  { path: '.ci/test.ts', text: lines(9) },
  { path: 'docs/draw.ts', text: lines(100) },
];

test('the product is counted without tests and their support', () => {
  const { product } = measureTree(files);
  expect(product).toMatchObject({ files: 4, lines: 100, shortFiles: 2 });
});

test('a file is entered when the product imports it from outside its room, in whatever way', () => {
  const { product } = measureTree(files);
  expect(product).toMatchObject({ roomFiles: 3, enteredFiles: 2 });
});

test('what proves it is counted by what it is', () => {
  const { proof } = measureTree(files);
  expect(Object.fromEntries(Object.entries(proof).map(([name, size]) => [name, size.lines]))).toEqual({
    tests: 5,
    'test support': 6,
    e2e: 7,
    bench: 8,
    '.ci': 9,
  });
});

test('the figures are printed one a line', () => {
  expect(describeTree(measureTree(files))).toEqual([
    'product              100 lines in     4 files',
    '  files under 30 lines: 2',
    '  files of lib imported from outside their room: 2 of 3 (67 %)',
    'proof                 35 lines in     5 files',
    '  tests                5 lines in     1 files',
    '  test support         6 lines in     1 files',
    '  e2e                  7 lines in     1 files',
    '  bench                8 lines in     1 files',
    '  .ci                  9 lines in     1 files',
  ]);
});
