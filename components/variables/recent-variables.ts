import type { PickerVariable, VariableGroup } from '#lib/editor/canvas/available-variables.ts';

const KEY = 'patchbay.recent-variables';
const MAX_KEPT = 30;
const MAX_SHOWN = 4;

/** Stores in this browser that a variable was used. */
export function rememberVariable(path: string): void {
  const paths = [path, ...readPaths().filter((each) => each !== path)].slice(0, MAX_KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(paths));
  } catch {
    // Storage is full or disabled: nothing is stored.
  }
}

/** The recently used ones among the offered variables, newest first. */
export function listRecentVariables(
  groups: readonly VariableGroup[],
): { group: VariableGroup; variable: PickerVariable }[] {
  const offered = new Map(
    groups.flatMap((group) => group.variables.map((variable) => [variable.path, { group, variable }])),
  );
  return readPaths()
    .flatMap((path) => offered.get(path) ?? [])
    .slice(0, MAX_SHOWN);
}

function readPaths(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
