import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tests whose file snapshots are the generated files. */
export function listGenerators(root: string): string[] {
  return globSync('{docs,lib}/**/*.test.ts', { cwd: root })
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('toMatchFileSnapshot('))
    .toSorted();
}

/** Vitest's parameters for writing them. A bare `--update` would take the word after it as its value. */
export const generatorParameters = (tests: readonly string[]): string[] => [
  'run',
  '--project',
  'pure',
  '--update=all',
  ...tests,
];
