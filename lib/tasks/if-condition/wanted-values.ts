import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';

/** The operand of a condition as a value that fulfills it; undefined: no value follows from it. */
const FULFILLING: Readonly<Record<string, (right: string) => JsonValue | undefined>> = {
  equals: plainValue,
  contains: plainValue,
  starts_with: plainValue,
  ends_with: plainValue,
  at_least: plainValue,
  at_most: plainValue,
  greater_than: (right) => shifted(right, 1),
  less_than: (right) => shifted(right, -1),
  in_list: firstOfList,
  is_true: () => true,
};

const ONE_VARIABLE = /^\s*\{\{\s*([^{}\s#/]+)\s*\}\}\s*$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

/**
 * What the variables that conditions compare with a fixed value must be for the conditions to be met: the first condition
 * on each counts. Keys are variables as they are written, such as `task_1_customer_status`.
 */
export function wantedValues(conditions: unknown): Map<string, JsonValue> {
  const wanted = new Map<string, JsonValue>();
  for (const condition of Array.isArray(conditions) ? (conditions as JsonValue[]) : []) {
    const { left, operator, right } = isJsonObject(condition) ? condition : {};
    const [, variable] = ONE_VARIABLE.exec(typeof left === 'string' ? left : '') ?? [];
    if (variable === undefined || wanted.has(variable)) continue;
    const value = valueFor(operator, right);
    if (value !== undefined) wanted.set(variable, value);
  }
  return wanted;
}

function valueFor(operator: unknown, right: unknown): JsonValue | undefined {
  const text = typeof right === 'string' || typeof right === 'number' ? String(right) : '';
  if (text.includes('{{')) return undefined;
  return typeof operator === 'string' && Object.hasOwn(FULFILLING, operator)
    ? FULFILLING[operator]?.(text.trim())
    : undefined;
}

function plainValue(right: string): JsonValue | undefined {
  if (NUMBER.test(right)) return Number(right);
  return right === '' ? undefined : right;
}

const shifted = (right: string, by: number): JsonValue | undefined =>
  NUMBER.test(right) ? Number(right) + by : undefined;

function firstOfList(right: string): JsonValue | undefined {
  if (!right.startsWith('[')) return plainValue((right.split(',')[0] ?? '').trim());
  try {
    const [first] = JSON.parse(right) as JsonValue[];
    return isJsonObject(first) || Array.isArray(first) ? undefined : (first ?? undefined);
  } catch {
    return undefined;
  }
}
