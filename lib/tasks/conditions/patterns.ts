import { RE2JS, RE2JSException } from 're2js';
import * as z from 'zod';
import { LRUCache } from 'lru-cache';
import type { Problem } from '#lib/core/errors.ts';
import { hasVariables } from '#lib/tasks/setting-values.ts';

const MAX_PATTERN_CHARACTERS = 1000;
const kept = new LRUCache<string, RE2JS>({ max: 500 });

/** An invalid pattern; the message has the pattern and the reason. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/**
 * A pattern that matches in linear time, whatever it is (RE2 syntax).
 * @throws PatternError
 */
export function compilePattern(source: string): RE2JS {
  const known = kept.get(source);
  if (known) return known;
  if (source.length > MAX_PATTERN_CHARACTERS) {
    throw new PatternError(
      `A pattern has at most ${MAX_PATTERN_CHARACTERS} characters, this one has ${source.length}.`,
    );
  }
  const pattern = compile(source);
  kept.set(source, pattern);
  return pattern;
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace('error parsing regexp: ', '');
    const hint = /\(\?[=!<]/.test(source) ? ' (lookahead and lookbehind are not supported)' : '';
    throw new PatternError(`The pattern "${source}" is not valid: ${reason}${hint}.`);
  }
}

const withPattern = z.object({ operator: z.literal('matches'), right: z.string() });

/**
 * Invalid patterns among the comparisons of a setting, as far as they are known before a run (paths below `settings`).
 * @param field the setting with the list of comparisons
 */
export function checkPatterns(field: string, settings: unknown): Problem[] {
  const { data } = z.object({ [field]: z.array(z.unknown()) }).safeParse(settings);
  return (data?.[field] ?? []).flatMap((condition, index) => {
    const right = withPattern.safeParse(condition).data?.right;
    if (right === undefined || right === '' || hasVariables(right)) return [];
    try {
      compilePattern(right);
      return [];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return [{ path: `settings.${field}[${index}].right`, message: error.message }];
    }
  });
}
