import Handlebars from 'handlebars';
import { LRUCache } from 'lru-cache';
import { buildNodes } from './build-nodes.ts';
import { placeAt, VariableSyntaxError } from './errors.ts';
import { type Tag, TagReader, type TokenizedText } from './read-tag.ts';
import type { VariableText } from './syntax.ts';

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

// Splits a variable text into plain text and {{tags}} before Handlebars sees it. It does what Handlebars' own lexer cannot:
// `a[0]` and `a.0`, a `}` right after `}}` (as in {"total":{{total}}}), limits before any work is done (Handlebars takes 14
// seconds for 7,000 open blocks), and errors with their position. String literals and [segments] are replaced by numbers, so
// that the two lexers cannot disagree about where one ends.

// With these limits a text is parsed in at most some 40 ms, on a cold start.
const MAX_TEXT_CHARACTERS = 128 * 1024;
const MAX_TAGS = 1_000;
const MAX_TAG_CHARACTERS = 16 * 1024;
const MAX_NESTING = 32;

const BLOCKS = ['if', 'unless', 'each', 'with'];

/** Throws `VariableSyntaxError` for errors that can be detected without the grammar inside a tag. */
function tokenize(text: string): TokenizedText {
  assertSize(text);
  const reader = new TagReader(text);
  const blocks = new BlockStack(text);
  let contentStart = 0;
  let tags = 0;
  let tagCharacters = 0;
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at)) {
    if (++tags > MAX_TAGS) throw fail(text, at, `more than ${MAX_TAGS} {{…}} in one text: split it`);
    if (isEscaped(text, contentStart, at)) {
      contentStart = at;
      at += 2;
      continue;
    }
    const tag = reader.read(at);
    blocks.follow(tag);
    if (tag.kind !== 'comment') tagCharacters += tag.end - tag.start;
    if (tagCharacters > MAX_TAG_CHARACTERS) {
      throw fail(text, at, `more than ${MAX_TAG_CHARACTERS} characters inside {{…}} in one text: split it`);
    }
    at = tag.end;
    contentStart = at;
  }
  blocks.assertClosed();
  return reader.finish();
}

function assertSize(text: string): void {
  if (text.length > MAX_TEXT_CHARACTERS) {
    const message = `the text has ${text.length} characters; at most ${MAX_TEXT_CHARACTERS} are allowed`;
    throw new VariableSyntaxError(message, { line: 1, column: 1 });
  }
  const nul = text.indexOf('\0');
  if (nul !== -1) throw fail(text, nul, 'NUL characters are not allowed: remove it');
}

/** `\{{` is text, `\\{{` a backslash and a tag: Handlebars' rule, which only looks back to the last tag. */
function isEscaped(text: string, contentStart: number, at: number): boolean {
  if (at <= contentStart || text[at - 1] !== '\\') return false;
  return at - 1 <= contentStart || text[at - 2] !== '\\';
}

/** Tracks open blocks, so that each problem is reported at its position. */
class BlockStack {
  readonly #text: string;
  readonly #open: { name: string; start: number; hasElse: boolean; levels: number }[] = [];
  #levels = 0;

  constructor(text: string) {
    this.#text = text;
  }

  follow(tag: Tag): void {
    if (tag.kind === 'open') this.#enter(tag);
    else if (tag.kind === 'close') this.#leave(tag);
    else if (tag.kind === 'else') this.#switch(tag);
  }

  assertClosed(): void {
    const block = this.#open.at(-1);
    if (block === undefined) return;
    throw fail(this.#text, block.start, `{{#${block.name}}} is not closed: add {{/${block.name}}}`);
  }

  #enter(tag: Tag): void {
    this.#assertKnown(tag);
    this.#deepen(tag);
    this.#open.push({ name: tag.name, start: tag.start, hasElse: false, levels: 1 });
  }

  #leave(tag: Tag): void {
    const block = this.#open.pop();
    if (block === undefined) {
      throw fail(
        this.#text,
        tag.start,
        `{{/${tag.name}}} closes nothing: remove it or add its {{#${tag.name}}}`,
      );
    }
    if (block.name !== tag.name) {
      const opened = placeAt(this.#text, block.start);
      const where = `{{#${block.name}}} of line ${opened.line}, column ${opened.column}`;
      throw fail(
        this.#text,
        tag.start,
        `{{/${tag.name}}} stands where {{/${block.name}}} should close ${where}`,
      );
    }
    this.#levels -= block.levels;
  }

  #switch(tag: Tag): void {
    const block = this.#open.at(-1);
    if (block === undefined) {
      throw fail(
        this.#text,
        tag.start,
        '{{else}} is outside a block: it belongs between {{#if …}} and {{/if}}',
      );
    }
    if (block.hasElse)
      throw fail(this.#text, tag.start, `a second {{else}} in one {{#${block.name}}}: remove it`);
    if (tag.name === '') {
      block.hasElse = true;
      return;
    }
    this.#assertKnown(tag);
    this.#deepen(tag);
    block.levels++;
  }

  #assertKnown(tag: Tag): void {
    if (BLOCKS.includes(tag.name)) return;
    const message = `unknown block "${tag.name}": there are {{#if}}, {{#unless}}, {{#each}} and {{#with}}`;
    throw fail(this.#text, tag.start, message);
  }

  #deepen(tag: Tag): void {
    if (++this.#levels > MAX_NESTING) {
      throw fail(
        this.#text,
        tag.start,
        `blocks are nested deeper than ${MAX_NESTING} levels: split the text`,
      );
    }
  }
}

function fail(text: string, offset: number, message: string): VariableSyntaxError {
  return new VariableSyntaxError(message, placeAt(text, offset));
}
