// Environment variables whose names are nearly a setting's: they would be ignored silently.
import type { Environment, SettingProblem } from './problems.ts';

/** Shorter names are similar to too many others. */
const LEAST_CHARACTERS = 8;
const MOST_EDITS = 2;

/**
 * Variables that are probably meant as a setting that is not set.
 * @param known the names of all settings
 */
export function findMisspelled(given: Environment, known: readonly string[]): SettingProblem[] {
  const names = new Set(known.flatMap((name) => [name, `${name}_FILE`]));
  const missing = known.filter((name) => !given[name] && !given[`${name}_FILE`]);
  return Object.keys(given).flatMap((name) => {
    if (!given[name] || names.has(name) || name.length < LEAST_CHARACTERS || !name.includes('_')) return [];
    const meant = missing.find((candidate) =>
      [candidate, `${candidate}_FILE`].some((text) => isNear(name.toUpperCase(), text)),
    );
    return meant === undefined
      ? []
      : [{ name, message: `is no setting of Patchbay. Did you mean ${meant}? If not, rename or remove it` }];
  });
}

const isNear = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= MOST_EDITS && countEdits(one, other) <= MOST_EDITS;

/** Edit distance with swaps (optimal string alignment). */
function countEdits(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast?.[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last ?? [], current];
  }
  return last?.[other.length] ?? 0;
}
