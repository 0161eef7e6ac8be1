const TAG = /\{\{[\s\S]*?\}\}/g;
const TASK_NAME = /(?<![\p{L}\p{N}_$.-])task_(0|[1-9]\d{0,14})(?=[_.\s)}~[|]|$)/gu;

/** Settings whose variables name other task ids, in all texts: for tasks that were copied under new ids. */
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
  text.replace(TAG, (tag) =>
    tag.replace(TASK_NAME, (name, id: string) => {
      const next = newIds.get(Number(id));
      return next === undefined ? name : `task_${next}`;
    }),
  );
