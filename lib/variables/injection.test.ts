import { describe, expect, test } from 'vitest';
import { parseJson } from '#lib/json/parse-json.ts';
import type { JsonValue } from '#lib/json/value.ts';
import { VariableBudgetError, VariableSyntaxError } from './errors.ts';
import corpus from './fixtures/injection-corpus.json' with { type: 'json' };
import { renderText } from './interpret.ts';
import { parseVariableText } from './parse.ts';
import { scopeOf } from './render-for-test.ts';

const LIMIT_MS = 100;
const ATTEMPTS = 4;

const manyMeanings = (depth: number): JsonValue =>
  depth === 0 ? 1 : Object.fromEntries(['a', 'a_a', 'a_a_a'].map((name) => [name, manyMeanings(depth - 1)]));

const body: JsonValue = {
  id: 'o-1',
  total: 1.5,
  big: parseJson('12345678901234567890'),
  customer: { name: 'Ann' },
  items: [{ sku: 'x' }],
  nested: '{{id}}',
  n: Array.from({ length: 60 }, (_, index) => index),
  large: 'x'.repeat(1_000_000),
  list: Array.from({ length: 20_000 }, (_, index) => ({ index })),
  wide: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])),
  ...(manyMeanings(7) as { [key: string]: JsonValue }),
};

function outcomeOf(text: string): { result: string } | { error: string } {
  try {
    return { result: renderText(parseVariableText(text), scopeOf(body), 'none') };
  } catch (error) {
    if (error instanceof VariableSyntaxError || error instanceof VariableBudgetError)
      return { error: error.message };
    throw error;
  }
}

describe('hostile texts do nothing, and are over within 100 ms, parsing included', () => {
  test.each(corpus)('$what', (entry) => {
    const text =
      entry.text ?? (entry.repeat ?? []).map(([part, times]) => String(part).repeat(Number(times))).join('');
    const outcome = outcomeOf(text);
    if (entry.result !== undefined) expect(outcome).toEqual({ result: entry.result });
    else if (entry.error !== null)
      expect(outcome).toHaveProperty('error', expect.stringContaining(entry.error ?? ''));

    // The best of some attempts, each with another text: the machine may be busy, the cache must not help.
    const times = Array.from({ length: ATTEMPTS }, (_, attempt) => {
      const started = performance.now();
      outcomeOf(text + ' '.repeat(attempt + 1));
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(LIMIT_MS);
  });

  test('nothing was added to any prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    const own = parseJson('{"__proto__":{"polluted":"data"}}');
    expect(renderText(parseVariableText('{{__proto__.polluted}}{{x.polluted}}'), scopeOf(own), 'none')).toBe(
      'data',
    );
  });
});
