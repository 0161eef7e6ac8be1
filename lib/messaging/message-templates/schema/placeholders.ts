/** Numbers of the placeholders in the order they stand: `{{1}} and {{2}}` → [1, 2]. */
export const listPlaceholders = (text: string): number[] =>
  [...text.matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map((match) => Number(match[1]));

/** How many different placeholders a text has. */
export const countPlaceholders = (text: string): number => new Set(listPlaceholders(text)).size;

/** The highest number, not how many there are: `{{2}}` alone takes two values. */
export const highestPlaceholder = (text = ''): number => Math.max(0, ...listPlaceholders(text));
