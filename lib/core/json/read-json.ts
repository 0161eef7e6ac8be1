// A strict JSON reader for what JSON.parse does not report: the position of an error (its messages differ between versions)
// and the source of a number (a reviver gets it, but takes 14 s for some texts of 10 MB).
import { type JsonObject, type JsonValue, NumberLiteral } from './value.ts';

/** Thrown by {@link readJson}, with the position. */
export class JsonProblem extends Error {
  /** Characters from the start of the text. */
  readonly offset: number;
  /** What was expected, or which rule was broken; follows a colon in the message. */
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
    this.expected = expected;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads one JSON value (RFC 8259, strict) as parse-json.ts describes. Throws {@link JsonProblem} at the first error,
 * including nesting deeper than `maxDepth`.
 */
export function readJson(text: string, maxDepth: number): JsonValue {
  return new Reader(text, maxDepth).readText();
}

class Reader {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  readText(): JsonValue {
    const value = this.#readValue();
    if (this.#skipSpace() === this.#text.length) return value;
    throw new JsonProblem(this.#at, 'the end of the text was expected');
  }

  #readValue(): JsonValue {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#readString();
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) return this.#readContainer(code);
    if (isDigit(code) || code === MINUS) return this.#readNumber();
    if (this.#takeWord('true')) return true;
    if (this.#takeWord('false')) return false;
    if (this.#takeWord('null')) return null;
    throw new JsonProblem(this.#at, 'a value was expected');
  }

  #readContainer(opening: number): JsonValue {
    if (this.#depth >= this.#maxDepth)
      throw new JsonProblem(this.#at, `nested deeper than ${this.#maxDepth} levels`);
    this.#depth++;
    this.#at++;
    const value = opening === OPEN_OBJECT ? this.#readFields() : this.#readElements();
    this.#depth--;
    return value;
  }

  #readElements(): JsonValue[] {
    const elements: JsonValue[] = [];
    this.#skipSpace();
    if (this.#take(CLOSE_ARRAY)) return elements;
    for (;;) {
      elements.push(this.#readValue());
      this.#skipSpace();
      if (this.#take(CLOSE_ARRAY)) return elements;
      if (!this.#take(COMMA)) throw new JsonProblem(this.#at, '"," or "]" was expected');
    }
  }

  #readFields(): JsonObject {
    const fields: JsonObject = {};
    this.#skipSpace();
    if (this.#take(CLOSE_OBJECT)) return fields;
    let expected = 'a property name in double quotes or "}" was expected';
    for (;;) {
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== QUOTE) throw new JsonProblem(this.#at, expected);
      const name = this.#readString();
      this.#skipSpace();
      if (!this.#take(COLON)) throw new JsonProblem(this.#at, '":" was expected');
      setOwn(fields, name, this.#readValue());
      this.#skipSpace();
      if (this.#take(CLOSE_OBJECT)) return fields;
      if (!this.#take(COMMA)) throw new JsonProblem(this.#at, '"," or "}" was expected');
      expected = 'a property name in double quotes was expected';
    }
  }

  #readNumber(): number | NumberLiteral {
    const from = this.#at;
    this.#take(MINUS);
    const leading = this.#text.charCodeAt(this.#at);
    this.#takeDigits();
    if (leading === ZERO) this.#at = from + (this.#text.charCodeAt(from) === MINUS ? 2 : 1);
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#takeDigits();
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at++;
      this.#takeDigits();
    }
    const source = this.#text.slice(from, this.#at);
    const value = Number(source);
    return String(value) === source ? value : new NumberLiteral(source);
  }

  #takeDigits(): void {
    const from = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === from) throw new JsonProblem(from, 'a digit was expected');
  }

  #readString(): string {
    const text = this.#text;
    const from = this.#at++;
    let isEscaped = false;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        this.#skipEscape();
        isEscaped = true;
      } else if (code >= 0x20) {
        this.#at++;
      } else if (this.#at >= text.length) {
        throw new JsonProblem(text.length, 'the string is not closed: a double quote was expected');
      } else {
        throw new JsonProblem(
          this.#at,
          'a control character inside a string must be escaped, as in \\n or \\u0001',
        );
      }
    }
    const end = this.#at++;
    return isEscaped ? (JSON.parse(text.slice(from, end + 1)) as string) : text.slice(from + 1, end);
  }

  #skipEscape(): void {
    const escape = this.#text[++this.#at];
    if (escape === 'u') {
      for (let digit = 1; digit <= 4; digit++) {
        if (!isHexDigit(this.#text.charCodeAt(this.#at + digit)))
          throw new JsonProblem(this.#at + digit, 'four hexadecimal digits were expected after \\u');
      }
      this.#at += 4;
    } else if (escape !== undefined && !'"\\/bfnrt'.includes(escape)) {
      throw new JsonProblem(this.#at, 'after a backslash only " \\ / b f n r t u is allowed');
    }
    this.#at++;
  }

  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.#at;
      this.#at++;
    }
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #takeWord(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }
}

/** Assigning `__proto__` would set the prototype: this makes it an own property, as JSON.parse does. */
function setOwn(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

/** A text that is not JSON. `offset` counts characters from 0 (after a byte order mark), `line` and `column` from 1. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  readonly line: number;
  readonly column: number;

  constructor(message: string, place: { offset: number; line: number; column: number }) {
    super(message);
    this.offset = place.offset;
    this.line = place.line;
    this.column = place.column;
  }
}

/** The line and column (both from 1) of an offset. Lines end as editors count them: after `\n`, `\r\n` or `\r`. */
export function placeAt(text: string, offset: number): { offset: number; line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x0a && code !== 0x0d) continue;
    if (code === 0x0d && at + 1 < offset && text.charCodeAt(at + 1) === 0x0a) at++;
    line++;
    lineStart = at + 1;
  }
  return { offset, line, column: offset - lineStart + 1 };
}
