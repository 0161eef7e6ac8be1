import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { VariableBudgetError } from './errors.ts';
import { isIndex } from './values.ts';

/** Limits bodies with long keys around many small values: 10 MB could produce gigabytes of names. */
const MAX_NAME_CHARACTERS = 64 * 1024 * 1024;
/** V8 hashes longer strings by their length alone: a set of many such names compares each with all others. */
const MAX_CHARACTERS_OF_NAME = 10_000;
/** Limits hostile keys (`a`, `a_a`, `a_a_a` … nested): real ones need some hundred. */
const MAX_COMPARED_CHARACTERS = 2_000_000;

export interface FlattenedField {
  /** The keys joined by `_`, without the task's prefix. */
  name: string;
  /** The keys from the output down to the value. */
  keys: readonly string[];
  value: JsonValue;
  /** Whether `name` refers to this field; a field with the same name as an earlier one is reached by `.JSON`. */
  isReached: boolean;
}

/**
 * The output's fields by flattened name (spec, "Trigger output and flattening"): keys joined by `_`, array elements by
 * zero-based index; objects and arrays are also available under their own name. Of two fields with one name the one that is
 * literally so named (at the top) wins, else the first in document order. Fields inside of others whose names are longer than
 * 10,000 characters are left out. Throws `VariableBudgetError` when the names alone would fill 64 MB.
 */
export function flatten(output: JsonValue): Map<string, JsonValue> {
  const fields = new Map<string, JsonValue>();
  walk(output, ({ name, value, isReached }) => {
    if (isReached) fields.set(name, value);
    return true;
  });
  return fields;
}

/** All fields in document order, objects and arrays before their contents; at most `limit`. */
export function listFields(output: JsonValue, limit: number): FlattenedField[] {
  const fields: FlattenedField[] = [];
  walk(output, (field) => fields.push(field) < limit);
  return fields;
}

/** Equals `flatten(output).get(name)`, without creating all names. Throws `VariableBudgetError` on hostile keys. */
export function findFlattened(output: JsonValue | undefined, name: string): JsonValue | undefined {
  const literal = ownValue(output, name);
  return (
    literal ??
    (literal === null ? null : search(output, name, 0, { charactersLeft: MAX_COMPARED_CHARACTERS }))
  );
}

function walk(output: JsonValue, visit: (field: FlattenedField) => boolean): void {
  const seen = new Set<string>();
  let characters = 0;
  const descend = (container: JsonValue, prefix: string, keys: readonly string[]): boolean => {
    const isTop = keys.length === 0;
    for (const key of keysOf(container)) {
      const name = isTop ? key : `${prefix}_${key}`;
      characters += name.length;
      if (characters > MAX_NAME_CHARACTERS) {
        throw new VariableBudgetError(
          'The fields of this output have names too long to be listed: use .JSON',
        );
      }
      const value = ownValue(container, key) as JsonValue;
      const isNamed = name.length <= MAX_CHARACTERS_OF_NAME;
      const isReached = isTop || (isNamed && !seen.has(name) && ownValue(output, name) === undefined);
      if (isNamed) seen.add(name);
      const path = [...keys, key];
      if (!visit({ name, keys: path, value, isReached }) || !descend(value, name, path)) return false;
    }
    return true;
  };
  descend(output, '', []);
}

function search(
  container: JsonValue | undefined,
  name: string,
  from: number,
  work: { charactersLeft: number },
): JsonValue | undefined {
  if (!isContainer(container)) return undefined;
  const ends: number[] = [];
  for (let end = nextEnd(name, from); end !== -1; end = end === name.length ? -1 : nextEnd(name, end + 1)) {
    work.charactersLeft -= end - from + 1;
    if (work.charactersLeft < 0) {
      throw new VariableBudgetError(`"${name.slice(0, 40)}" could be too many different fields: use .JSON`);
    }
    if (ownValue(container, name.slice(from, end)) !== undefined) ends.push(end);
  }
  for (const end of ends.length > 1 ? inDocumentOrder(container, name, from, ends) : ends) {
    const value = ownValue(container, name.slice(from, end));
    const found = end === name.length ? value : search(value, name, end + 1, work);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nextEnd(name: string, from: number): number {
  const underscore = name.indexOf('_', from);
  return underscore === -1 ? name.length : underscore;
}

function inDocumentOrder(container: JsonValue, name: string, from: number, ends: number[]): number[] {
  const byKey = new Map(ends.map((end) => [name.slice(from, end), end]));
  const ordered: number[] = [];
  for (const key of keysOf(container)) {
    const end = byKey.get(key);
    if (end !== undefined) ordered.push(end);
    if (ordered.length === ends.length) break;
  }
  return ordered;
}

function isContainer(value: JsonValue | undefined): value is JsonValue[] | JsonObject {
  return Array.isArray(value) || isJsonObject(value);
}

function keysOf(value: JsonValue): string[] {
  return isContainer(value) ? Object.keys(value) : [];
}

function ownValue(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return isIndex(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
