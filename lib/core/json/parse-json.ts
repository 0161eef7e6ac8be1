import { JsonSyntaxError, JsonProblem, readJson, placeAt } from './read-json.ts';
import type { JsonValue } from './value.ts';

/** Levels of objects and arrays; a text nested deeper is refused (docs/webhooks.md). */
export const MAX_JSON_DEPTH = 200;

/**
 * Numbers whose digits a JavaScript number may change: more than 15 digits, an exponent, a trailing zero after the point, six
 * zeros after `0.`, minus zero. It may also match inside a string, which only costs time.
 */
const MAY_LOSE_DIGITS = /[[:,]\s*(?:-0(?!\.)|-?\d(?:\d*(?:\.\d*)?[eE]|\d*\.\d*0(?!\d)|[\d.]{15}|\.0{6}))/;

/**
 * Parses one JSON value (RFC 8259, strict). Numbers keep their digits ({@link NumberLiteral}), a property called `__proto__`
 * is an own property, the last of duplicate keys wins, one leading byte order mark is skipped. Throws {@link JsonSyntaxError}
 * with the position when the text is not JSON or nested deeper than 200 levels.
 */
export function parseJson(text: string): JsonValue {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (mayLoseDigits(body) || mayBeTooDeep(body)) return readWithPlace(body);
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return readWithPlace(body);
  }
}

function mayLoseDigits(text: string): boolean {
  const first = text.charCodeAt(0);
  const startsWithContainer = first === 0x7b || first === 0x5b;
  return !startsWithContainer || MAY_LOSE_DIGITS.test(text);
}

function mayBeTooDeep(text: string): boolean {
  return text.length > 2 * MAX_JSON_DEPTH && countUpTo(text, '{') + countUpTo(text, '[') > MAX_JSON_DEPTH
    ? nestingOf(text) > MAX_JSON_DEPTH
    : false;
}

// indexOf costs a fraction of JSON.parse; a loop over the characters would cost as much.
function countUpTo(text: string, character: string): number {
  let count = 0;
  let at = text.indexOf(character);
  while (at !== -1 && count <= MAX_JSON_DEPTH) {
    count++;
    at = text.indexOf(character, at + 1);
  }
  return count;
}

/** The deepest nesting, or the first level beyond the limit. Only exact for valid JSON. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > deepest) deepest = depth;
      if (deepest > MAX_JSON_DEPTH) break;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return deepest;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return text.length;
}

function readWithPlace(text: string): JsonValue {
  try {
    return readJson(text, MAX_JSON_DEPTH);
  } catch (problem) {
    if (!(problem instanceof JsonProblem)) throw problem;
    const place = placeAt(text, problem.offset);
    const found = foundAt(text, problem);
    throw new JsonSyntaxError(
      `${found} at line ${place.line}, column ${place.column}: ${problem.expected}`,
      place,
    );
  }
}

function foundAt(text: string, problem: JsonProblem): string {
  if (problem.offset >= text.length) return 'Unexpected end';
  const character = String.fromCodePoint(text.codePointAt(problem.offset) ?? 0xfffd);
  return `Unexpected ${character === '"' ? 'double quote' : JSON.stringify(character)}`;
}
