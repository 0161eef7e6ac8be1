// Replaces a secret in settings: `••••••(<id>)` refers to the encrypted value, `••••••` alone to one that has to be entered,
// as in an imported file.

/** How a secret is displayed. */
export const MASK = '••••••';

export const ID_CHARACTERS = 16;
const PLACEHOLDER = new RegExp(`${MASK}(?:\\(([\\w-]{${ID_CHARACTERS}})\\))?`, 'g');

export interface Placeholder {
  from: number;
  to: number;
  /** Undefined: the value has to be entered. */
  id: string | undefined;
}

export const writePlaceholder = (id: string): string => `${MASK}(${id})`;

/** Every placeholder of a text, in its order. */
export const findPlaceholders = (text: string): Placeholder[] =>
  text.includes(MASK)
    ? [...text.matchAll(PLACEHOLDER)].map((match) => ({
        from: match.index,
        to: match.index + match[0].length,
        id: match[1],
      }))
    : [];

/** Without the ids, for people and exported files. */
export const withoutSecretIds = (text: string): string =>
  text.includes(MASK) ? text.replace(PLACEHOLDER, MASK) : text;

/** Whether a JSON value has such a string. */
export function hasString(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => hasString(each, test));
}

/** Maps every string of a JSON value; unchanged parts stay the same objects. */
export function mapStrings<Value>(value: Value, change: (text: string) => unknown): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, each]) => [key, mapStrings(each as unknown, change)] as const);
  if (changed.every(([, each], index) => each === entries[index]?.[1])) return value;
  return (Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)) as Value;
}
