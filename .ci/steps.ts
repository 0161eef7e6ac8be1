// The parts of `npm test`: run-steps.ts runs them side by side.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { prepareBrowser } from './browser.ts';
import { assertImports } from './imports/check-imports.ts';
import { countPlaywright, countVitest, type Counts, type PassedTest } from './counts.ts';
import { runTool } from './run-tool.ts';
import { findMissingRules, readRuleRows } from './trigger-rules.ts';

export interface Step {
  name: string;
  /** Approximate duration on an idle machine: long ones start early. */
  seconds: number;
  /** It measures time or memory: nothing runs beside it. */
  alone?: boolean;
  /** It waits for most of its time: one more step runs beside it. */
  waits?: boolean;
  /** Steps that have to succeed first. */
  needs?: string[];
  /** @param passed the tests of the steps before it. */
  run: (passed: readonly PassedTest[]) => Promise<Counts>;
}

/** Lint with types; an unnecessary comment that disables a rule is an error. */
export const LINT = ['oxlint', '--type-aware', '--report-unused-disable-directives-severity=error'];

/** A tool of node_modules with its parameters, or something else that throws an Error with its findings. */
export type Work = string[] | (() => Promise<void>);

let pageTypes: Promise<void> | undefined;

/** Writes Next's types of the pages and routes, which types and lint read; once for all steps of a process. */
export const writePageTypes = (root: string): Promise<void> =>
  (pageTypes ??= runTool(root, 'next', ['typegen'], { quiet: true }));

/** Steps that count as one check; the output of a tool is shown when it fails. */
export const checksOf =
  (root: string) =>
  (name: string, seconds: number, ...works: Work[]): Step => ({
    name,
    seconds,
    run: () =>
      asCheck(async () => {
        for (const work of works) {
          if (typeof work === 'function') await work();
          else await runTool(root, work[0] ?? '', work.slice(1), { quiet: true });
        }
      }),
  });

export function findSteps(root: string): Step[] {
  const check = checksOf(root);
  const vitest = (name: string, seconds: number, more: Partial<Step> = {}, projects = [name]): Step => ({
    name,
    seconds,
    ...more,
    run: () => runVitest(root, name, projects),
  });
  const build = () => buildIfNeeded(root, console.log, new AbortController().signal);
  return [
    check('types', 15, () => writePageTypes(root), ['tsc', '--noEmit', '-p', '.', '--singleThreaded']),
    check('unused', 5, ['knip', '--no-progress']),
    check('format', 1, ['oxfmt', '--check', '.']),
    check(
      'lint',
      25,
      () => writePageTypes(root),
      [...LINT, '.'],
      () => assertImports(root),
    ),
    check('build', 110, build),
    check('browser', 2, () => prepareBrowser(root)),
    vitest('pure', 100),
    vitest('db', 300, {}, ['db', 'isolated']),
    vitest('integration', 800, { needs: ['build'] }),
    { name: 'e2e', seconds: 900, needs: ['build', 'browser'], run: () => runPlaywright(root) },
    vitest('paced', 150, { needs: ['build'], waits: true }),
    vitest('timed', 50, { needs: ['build'], alone: true }),
    {
      name: 'rules',
      seconds: 0,
      alone: true,
      needs: ['pure', 'db', 'integration', 'paced', 'timed'],
      run: (passed) => asCheck(async () => assertRules(root, passed)),
    },
  ];
}

/** Counts work as one check; why it failed is printed. */
async function asCheck(work: () => Promise<void>): Promise<Counts> {
  try {
    await work();
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  }
}

/** @throws Error that lists the rules of the trigger's specification without a passing test. */
function assertRules(root: string, passed: readonly PassedTest[]): void {
  if (passed.length === 0)
    throw new Error('No tests ran before it: run it together with pure, db, integration, paced and timed.');
  const missing = findMissingRules(readRuleRows(root), passed);
  if (missing.length > 0) throw new Error(missing.join('\n'));
}

async function runVitest(root: string, label: string, projects: readonly string[]): Promise<Counts> {
  return withReport(
    async (report) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      const parameters = ['run', ...projects.map((name) => `--project=${name}`), ...reporters];
      await runTool(root, 'vitest', parameters, { label });
    },
    (report) => countVitest(root, report),
  );
}

async function runPlaywright(root: string): Promise<Counts> {
  return withReport(
    (report) =>
      runTool(root, 'playwright', ['test', '--reporter=list,json'], {
        label: 'e2e',
        environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      }),
    (report) => countPlaywright(root, report),
  );
}

/** A tool that ends with an error although its report names none (or that wrote none) counts as one failure. */
async function withReport(
  work: (report: string) => Promise<void>,
  count: (report: unknown) => Counts,
): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-report-'));
  const report = join(folder, 'report.json');
  try {
    const problem = await work(report).then(
      () => null,
      (error: unknown) => (error as Error).message,
    );
    const counts = readCounts(report, count);
    if (!problem) return counts ?? { passed: 0, failed: 0, note: 'no tests' };
    return counts && counts.failed > 0
      ? counts
      : { passed: counts?.passed ?? 0, failed: 1, note: problem.split('\n')[0] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCounts(report: string, count: (report: unknown) => Counts): Counts | null {
  try {
    return count(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return null;
  }
}
