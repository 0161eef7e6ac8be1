// `npm run check`: types, and lint, format and the nearest tests of what changed: the files that differ from the last commit,
// or from a given one (`npm run check -- main`). `npm test` runs the rest.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findAffectedTests } from './affected-tests.ts';
import { assertImports } from './imports/check-imports.ts';
import { runSteps } from './run-steps.ts';
import { runTool } from './run-tool.ts';
import { asCheck, LINT, type Step } from './steps.ts';

const root = dirname(import.meta.dirname);
const base = process.argv[2] ?? 'HEAD';
const changed = listChangedFiles();
const linted = changed.filter((file) => /\.(ts|tsx|mjs)$/.test(file));
const cache = join('node_modules', '.cache');
const TYPES = ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'check.tsbuildinfo')];
const NOTHING = { passed: 0, failed: 0 };

const tests = findAffectedTests(root, changed);
console.log(`${changed.length} files differ from ${base}`);
const PROJECTS = ['pure', 'db', 'isolated'].flatMap((name) => ['--project', name]);
const results = await runSteps(
  [
    step('format', 1, changed, ['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...changed]),
    step('types', 15, ['.'], ['next', 'typegen'], TYPES),
    step('lint', 10, linted, [...LINT, ...linted]),
    {
      name: 'imports',
      seconds: 10,
      run: async () => (linted.length === 0 ? NOTHING : asCheck(() => assertImports(root))),
    },
    step('tests', 30, tests.run, [
      'vitest',
      'run',
      ...PROJECTS,
      '--reporter=dot',
      '--passWithNoTests',
      ...tests.run,
    ]),
  ],
  {
    started: () => undefined,
    ended: ({ step: { name }, counts, seconds }) =>
      console.log(`${counts.failed > 0 ? 'FAILED' : 'ok    '} ${name} (${seconds.toFixed(1)} s)`),
  },
);
console.log(
  `Ran the ${tests.run.length} test files that are nearest to what changed; ${tests.left} more import it (npm test runs all).`,
);
process.exitCode = results.some(({ counts }) => counts.failed > 0) ? 1 : 0;

/** Tools with their parameters, run only where there are files for them; their output is shown when they fail. */
function step(name: string, seconds: number, files: readonly string[], ...tools: string[][]): Step {
  return {
    name,
    seconds,
    run: async () => {
      if (files.length === 0) return NOTHING;
      return asCheck(async () => {
        for (const [tool = '', ...parameters] of tools)
          await runTool(root, tool, parameters, { quiet: true });
      });
    },
  };
}

/** Files that were changed or added since the base, committed or not. */
function listChangedFiles(): string[] {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(files)].filter((file) => existsSync(join(root, file)));
}
