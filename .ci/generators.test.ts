import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parseCLI } from 'vitest/node';
import { generatorParameters, listGenerators } from './generators.ts';

const root = join(import.meta.dirname, '..');

test('`npm run generate` runs every test that knows something generated, and updates it', () => {
  const tests = listGenerators(root);
  expect(tests).toContain('lib/tasks/render-task-docs.test.ts');
  const { filter, options } = parseCLI(['vitest', ...generatorParameters(tests)]);
  expect(filter).toEqual(tests);
  expect(options).toMatchObject({ run: true, update: 'all', project: ['pure'] });
});

test('.gitattributes marks everything that is generated so', () => {
  const marked = readFileSync(join(root, '.gitattributes'), 'utf8')
    .split('\n')
    .flatMap((line) => /^(\S+) linguist-generated$/.exec(line)?.[1] ?? []);
  const written = listGenerators(root).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/toMatchFileSnapshot\('([^']+)'\)/g)].map(
      ([, path = '']) => relative(root, join(root, dirname(file), path)),
    ),
  );
  expect(written).toContain('docs/task-types.md');
  expect(written.filter((path) => !marked.some((pattern) => matchesGlob(path, pattern)))).toEqual([]);
});
