// Hostile texts and the body they are rendered with, for tests in the process and over HTTP.
import { type JsonObject, NumberLiteral } from '#lib/core/json/value.ts';
import corpus from './fixtures/injection-corpus.json' with { type: 'json' };

export interface HostileText {
  what: string;
  text: string;
  /** The expected result, if there is only one. */
  result?: string;
  /** A part of the expected error; null: it only has to end. */
  error?: string | null;
}

/** The value of `CANARY_CODE` in the corpus: code that writes a file and reveals a secret when it runs. */
export const canaryCode =
  "globalThis.CANARY=1;process.getBuiltinModule('fs').writeFileSync(process.env.CANARY_FILE,'');return process.env.CANARY_SECRET";

/** The corpus, with repeated parts and the canary expanded. */
export function readHostileTexts(): HostileText[] {
  const withCanary = (text: string): string => text.replaceAll('CANARY_CODE', canaryCode);
  return corpus.map(({ what, text, repeat, result, error }) => ({
    what,
    text: withCanary(
      text ?? (repeat ?? []).map(([part, times]) => String(part).repeat(Number(times))).join(''),
    ),
    ...(result === undefined ? {} : { result: withCanary(result) }),
    ...(error === undefined ? {} : { error }),
  }));
}

const manyMeanings = (depth: number): JsonObject =>
  Object.fromEntries(['a', 'a_a', 'a_a_a'].map((name) => [name, depth === 1 ? 1 : manyMeanings(depth - 1)]));

/** The data of the texts: some MB, with lists, long texts and expensive keys. */
export const hostileBody: JsonObject = {
  id: 'o-1',
  total: 1.5,
  big: new NumberLiteral('12345678901234567890'),
  customer: { name: 'Ann' },
  items: [{ sku: 'x' }],
  nested: '{{id}}',
  n: Array.from({ length: 60 }, (_, index) => index),
  large: 'x'.repeat(1_000_000),
  list: Array.from({ length: 20_000 }, (_, index) => ({ index })),
  wide: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])),
  ...manyMeanings(7),
};
