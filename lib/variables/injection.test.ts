import { describe, expect, test } from 'vitest';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { measureCpuMs } from '#lib/testing/cpu-time.ts';
import { VariableBudgetError, VariableSyntaxError } from './errors.ts';
import { hostileBody, readHostileTexts } from '#lib/variables/testing/injection.ts';
import { renderText } from './interpret.ts';
import { parseVariableText } from './parse.ts';
import { scopeOf } from '#lib/variables/testing/render.ts';

const LIMIT_MS = 100;
const ATTEMPTS = 12;

/** Work that takes 40 ms of processor time on a core that does nothing else: with other load the limit is proportionally higher. */
const KNOWN_MS = 40;
function measureKnownWork(): number {
  const numbers = JSON.stringify(Array.from({ length: 1_000_000 }, (_, index) => index));
  return bestOf(() => void JSON.stringify(JSON.parse(numbers)));
}

const bestOf = (work: (attempt: number) => void): number =>
  Math.min(...Array.from({ length: ATTEMPTS }, (_, attempt) => measureCpuMs(() => work(attempt))));

function outcomeOf(text: string): { result: string } | { error: string } {
  try {
    return { result: renderText(parseVariableText(text), scopeOf(hostileBody), 'none') };
  } catch (error) {
    if (error instanceof VariableSyntaxError || error instanceof VariableBudgetError)
      return { error: error.message };
    throw error;
  }
}

describe('hostile texts do nothing, and take at most 100 ms of processor time, parsing included', () => {
  test.each(readHostileTexts())('$what', ({ text, ...entry }) => {
    const outcome = outcomeOf(text);
    if (entry.result !== undefined) expect(outcome).toEqual({ result: entry.result });
    else if (entry.error !== null)
      expect(outcome).toHaveProperty('error', expect.stringContaining(entry.error ?? ''));

    // The best of some attempts, each with another text, so that the cache does not help.
    const taken = bestOf((attempt) => void outcomeOf(text + ' '.repeat(attempt + 1)));
    const limit = taken < LIMIT_MS ? LIMIT_MS : (LIMIT_MS * measureKnownWork()) / KNOWN_MS;
    expect(taken).toBeLessThan(limit);
  });

  test('nothing was added to any prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    const own = parseJson('{"__proto__":{"polluted":"data"}}');
    expect(renderText(parseVariableText('{{__proto__.polluted}}{{x.polluted}}'), scopeOf(own), 'none')).toBe(
      'data',
    );
  });
});
