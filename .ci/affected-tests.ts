// Which tests `npm run check` runs: those that import what changed, the nearest of each changed file in turn. A file that
// everything imports would otherwise select half of all tests, which take ten times as long, and leave no time for the others'.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listGenerators } from './generators.ts';

const CODE = ['{app,bench,components,docs,lib,sandbox,server,.ci}/**/*.{ts,tsx,mjs}', '*.{ts,mjs}'];
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'((?:\.|#lib\/|#components\/)[^']+)'/g;
const TEST = /(?<!\.integration)\.test\.tsx?$/;
/** Processor time of a test file, most of which is spent loading its imports. */
const SECONDS = { pure: 0.5, database: 6 };
export const BUDGET_SECONDS = 50;

export interface AffectedTests {
  run: string[];
  /** Number of tests that only `npm test` runs. */
  left: number;
}

/** @param changed files of the repository, by their paths in it */
export function findAffectedTests(root: string, changed: readonly string[]): AffectedTests {
  const importers = readImporters(root);
  const tests = inTurn(
    changed.map((file) => listImporters(importers, file).filter((each) => TEST.test(each))),
  );
  const generators = new Set(listGenerators(root));
  let seconds = 0;
  const run = tests.filter((file) => {
    seconds += file.includes('.db.test') ? SECONDS.database : SECONDS.pure;
    // Tests that were changed themselves are run, however many they are, and those that find what is generated stale.
    return seconds <= BUDGET_SECONDS || changed.includes(file) || generators.has(file);
  });
  return { run, left: tests.length - run.length };
}

/** File → the files that import it. */
function readImporters(root: string): Map<string, string[]> {
  const files = globSync(CODE, { cwd: root });
  const importers = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const file of files) {
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const imported = name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(file), name);
      importers.get(imported)?.push(file);
    }
  }
  return importers;
}

/** A file, and everything that imports it, the nearest first. */
function listImporters(importers: ReadonlyMap<string, string[]>, changed: string): string[] {
  const found = new Set([changed]);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return [...found];
}

/** The first of each list, then the second of each; every file once. */
function inTurn(lists: readonly string[][]): string[] {
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  const all = Array.from({ length: turns }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1)));
  return [...new Set(all.flat())];
}
