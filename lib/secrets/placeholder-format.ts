// What stands in settings where a secret was: `••••••(<id>)` refers to the value that is stored encrypted, `••••••`
// alone to one that is still to be entered, as in an imported file.

/** How a secret is shown. */
export const MASK = '••••••';

export const ID_CHARACTERS = 16;
const PLACEHOLDER = new RegExp(`${MASK}(?:\\(([\\w-]{${ID_CHARACTERS}})\\))?`, 'g');

export interface Placeholder {
  from: number;
  to: number;
  /** Undefined: the value is still to be entered. */
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

/** A text as people and exported files get it: without the ids. */
export const withoutSecretIds = (text: string): string =>
  text.includes(MASK) ? text.replace(PLACEHOLDER, MASK) : text;

/** Every string of a JSON value, changed; what did not change stays the same object. */
export function mapStrings<Value>(value: Value, change: (text: string) => unknown): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, each]) => [key, mapStrings(each as unknown, change)] as const);
  if (changed.every(([, each], index) => each === entries[index]?.[1])) return value;
  return (Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)) as Value;
}
