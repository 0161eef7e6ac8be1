// What services answer may repeat what they were sent. Texts that are recorded or shown pass here first.
import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import { findPlaceholders, MASK, writePlaceholder } from './placeholder-format.ts';
import type { SecretValue } from './setting-secret.ts';

/** What is shorter stands in too many texts by chance. */
const MIN_CHARACTERS = 6;

export interface Redactor {
  text: (text: string) => string;
  json: (value: JsonValue) => JsonValue;
}

interface Form {
  text: string;
  shown: string;
}

const NONE: Redactor = { text: (text) => text, json: (value) => value };

/**
 * Gives what hides secrets, in whatever way they are usually written.
 * @param values by their ids
 * @param as `mask`: every one becomes `••••••`; `placeholder`: one that is written as it is gets its id, so that
 *   `revealJsonText` finds its value again.
 */
export function createRedactor(
  values: ReadonlyMap<string, SecretValue>,
  as: 'mask' | 'placeholder' = 'mask',
): Redactor {
  const forms = [...values]
    .flatMap(([id, value]) => formsOf(String(value), as === 'placeholder' ? writePlaceholder(id) : MASK))
    .filter(({ text }) => text.length >= MIN_CHARACTERS)
    .sort((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return NONE;
  const text = (each: string): string =>
    forms.reduce((clean, form) => clean.replaceAll(form.text, () => form.shown), each);
  return { text, json: (value) => redactJson(value, text) };
}

/** JSON with the secrets of its placeholders; those of other placeholders are left out. */
export const revealJsonText = (json: string, values: ReadonlyMap<string, SecretValue>): string =>
  findPlaceholders(json).reduceRight((revealed, { from, to, id }) => {
    const value = id === undefined ? undefined : values.get(id);
    if (value === undefined) return revealed;
    return revealed.slice(0, from) + escapeJson(String(value)) + revealed.slice(to);
  }, json);

/** As it is, as in URLs and in JSON, and as basic authentication sends it. */
function formsOf(secret: string, shown: string): Form[] {
  const others = [secret, decode(secret)].flatMap((form) => [
    form,
    encodeURIComponent(form.toWellFormed()),
    escapeJson(form),
    Buffer.from(form).toString('base64').replace(/=+$/, ''),
  ]);
  const forms = [...new Set(others)].filter((text) => text !== secret).map((text) => ({ text, shown: MASK }));
  return [{ text: secret, shown }, ...forms];
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactJson(value: JsonValue, text: (text: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' || value instanceof NumberLiteral) {
    const shown = text(String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map((each) => redactJson(each, text));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [text(key), redactJson(each, text)]));
}
