// `npm run check`: types, and lint, format and the nearest tests of what changed: the files that differ from the last commit,
// or from a given one (`npm run check -- main`). Where nothing differs, lint and format of everything. `npm test` runs the rest.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AffectedTests, findAffectedTests } from './affected-tests.ts';
import { assertImports } from './imports/check-imports.ts';
import { runSteps } from './run-steps.ts';
import { checksOf, LINT, type Step, type Work, writePageTypes } from './steps.ts';

const root = dirname(import.meta.dirname);
const base = process.argv[2] ?? 'HEAD';
const differing = listDifferingFiles();
const changed = differing.filter((file) => existsSync(join(root, file)));
const cache = join('node_modules', '.cache');
/** Nothing differs: everything is checked, unless it passed before. */
const isWhole = differing.length === 0;
const whole = isWhole ? git('rev-parse', `${base}^{tree}`).trim() : '';
const RECORD = join(root, cache, 'checked-tree');
const hasPassed = isWhole && readRecord() === whole;
const everything = isWhole && !hasPassed ? ['.'] : [];
const formatted = [...changed, ...everything];
const linted = [...changed.filter(isCode), ...everything];
const TYPES = ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', join(cache, 'check.tsbuildinfo')];
const FILES_SHOWN = 20;
const NOTHING = { passed: 0, failed: 0 };

const check = checksOf(root);
const tests = findAffectedTests(root, changed);
console.log(describeDifference());
const PROJECTS = ['pure', 'db', 'isolated'].flatMap((name) => ['--project', name]);
const results = await runSteps(
  [
    step('format', 1, formatted, ['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...formatted]),
    step('types', 15, ['.'], () => writePageTypes(root), TYPES),
    step('lint', 10, linted, () => writePageTypes(root), [...LINT, ...linted]),
    step('imports', 10, [...differing.filter(isCode), ...everything], () => assertImports(root)),
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
    ended: ({ step: { name }, counts, seconds }) => {
      const word = counts.failed > 0 ? 'FAILED' : counts === NOTHING ? 'none  ' : 'ok    ';
      console.log(`${word} ${name} (${seconds.toFixed(1)} s)`);
    },
  },
);
if (differing.length > 0) console.log(describeTests(tests));
const failed = results.filter(({ counts }) => counts.failed > 0).map(({ step: { name } }) => name);
if (failed.includes('format')) console.log('`npx oxfmt` formats what is not.');
if (isWhole && failed.length === 0) writeRecord();
console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'All is well.');
process.exitCode = failed.length > 0 ? 1 : 0;

/** A check that is only made where there are files for it. */
function step(name: string, seconds: number, files: readonly string[], ...works: Work[]): Step {
  return files.length === 0 ? { name, seconds, run: async () => NOTHING } : check(name, seconds, ...works);
}

function isCode(file: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(file);
}

/** How many files differ, and which. */
function describeDifference(): string {
  const from = base === 'HEAD' ? 'the last commit' : base;
  const count = differing.length;
  if (count === 0 && hasPassed)
    return `0 files differ from ${from}, whose lint, format and imports passed before: only types are checked, and no tests run.`;
  if (count === 0)
    return `0 files differ from ${from}: types, lint, format and imports of everything are checked, and no tests run.`;
  const shown = differing
    .slice(0, FILES_SHOWN)
    .map((file) => `  ${file}${changed.includes(file) ? '' : ' (deleted)'}`);
  if (count > FILES_SHOWN) shown.push(`  and ${count - FILES_SHOWN} more`);
  return [`${count} ${count === 1 ? 'file differs' : 'files differ'} from ${from}:`, ...shown].join('\n');
}

function describeTests({ run, left }: AffectedTests): string {
  if (run.length === 0)
    return 'Ran no tests: none without whole processes and browsers imports what differs. CONTRIBUTING.md says how to run those.';
  const files = run.length === 1 ? 'file that is' : 'files that are';
  return `Ran the ${run.length} test ${files} nearest to what differs; ${left} more import it (npm test runs all).`;
}

/** The tree (git's hash of all files) whose lint, format and imports passed last. */
function readRecord(): string | null {
  return existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : null;
}

function writeRecord(): void {
  mkdirSync(dirname(RECORD), { recursive: true });
  writeFileSync(RECORD, whole);
}

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Files that were changed, added or deleted since the base, committed or not. */
function listDifferingFiles(): string[] {
  const list = (...parameters: string[]) =>
    git(...parameters)
      .split('\0')
      .filter(Boolean);
  try {
    const files = [
      ...list('diff', '--name-only', '-z', base, '--'),
      ...list('ls-files', '--others', '--exclude-standard', '-z'),
    ];
    return [...new Set(files)].sort();
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    console.error(`git cannot tell what differs from ${base}: ${(stderr || message).trim()}`);
    process.exit(2);
  }
}
