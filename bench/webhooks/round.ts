const DIGITS = 4;

/** The same value with four digits in every number that has a fraction: more digits are noise in a committed file. */
export function round<Value>(value: Value): Value {
  if (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value))
    return Number(value.toPrecision(DIGITS)) as Value;
  if (Array.isArray(value)) return value.map(round) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, round(each as unknown)]),
  ) as Value;
}
