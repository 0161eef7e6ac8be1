import type { RowValue } from './values.ts';

/** Rows by their sections, in the order in which those come first. */
export function groupRows(rows: readonly RowValue[]): { title: string; rows: RowValue[] }[] {
  const sections = new Map<string, RowValue[]>();
  for (const row of rows) {
    const others = sections.get(row.section);
    if (others) others.push(row);
    else sections.set(row.section, [row]);
  }
  return [...sections].map(([title, ofIt]) => ({ title, rows: ofIt }));
}
