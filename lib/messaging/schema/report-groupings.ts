/** What the rows of a delivery report are of. Isomorphic. */
export const REPORT_GROUPINGS = ['day', 'template', 'number', 'workflow'] as const;
export type ReportGrouping = (typeof REPORT_GROUPINGS)[number];

/** A message is answered by what the customer writes within this time after it was accepted. */
export const ANSWER_HOURS = 24;

/**
 * The first second of each class of times to an answer that reports count, from seconds to hours: from 10 seconds on, each begins at most
 * half as late again as the previous one. The last one ends with `ANSWER_HOURS`.
 */
export const ANSWER_SECONDS: readonly number[] = [
  0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200,
  10800, 14400, 21600, 28800, 43200, 57600, 72000,
];

/**
 * The time within which half of the answers came: between the bounds of its class in proportion.
 * @param times answers by the number of their class
 * @returns seconds; null: there are none
 */
export function medianSeconds(times: Readonly<Record<string, number>>): number | null {
  const counts = ANSWER_SECONDS.map((_, index) => times[index] ?? 0);
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  if (half === 0) return null;
  let before = 0;
  const found = counts.findIndex((count) => (before += count) >= half);
  const [from = 0, to = ANSWER_HOURS * 3600] = ANSWER_SECONDS.slice(found, found + 2);
  const count = counts[found] ?? 0;
  return Math.round(from + ((to - from) * (half - (before - count))) / count);
}
