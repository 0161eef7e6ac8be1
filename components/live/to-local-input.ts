/** The value of a date and time input for an instant, in the browser's time zone; empty for an invalid one. */
export function toLocalInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
