// The items of a loop, by the same rules in settings and when executed.
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { Reading } from '#lib/core/errors.ts';

export const MAX_ITEMS = 100_000;

/** A count of rounds: a whole number from 0 to 100,000. */
export function readCount(count: JsonValue | undefined): Reading<number> {
  const value = Number(numberSource(count) ?? Number.NaN);
  if (!Number.isInteger(value) || value < 0) {
    return {
      problem: explainMismatch('count', count, `a whole number from 0 to ${MAX_ITEMS.toLocaleString('en')}`),
    };
  }
  return value > MAX_ITEMS ? { problem: tooMany(value) } : { value };
}

/** A list, or the JSON text of one. */
export function readItems(items: JsonValue | undefined): Reading<JsonValue[]> {
  const isJson = typeof items === 'string' && items.trimStart().startsWith('[');
  try {
    const value = isJson ? parseJson(items) : items;
    if (!Array.isArray(value)) {
      return {
        problem: `${explainMismatch('list of items', value, 'a list')} Enter a variable that contains a list, or a list as JSON.`,
      };
    }
    return value.length > MAX_ITEMS ? { problem: tooMany(value.length) } : { value };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { problem: `The items are not a list as JSON: ${error.message}.` };
  }
}

const tooMany = (count: number): string =>
  `The loop would go through ${count.toLocaleString('en')} items: the maximum is ${MAX_ITEMS.toLocaleString('en')}. Split them into several runs.`;
