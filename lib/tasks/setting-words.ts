// Settings as words of a card: they may be a draft's, incomplete or of a wrong type.

/** A text as it is, anything else as JSON; empty for nothing. */
export function settingWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).trim();
}

/** The elements of a list that are objects. */
export const settingRows = (value: unknown): Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter(
    (each): each is Readonly<Record<string, unknown>> => typeof each === 'object' && each !== null,
  );
