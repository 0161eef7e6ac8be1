/** Expiry of a new API key: a number of days, a date, or none. */
export const EXPIRY_OPTIONS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const;
export type ExpiryChoice = (typeof EXPIRY_OPTIONS)[number]['value'];

const DAY_MS = 86_400_000;

/**
 * The expiry of a key; null: never; undefined without a valid date.
 * @param date `YYYY-MM-DD`: the key works until the end of that day in the user's time zone
 */
export function toExpiresAt(choice: ExpiryChoice, date: string, now: Date): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now.getTime() + Number(choice) * DAY_MS).toISOString();
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(day) + 1).toISOString();
}
