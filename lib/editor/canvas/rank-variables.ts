// The order in which variables match typed text, in the picker and while typing `{{`.
import { isStatusField } from '#lib/variables/task-names.ts';
import type { PickerVariable, VariableGroup } from './available-variables.ts';
import { shortValue } from './variable-tree.ts';

/** Quality of a match, best first. */
export const MATCH = { exact: 0, beginning: 1, word: 2, part: 3, task: 4, value: 5 } as const;

export type Match = (typeof MATCH)[keyof typeof MATCH];

export interface RankedVariable {
  group: VariableGroup;
  variable: PickerVariable;
  match: Match;
}

/**
 * The variables that contain every word of a search: exact names first, then names that begin with it, names with a word that
 * does, other names, names of tasks, values. Equal matches stay in the order of the groups, nearest task first, short names
 * before long ones; without a search all of them in their order.
 */
export function rankVariables(groups: readonly VariableGroup[], search: string): RankedVariable[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = groups.flatMap((group, nearness) =>
    group.variables.flatMap((variable) => {
      const match = words.length === 0 ? MATCH.exact : matchOf(group, variable, words);
      return match === undefined ? [] : [{ group, variable, match, nearness }];
    }),
  );
  if (words.length === 0) return found;
  return found
    .map((each) => ({ ...each, order: isPartOfStatus(each) ? MATCH.value : each.match }))
    .sort(
      (a, b) => a.order - b.order || a.nearness - b.nearness || segments(a.variable) - segments(b.variable),
    );
}

/** A task's status whose name merely contains the search: "text" does not mean `run_text`. */
export const isPartOfStatus = ({ variable, match }: RankedVariable): boolean =>
  match > MATCH.beginning && isStatusField(variable.label);

function matchOf(
  group: VariableGroup,
  variable: PickerVariable,
  words: readonly string[],
): Match | undefined {
  const names = [variable.label.toLowerCase(), variable.path.toLowerCase()];
  const title = group.title.toLowerCase();
  const value = `${shortValue(variable.value)} ${variable.description ?? ''}`.toLowerCase();
  const together = words.length > 1 ? matchName(names, words.join('_')) : undefined;
  if (together !== undefined) return together;
  let worst: Match = MATCH.exact;
  for (const word of words) {
    const match =
      matchName(names, word) ??
      (title.includes(word) ? MATCH.task : value.includes(word) ? MATCH.value : undefined);
    if (match === undefined) return undefined;
    if (match > worst) worst = match;
  }
  return worst;
}

function matchName(names: readonly string[], word: string): Match | undefined {
  if (names.includes(word)) return MATCH.exact;
  if (names.some((name) => name.startsWith(word))) return MATCH.beginning;
  if (names.some((name) => startsWord(name, word))) return MATCH.word;
  return names.some((name) => name.includes(word)) ? MATCH.part : undefined;
}

function startsWord(name: string, word: string): boolean {
  for (let at = name.indexOf(word, 1); at !== -1; at = name.indexOf(word, at + 1))
    if (/[^\p{L}\p{N}]/u.test(name.charAt(at - 1))) return true;
  return false;
}

const segments = ({ keys }: PickerVariable): number => keys.length;
