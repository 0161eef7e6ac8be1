// `npm test`: every check, or the named ones (`npm test -- pure lint`). Ends with "N passed, N failed".
import { accessSync, constants, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findSlowest } from './counts.ts';
import { runSteps, type StepResult } from './run-steps.ts';
import { findSteps } from './steps.ts';

const SLOWEST_SHOWN = 10;
const root = dirname(import.meta.dirname);
const steps = findSteps(root);
const names = steps.map(({ name }) => name);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${names.join(', ')}`);
  process.exit(2);
}
giveHome();
// Compiled once, not in each of the hundreds of processes that tests start: a fifth of the time of a start.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled');

const startedAt = Date.now();
const announce = {
  started: ({ name }: { name: string }) => console.log(`--- ${name} started`),
  ended: (result: StepResult) => console.log(`--- ${describe(result)}`),
};
const results = await runSteps(
  steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  announce,
);
reportDurations();
reportFailures();
console.log(`\n${results.map(describe).join('\n')}`);
console.log(`${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes in all\n`);
const total = (of: 'passed' | 'failed') => results.reduce((sum, { counts }) => sum + counts[of], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 ? 1 : 0;

function describe({ step, counts, seconds }: StepResult): string {
  const text = `${counts.passed} passed, ${counts.failed} failed${counts.note ? `, ${counts.note}` : ''}`;
  return `${counts.failed > 0 ? 'FAILED' : 'ok    '} ${step.name.padEnd(11)} ${text} (${seconds.toFixed(1)} s)`;
}

/** Lists the failures again at the end, after the output of all tests. */
function reportFailures(): void {
  const failures = results.flatMap(({ counts }) => counts.failures ?? []);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
}

/** Writes how long each file of tests took, and shows the slowest. */
function reportDurations(): void {
  const durations = findSlowest(
    results.flatMap(({ counts }) => counts.durations ?? []),
    Infinity,
  );
  if (durations.length === 0) return;
  const folder = join(root, 'test-results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'durations.json'), `${JSON.stringify(durations, null, 2)}\n`);
  console.log(`\nThe slowest files (all of them: test-results/durations.json):`);
  for (const { file, seconds } of durations.slice(0, SLOWEST_SHOWN))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

/** Chromium and npm write into the home folder; an account without one gets a temporary one. */
function giveHome(): void {
  try {
    accessSync(homedir(), constants.W_OK);
  } catch {
    process.env['HOME'] = mkdtempSync(join(tmpdir(), 'patchbay-home-'));
  }
}
