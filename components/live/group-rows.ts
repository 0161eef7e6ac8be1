/** Rows that are shown as one until it is opened, or a separate row. */
export interface RowGroup<Row> {
  /** Null: a separate row. */
  key: string | null;
  /** At least one; several only where there is a key. */
  rows: readonly [Row, ...Row[]];
}

/**
 * Gathers rows with the same key, each group where its first row is. A single row with a key stays as it is.
 * @param keyOf null: the row is not gathered
 */
export function groupRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null = () => null,
): RowGroup<Row>[] {
  const gathered = new Map<string, [Row, ...Row[]]>();
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const known = key === null ? undefined : gathered.get(key);
    if (known) {
      known.push(row);
      continue;
    }
    const group: [Row, ...Row[]] = [row];
    if (key !== null) gathered.set(key, group);
    groups.push(group);
  }
  return groups.map((group) => ({ key: group.length > 1 ? keyOf(group[0]) : null, rows: group }));
}
