/** An instant as a field for date and time shows it, in the browser's time zone; empty for what is no instant. */
export function toLocalInput(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
