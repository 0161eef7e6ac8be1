/** Numbers of the placeholders of a text in the order they stand: `{{1}} and {{2}}` → [1, 2]. */
export function listPlaceholders(text: string): number[] {
  return [...text.matchAll(/\{\{(\d+)\}\}/g)].map((match) => Number(match[1]));
}

/** How many different placeholders a text has. */
export function countPlaceholders(text: string): number {
  return new Set(listPlaceholders(text)).size;
}

/** Puts values in place: the first for {{1}} and so on. A missing one stays as it is written. */
export function fillPlaceholders(text: string, values: string[]): string {
  return text.replace(
    /\{\{(\d+)\}\}/g,
    (placeholder, number: string) => values[Number(number) - 1] ?? placeholder,
  );
}

/** The different names of a text with named placeholders: `{{first_name}}` → ['first_name']. */
export function listNames(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{([a-z][a-z0-9_]*)\}\}/g)].map((match) => match[1] ?? ''))];
}

/** Puts values in place of names. A missing one stays as it is written. */
export function fillNames(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(
    /\{\{([a-z][a-z0-9_]*)\}\}/g,
    (placeholder, name: string) => values.get(name) ?? placeholder,
  );
}
