import { replaceTaskIds } from '#lib/variables/task-names.ts';

const TAG = /\{\{[\s\S]*?\}\}/g;

/** Settings with other task ids in the variables of all texts: for tasks that were copied under new ids. */
export function rewriteReferences<Value>(value: Value, newIds: ReadonlyMap<number, number>): Value {
  return rewrite(value, newIds) as Value;
}

function rewrite(value: unknown, newIds: ReadonlyMap<number, number>): unknown {
  if (typeof value === 'string') return value.includes('{{') ? rewriteText(value, newIds) : value;
  if (Array.isArray(value)) return value.map((each) => rewrite(each, newIds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rewrite(each, newIds)]));
}

const rewriteText = (text: string, newIds: ReadonlyMap<number, number>): string =>
  text.replace(TAG, (tag) => replaceTaskIds(tag, (id) => newIds.get(id)));
