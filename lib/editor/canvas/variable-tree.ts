// The picker's variables, nested as in the payload.
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import type { PickerVariable, VariableGroup } from './available-variables.ts';

export type ValueType = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'nothing';

export interface VariableNode {
  variable: PickerVariable;
  /** Its name among its siblings. */
  label: string;
  type: ValueType;
  /** Of a list only its first element, as a sample of all. */
  children: VariableNode[];
}

/** The type of a value; `nothing` without one. */
export function typeOf(value: JsonValue | undefined): ValueType {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'list';
  if (isJsonObject(value)) return 'object';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' || value instanceof NumberLiteral ? 'number' : 'text';
}

/** The variables of one task as a tree; lists show only their first element. */
export function toVariableTree(variables: readonly PickerVariable[]): VariableNode[] {
  const roots: VariableNode[] = [];
  const byKeys = new Map<string, VariableNode>();
  for (const variable of variables) {
    const { keys, label, value } = variable;
    const parent = keys.length > 1 ? byKeys.get(idOf(keys.slice(0, -1))) : undefined;
    const key = keys.at(-1) ?? label;
    if (parent?.type === 'list' && key !== '0') continue;
    if (!parent && keys.length > 1 && isBelowAnother(byKeys, keys)) continue;
    const node: VariableNode = {
      variable,
      label: parent?.type === 'list' ? 'First item' : keys.length > 1 && parent ? key : label,
      type: typeOf(value),
      children: [],
    };
    byKeys.set(idOf(keys), node);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** Variables without those that only differ from an earlier one in the index of a list's element. */
export function withoutRepeats<Listed extends { variable: PickerVariable; group: VariableGroup }>(
  listed: readonly Listed[],
): Listed[] {
  const listsOf = new Map<VariableGroup, Set<string>>();
  const seen = new Set<string>();
  return listed.filter(({ variable: { keys }, group }) => {
    const lists = listsOf.get(group) ?? idsOfLists(group);
    listsOf.set(group, lists);
    const shape = keys.map((key, depth) => (depth > 0 && lists.has(idOf(keys.slice(0, depth))) ? '0' : key));
    const id = `${group.taskId} ${idOf(shape)}`;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Distinguishes lists from objects with numeric keys. */
const idsOfLists = ({ variables }: VariableGroup): Set<string> =>
  new Set(variables.filter(({ value }) => Array.isArray(value)).map(({ keys }) => idOf(keys)));

/** Parts of a hidden element are hidden, too. */
function isBelowAnother(byKeys: ReadonlyMap<string, VariableNode>, keys: readonly string[]): boolean {
  for (let depth = keys.length - 1; depth > 0; depth -= 1)
    if (byKeys.has(idOf(keys.slice(0, depth)))) return true;
  return false;
}

const idOf = (keys: readonly string[]): string => JSON.stringify(keys);

const MAX_CHARACTERS = 40;

/** A value in a few characters, for lists; empty when there is none. */
export function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const line = withoutSecretIds(text).replace(/\s+/g, ' ');
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}
