import { formatDuration } from '#components/ui/format.ts';
import { dayBefore, listDays, MAX_REPORT_DAYS, toReportSpan } from '#lib/screens/report-types.ts';

export const SPANS = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'month', label: 'This month' },
  { value: 'custom', label: 'Between …' },
] as const;

/** There is no report for the selected days. */
export class SpanError extends Error {}

/** The parameters of a report for the filters in the URL; days are those of the workspace. @throws SpanError */
export function toReportParameters(
  get: (name: string) => string | undefined,
  { nowMs, zone }: { nowMs: number; zone: string },
): Record<string, string> {
  const by = get('by') ?? 'day';
  const today = dayBefore(nowMs, 0, zone);
  const span = get('span') ?? '7';
  if (span === 'month') return { by, from: `${today.slice(0, 8)}01`, to: today };
  if (span !== 'custom') return { by, from: dayBefore(nowMs, (Number(span) || 7) - 1, zone), to: today };
  const [from, to] = [get('from'), get('to')];
  const chosen = toReportSpan({ from, to }, { nowMs, zone });
  if (chosen.from > chosen.to) throw new SpanError('The first day must not be after the last one.');
  if (listDays(chosen).length > MAX_REPORT_DAYS)
    throw new SpanError(`Select at most ${MAX_REPORT_DAYS} days.`);
  return { by, ...chosen };
}

/** "42.5%", "<0.1%"; a dash where there is nothing to compare with. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part > 0 && percent < 0.1) return '<0.1%';
  if (part < whole && percent > 99.9) return '>99.9%';
  return `${percent.toFixed(1).replace(/\.0$/, '')}%`;
}

/** "1,234" */
export const inDigits = (count: number): string => count.toLocaleString('en');

/** "45 s", "4 min", "3 h 10 min": a time that is known to its class only. */
export const formatWait = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : formatDuration(60_000 * Math.round(seconds / 60));

const AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const SMALL_AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** "EUR 1,234.50"; amounts below 1 have more digits: "EUR 0.0452". @param amount a decimal */
export const formatMoney = (amount: string, currency: string): string =>
  `${currency}\u00a0${(Number(amount) < 1 ? SMALL_AMOUNT : AMOUNT).format(Number(amount))}`;

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** "Thu, Nov 26". @param day such as 2026-11-26 */
export const formatDay = (day: string, { hasWeekday = true } = {}): string =>
  (hasWeekday ? WEEKDAY : DAY).format(new Date(day));
