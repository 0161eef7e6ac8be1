// Instants as people read them: in the zone of who looks. The server does not know that zone and writes UTC.
const SHORT = { dateStyle: 'medium', timeStyle: 'short' } as const;
const EXACT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;

/** `UTC` on the server and for its first picture in the browser; left out: the reader's. */
export type Zone = 'UTC' | undefined;

/** "Nov 22, 2026, 6:05 PM". @param at ISO 8601 */
export const formatInstant = (at: string, zone?: Zone): string =>
  new Intl.DateTimeFormat('en', { ...SHORT, timeZone: zone }).format(new Date(at));

/** The same to the millisecond, with its zone, and as UTC where that is another one. @param at ISO 8601 */
export function formatExactInstant(at: string, zone?: Zone): string {
  const date = new Date(at);
  const inZone = new Intl.DateTimeFormat('en', { ...EXACT, timeZone: zone }).format(date);
  return inZone.endsWith('UTC') ? inZone : `${inZone} (${date.toISOString()})`;
}
