// The parts of the proof and how each ended, as a table.
import type { Part } from './parts.ts';

export interface Outcome {
  passed: boolean;
  seconds: number;
  /** What it printed last, or why it was not played. */
  said: string;
}

/** Whether the part passed. @param code with which its command ended; null: it was ended */
export const hasPassed = ({ mustFind }: Part, code: number | null, printed: string): boolean =>
  mustFind ? code !== 0 && code !== null && mustFind.test(printed) : code === 0;

export const isComplete = (parts: readonly Part[], outcomes: Readonly<Record<string, Outcome>>): boolean =>
  parts.every(({ name }) => outcomes[name]?.passed === true);

export function toProofTable(parts: readonly Part[], outcomes: Readonly<Record<string, Outcome>>): string[] {
  const rows = parts.map(({ name, shows }) => {
    const outcome = outcomes[name];
    const state = outcome === undefined ? 'not played' : outcome.passed ? 'passed' : 'FAILED';
    const took =
      outcome === undefined
        ? ''
        : `${Math.floor(outcome.seconds / 60)} min ${Math.round(outcome.seconds % 60)} s`;
    return [
      name.padEnd(14),
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
