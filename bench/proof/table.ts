// The parts of the proof and how each ended, as a table.
import { stripVTControlCharacters } from 'node:util';
import type { Part } from './parts.ts';

export interface Outcome {
  passed: boolean;
  seconds: number;
  /** Its last output, or why it did not run. */
  said: string;
}

/** How many tests passed, as Vitest prints it. */
const TESTS = /^Tests \d+ /;

/** Whether the part passed. Skipped tests do not count as passed. @param code exit code of its command; null: it was killed */
export function hasPassed({ mustFind }: Part, code: number | null, printed: string): boolean {
  if (mustFind) return code !== 0 && code !== null && mustFind.test(printed);
  const summary = summaryOf(printed);
  return code === 0 && !(TESTS.test(summary) && summary.includes('skipped'));
}

/** The table's text about a part: its last line, or for Vitest the number of passed tests. */
export function summaryOf(printed: string): string {
  const lines = stripVTControlCharacters(printed)
    .trim()
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '));
  return lines.findLast((line) => TESTS.test(line)) ?? lines.at(-1) ?? '';
}

export const isComplete = (parts: readonly Part[], outcomes: Readonly<Record<string, Outcome>>): boolean =>
  parts.every(({ name }) => outcomes[name]?.passed === true);

export function toProofTable(parts: readonly Part[], outcomes: Readonly<Record<string, Outcome>>): string[] {
  const width = Math.max(...parts.map(({ name }) => name.length)) + 2;
  const rows = parts.map(({ name, shows }) => {
    const outcome = outcomes[name];
    const state = outcome === undefined ? 'not played' : outcome.passed ? 'passed' : 'FAILED';
    const took =
      outcome === undefined
        ? ''
        : `${Math.floor(outcome.seconds / 60)} min ${Math.round(outcome.seconds % 60)} s`;
    return [
      name.padEnd(width),
      state.padEnd(11),
      took.padStart(12),
      `  ${shows}`,
      outcome ? `: ${outcome.said}` : '',
    ].join('');
  });
  const seconds = parts.reduce((sum, { name }) => sum + (outcomes[name]?.seconds ?? 0), 0);
  const passed = parts.filter(({ name }) => outcomes[name]?.passed).length;
  return [...rows, `${passed} of ${parts.length} parts passed, in ${Math.round(seconds / 60)} minutes`];
}
