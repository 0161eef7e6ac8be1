/** Whether two values are equal as JSON, regardless of the order of keys, which PostgreSQL and browsers change. */
export const isSameJson = (a: unknown, b: unknown): boolean => a === b || stable(a) === stable(b);

const stable = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? '';
