// The parts of `npm test`, in their order: quick ones first.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { prepareBrowser } from './browser.ts';
import { countPlaywright, countVitest, type Counts, type PassedTest } from './counts.ts';
import { runTool } from './run-tool.ts';
import { findMissingRules, readRuleRows } from './trigger-rules.ts';

export interface Step {
  name: string;
  /** Steps without whose success this one has no meaning. */
  needs?: string[];
  /** @param passed the tests of the steps before it. */
  run: (passed: readonly PassedTest[]) => Promise<Counts>;
}

const E2E_SPECS = 'e2e/**/*.spec.ts';
/** What may import what, and in which folders these rules hold. */
const IMPORT_RULES = ['.dependency-cruiser.mjs', '.ci/imports/tests.mjs', '.ci/imports/browser.mjs'];
const CRUISED = ['app', 'components', 'lib', 'server', 'sandbox', 'proxy.ts'];
export const STEP_NAMES = [
  'types',
  'lint',
  'format',
  'unused',
  'pure',
  'build',
  'db',
  'integration',
  'rules',
  'browser',
  'e2e',
];

/** All steps; those for the browser only once there is something to see. */
export function findSteps(root: string): Step[] {
  const check = (name: string, ...commands: string[][]): Step => ({
    name,
    run: () =>
      asCheck(async () => {
        for (const [tool = '', ...parameters] of commands)
          await runTool(root, tool, parameters, { quiet: true });
      }),
  });
  const steps: Step[] = [
    check('types', ['next', 'typegen'], ['tsc', '--noEmit', '-p', '.']),
    check(
      'lint',
      ['eslint', '.', '--max-warnings', '0'],
      ...IMPORT_RULES.map((rules) => ['depcruise', '--config', rules, ...CRUISED]),
    ),
    check('format', ['prettier', '--check', '--log-level', 'warn', '.']),
    check('unused', ['knip', '--no-progress']),
    { name: 'pure', run: () => runVitest(root, 'pure') },
    {
      name: 'build',
      run: () => asCheck(() => buildIfNeeded(root, console.log, new AbortController().signal)),
    },
    { name: 'db', run: () => runVitest(root, 'db') },
    { name: 'integration', needs: ['build'], run: () => runVitest(root, 'integration') },
    {
      name: 'rules',
      needs: ['pure', 'db', 'integration'],
      run: (passed) => asCheck(async () => assertRules(root, passed)),
    },
  ];
  if (globSync(E2E_SPECS, { cwd: root }).length > 0) {
    steps.push(
      { name: 'browser', run: () => asCheck(() => prepareBrowser(root)) },
      { name: 'e2e', needs: ['build', 'browser'], run: () => runPlaywright(root) },
    );
  }
  return steps;
}

async function asCheck(work: () => Promise<void>): Promise<Counts> {
  try {
    await work();
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  }
}

/** @throws Error that lists the rules of the trigger's specification that no test held. */
function assertRules(root: string, passed: readonly PassedTest[]): void {
  if (passed.length === 0)
    throw new Error('No tests ran before it: run it together with pure, db and integration.');
  const missing = findMissingRules(readRuleRows(root), passed);
  if (missing.length > 0) throw new Error(missing.join('\n'));
}

async function runVitest(root: string, project: string): Promise<Counts> {
  return withReport(
    async (report) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      await runTool(root, 'vitest', ['run', '--project', project, '--passWithNoTests', ...reporters], {});
    },
    (report) => countVitest(root, report),
  );
}

async function runPlaywright(root: string): Promise<Counts> {
  return withReport(
    (report) =>
      runTool(root, 'playwright', ['test', '--reporter=list,json'], {
        environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: report, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      }),
    countPlaywright,
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
