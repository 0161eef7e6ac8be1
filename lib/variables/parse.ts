import Handlebars from 'handlebars';
import { LRUCache } from 'lru-cache';
import { buildNodes } from './build-nodes.ts';
import { placeAt, VariableSyntaxError } from './errors.ts';
import type { VariableText } from './syntax.ts';
import type { TokenizedText } from './read-tag.ts';
import { tokenize } from './tokenize.ts';

export interface ParseOptions {
  /** `{{1}}`, `{{ 2 }}` are placeholders of the platform and stay as written (`template_components`). */
  keepPlaceholders?: boolean;
}

const CACHED_TEXTS = { max: 2_000, maxSize: 4 * 1024 * 1024 };
const cache = new LRUCache<string, VariableText>(CACHED_TEXTS);
const cacheOfPlaceholders = new LRUCache<string, VariableText>(CACHED_TEXTS);

/**
 * Parses a variable text (docs/variables.md): paths, literals, comments, the blocks if, unless, each, with, else, and the
 * helpers of `helpers.ts`. Anything else throws `VariableSyntaxError` with its place. Results are cached by text.
 */
export function parseVariableText(text: string, options: ParseOptions = {}): VariableText {
  const keepPlaceholders = options.keepPlaceholders ?? false;
  const texts = keepPlaceholders ? cacheOfPlaceholders : cache;
  const cached = texts.get(text);
  if (cached !== undefined) return cached;
  const tokens = tokenize(text);
  const program = parseRewritten(text, tokens);
  const parsed = { text, nodes: buildNodes(program, { text, tokens, keepPlaceholders }) };
  texts.set(text, parsed, { size: text.length + 1 });
  return parsed;
}

function parseRewritten(text: string, tokens: TokenizedText): hbs.AST.Program {
  try {
    return Handlebars.parse(tokens.rewritten);
  } catch (cause) {
    throw locate(text, tokens, cause);
  }
}

/** Handlebars reports the line at best: the failing tag is the first that it cannot parse alone. */
function locate(text: string, tokens: TokenizedText, cause: unknown): VariableSyntaxError {
  const tag = tokens.tags.find((each) => !canRead(each.rewritten, each.kind, each.name)) ?? tokens.tags[0];
  const start = tag?.start ?? 0;
  const source = text.slice(start, Math.min(tag?.end ?? text.length, start + 60));
  const message = `cannot read "${source}": write a variable such as {{name}}, {{customer.name}} or {{items[0].sku}}, or a helper with its values such as {{upper name}}`;
  const error = new VariableSyntaxError(message, placeAt(text, start));
  error.cause = cause;
  return error;
}

function canRead(tag: string, kind: string, name: string): boolean {
  const alone: Record<string, string> = {
    open: `${tag}{{/${name}}}`,
    close: `{{#${name} x}}${tag}`,
    else: `{{#if x}}${tag}{{/if}}`,
  };
  try {
    Handlebars.parse(alone[kind] ?? tag);
    return true;
  } catch {
    return false;
  }
}
