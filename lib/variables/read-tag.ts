// The part of the tokenizer that reads one {{tag}} and rewrites it so that Handlebars parses it the same way.
import { placeAt, VariableSyntaxError } from './errors.ts';

/** Builds a rewritten text and maps its parts to their origin. */
class OffsetMap {
  length = 0;
  readonly #parts: { text: string; rewrittenAt: number; originalAt: number }[] = [];
  #lineStarts: number[] | undefined;
  #originalEnd = 0;

  /** Appends an unchanged part from `originalAt` in the original text. */
  copy(text: string, originalAt: number): void {
    this.#parts.push({ text, rewrittenAt: this.length, originalAt });
    this.length += text.length;
    this.#originalEnd = originalAt + text.length;
  }

  /** Appends a part that is not in the original text; all of it maps to the current position. */
  insert(text: string): void {
    this.#parts.push({ text, rewrittenAt: this.length, originalAt: this.#originalEnd });
    this.length += text.length;
  }

  textFrom(rewrittenAt: number): string {
    let text = '';
    for (let index = this.#parts.length - 1; index >= 0; index--) {
      const part = this.#parts[index];
      if (part === undefined || part.rewrittenAt < rewrittenAt) break;
      text = part.text + text;
    }
    return text;
  }

  /** Handlebars' line (from 1) and column (from 0) in the rewritten text as an offset in the original one. */
  originalOffset(line: number, column: number): number {
    this.#lineStarts ??= lineStarts(this.textFrom(0));
    const rewritten = (this.#lineStarts[line - 1] ?? 0) + column;
    let low = 0;
    let high = this.#parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#parts[middle]?.rewrittenAt ?? 0) <= rewritten) low = middle;
      else high = middle - 1;
    }
    const part = this.#parts[low];
    return part === undefined ? 0 : part.originalAt + rewritten - part.rewrittenAt;
  }
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (ending) => ending.index + ending[0].length)];
}

export interface Tag {
  kind: 'comment' | 'output' | 'open' | 'close' | 'else';
  /** The block's name for `open`, `close` and `else if`; otherwise empty. */
  name: string;
  /** Where the tag starts in the text and where the text after it starts. */
  start: number;
  end: number;
  /** The tag for Handlebars. */
  rewritten: string;
}

export interface TokenizedText {
  /** The text that Handlebars parses. */
  rewritten: string;
  /** `[#0]` in the rewritten text represents the segment `segments[0]`. */
  segments: readonly string[];
  /** `"0"` in the rewritten text represents the string `strings[0]`. */
  strings: readonly string[];
  tags: readonly Tag[];
  /** The offset in the original text of a line (from 1) and column (from 0) of the rewritten one. */
  offsetOf(line: number, column: number): number;
}

const MAX_PARENTHESES = 16;
const MAX_SEGMENT_CHARACTERS = 1_000;
const REFUSED: readonly [RegExp, string][] = [
  [/\{\{\{\{/y, '"{{{{" starts a raw block, which is not supported: put a space between "{" and "{{"'],
  [/\{\{~?#?>/y, 'partials ({{> name}}) are not supported: write the text itself here'],
  [/\{\{~?#?\s*\*/y, 'decorators ({{* name}}) are not supported: remove it'],
];
// A name in Handlebars: its ID token (4.7, src/handlebars.l).
const NAME_CHARACTER = /[^\s!"#%-,./;->@[-^`{-~]/;
const WORD_SEGMENT = /\.(\d+|true|false|null|undefined)(?![^\s!"#%-,./;->@[-^`{-~])/y;

/** Reads tags from left to right; `finish` returns the result with the text between the tags. */
export class TagReader {
  readonly tags: Tag[] = [];
  readonly #text: string;
  readonly #segments: string[] = [];
  readonly #strings: string[] = [];
  readonly #map = new OffsetMap();
  #copied = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the tag that starts at `start` (at its `{{`). */
  read(start: number): Tag {
    for (const [pattern, message] of REFUSED) {
      if (this.#match(pattern, start) !== null) throw this.#fail(start, message);
    }
    this.#copyUpTo(start);
    const before = this.#map.length;
    const end =
      this.#match(/\{\{~?!/y, start) === null ? this.#readExpression(start) : this.#endOfComment(start);
    this.#copyUpTo(end);
    const rewritten = this.#map.textFrom(before);
    // Handlebars would read the "}" of {"a":{{b}}} as a part of the tag.
    if (this.#text[end] === '}') this.#map.insert('{{!}}');
    const tag = { ...this.#classify(start, end), start, end, rewritten };
    this.tags.push(tag);
    return tag;
  }

  finish(): TokenizedText {
    this.#copyUpTo(this.#text.length);
    const map = this.#map;
    return {
      rewritten: map.textFrom(0),
      segments: this.#segments,
      strings: this.#strings,
      tags: this.tags,
      offsetOf: (line, column) => map.originalOffset(line, column),
    };
  }

  #classify(start: number, end: number): Pick<Tag, 'kind' | 'name'> {
    const source = this.#text.slice(start, end);
    const head =
      /^\{\{~?(?:(!)|([#/])\s*([^\s~}()]*)|\^\s*([^\s~}()]*)|\s*else(?=[\s~}])\s*([^\s~}()]*))/.exec(source);
    if (head === null) return { kind: 'output', name: '' };
    const [, comment, sign, name, inverse, chained] = head;
    if (comment !== undefined) return { kind: 'comment', name: '' };
    if (sign !== undefined) return { kind: sign === '#' ? 'open' : 'close', name: name ?? '' };
    if (inverse !== undefined && inverse !== '') return { kind: 'open', name: inverse };
    return { kind: 'else', name: chained ?? '' };
  }

  #endOfComment(start: number): number {
    const isLong = this.#match(/\{\{~?!--/y, start) !== null;
    const closing = isLong ? /--~?\}\}/g : /\}\}/g;
    closing.lastIndex = start + 3;
    if (!closing.test(this.#text)) {
      throw this.#fail(start, `the comment is not closed: add ${isLong ? '--}}' : '}}'}`);
    }
    return closing.lastIndex;
  }

  /** Copies the tag up to its closing braces, rewriting strings and segments; the offset after the braces. */
  #readExpression(start: number): number {
    const isTriple = this.#match(/\{\{~?\{/y, start) !== null;
    const closing = isTriple ? /\}~?\}\}/y : /~?\}\}/y;
    let parentheses = 0;
    let at = this.#match(/\{\{~?[{&#/^]?/y, start) ?? start;
    while (at < this.#text.length) {
      const end = this.#match(closing, at);
      if (end !== null) {
        if (/^[{~&]*\s*[}~]*$/.test(this.#text.slice(start, at))) {
          throw this.#fail(start, 'the braces are empty: write a name between them, such as {{name}}');
        }
        return end;
      }
      const character = this.#text[at];
      if (character === '{' || character === '}') break;
      if (character === '(' && ++parentheses > MAX_PARENTHESES) {
        throw this.#fail(at, `more than ${MAX_PARENTHESES} parentheses in one tag`);
      }
      at = this.#readPart(at, character, start);
    }
    const braces = isTriple ? '}}}' : '}}';
    const hint = isTriple ? ' (or, when the first "{" is text, put a space after it)' : '';
    throw this.#fail(start, `"${this.#text.slice(start, start + 20)}" is not closed: add ${braces}${hint}`);
  }

  #readPart(at: number, character: string | undefined, tagStart: number): number {
    if (character === '"' || character === "'") return this.#readString(at, character);
    const isAttached = this.#isAttached(at, tagStart);
    if (character === '[') return isAttached ? this.#readIndex(at) : this.#readSegment(at);
    if (character === '.' && isAttached && !this.#followsNumber(at)) {
      const end = this.#match(WORD_SEGMENT, at);
      if (end !== null) {
        this.#replace(at, end, `.[#${this.#segments.push(this.#text.slice(at + 1, end)) - 1}]`);
        return end;
      }
    }
    return at + 1;
  }

  #readString(at: number, quote: string): number {
    const end = this.#endOfQuoted(at, quote);
    if (end === null) throw this.#fail(at, `the string is not closed: add ${quote}`);
    const value = this.#text.slice(at + 1, end - 1).replaceAll(`\\${quote}`, quote);
    this.#replace(at, end, `"${this.#strings.push(value) - 1}"`);
    return end;
  }

  #readSegment(at: number): number {
    const end = this.#endOfQuoted(at, ']');
    if (end === null) throw this.#fail(at, 'the [segment] is not closed: add ]');
    if (end - at > MAX_SEGMENT_CHARACTERS) {
      throw this.#fail(at, `a name may have at most ${MAX_SEGMENT_CHARACTERS} characters`);
    }
    const value = this.#text.slice(at + 1, end - 1).replace(/\\([\\\]])/g, '$1');
    this.#replace(at, end, `[#${this.#segments.push(value) - 1}]`);
    return end;
  }

  #readIndex(at: number): number {
    const end = this.#match(/\[\s*\d+\s*\]/y, at);
    if (end === null) {
      throw this.#fail(
        at,
        'only a number is allowed in [ ] right after a name, as in items[0]: put a dot before a key, as in customer.[my key]',
      );
    }
    this.#replace(at, end, `.[#${this.#segments.push(this.#text.slice(at + 1, end - 1).trim()) - 1}]`);
    return end;
  }

  /** The offset after the closing character; a backslash keeps the next character from closing. */
  #endOfQuoted(at: number, closing: string): number | null {
    for (let offset = at + 1; offset < this.#text.length; offset++) {
      const character = this.#text[offset];
      if (character === closing) return offset + 1;
      if (character === '\\' && (closing === ']' || this.#text[offset + 1] === closing)) offset++;
    }
    return null;
  }

  /** Whether a name or a segment ends right before `at`. */
  #isAttached(at: number, tagStart: number): boolean {
    const before = this.#text[at - 1] ?? '';
    return at > tagStart + 2 && (before === ']' || NAME_CHARACTER.test(before));
  }

  #followsNumber(at: number): boolean {
    return /(?:^|[\s({=~])-?\d+$/.test(this.#text.slice(Math.max(0, at - 24), at));
  }

  #copyUpTo(end: number): void {
    this.#map.copy(this.#text.slice(this.#copied, end), this.#copied);
    this.#copied = end;
  }

  #replace(start: number, end: number, replacement: string): void {
    this.#copyUpTo(start);
    this.#map.insert(replacement);
    this.#copied = end;
  }

  #match(pattern: RegExp, at: number): number | null {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : null;
  }

  #fail(offset: number, message: string): VariableSyntaxError {
    return new VariableSyntaxError(message, placeAt(this.#text, offset));
  }
}
