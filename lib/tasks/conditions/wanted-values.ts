// Values with which an example request fulfills conditions.
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';

/** The operand of a condition as a value that fulfills it; undefined: none can be derived. */
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
 * Values of variables that fulfill conditions with a fixed value: the first condition on each variable counts. Keys are
 * variables as written, such as `task_1_customer_status`.
 * @param conditions of a draft's settings, possibly incomplete
 */
export function wantedValues(
  conditions: readonly Readonly<Record<string, unknown>>[],
): Map<string, JsonValue> {
  const wanted = new Map<string, JsonValue>();
  for (const { left, operator, right } of conditions) {
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
