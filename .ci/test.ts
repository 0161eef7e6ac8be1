// `npm test`: every check in order, or the named ones (`npm test -- pure lint`). Ends with "N passed, N failed".
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PassedTest } from './counts.ts';
import { findSteps, STEP_NAMES } from './steps.ts';

const root = dirname(import.meta.dirname);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEP_NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${STEP_NAMES.join(', ')}`);
  process.exit(2);
}
giveHome();

const totals = { passed: 0, failed: 0 };
const summary: string[] = [];
const failedSteps = new Set<string>();
const passedTests: PassedTest[] = [];
for (const step of findSteps(root)) {
  if (wanted.length > 0 && !wanted.includes(step.name)) continue;
  const missing = step.needs?.find((name) => failedSteps.has(name));
  const startedAt = Date.now();
  if (!missing) console.log(`\n--- ${step.name}`);
  const result = missing ? { passed: 0, failed: 1, note: `needs ${missing}` } : await step.run(passedTests);
  totals.passed += result.passed;
  totals.failed += result.failed;
  passedTests.push(...(result.passedTests ?? []));
  if (result.failed > 0) failedSteps.add(step.name);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const counts = `${result.passed} passed, ${result.failed} failed${result.note ? `, ${result.note}` : ''}`;
  summary.push(`${result.failed > 0 ? 'FAILED' : 'ok    '} ${step.name.padEnd(8)} ${counts} (${seconds} s)`);
  console.log(summary.at(-1));
}
console.log(`\n${summary.join('\n')}\n`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed > 0 ? 1 : 0;

/** Chromium and npm write into the home folder; an account without one gets a temporary one. */
function giveHome(): void {
  try {
    accessSync(homedir(), constants.W_OK);
  } catch {
    process.env['HOME'] = mkdtempSync(join(tmpdir(), 'patchbay-home-'));
  }
}
