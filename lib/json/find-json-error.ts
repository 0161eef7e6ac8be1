// Finds where a text stops being JSON. parse-json.ts calls it only after JSON.parse has refused the text (its own
// messages differ from version to version) or when the text may be nested too deeply. Iterative: no input can
// overflow the stack.

export interface JsonProblem {
  /** Characters from the start of the text. */
  offset: number;
  /** What was expected, or which rule was broken; follows after a colon. */
  expected: string;
}

type Container = '{' | '[';

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WHITESPACE = /[ \t\n\r]*/y;

/**
 * The first place where `text` breaks RFC 8259 or is nested deeper than `maxDepth`; null when it is JSON.
 */
export function findJsonError(text: string, maxDepth: number): JsonProblem | null {
  const open: Container[] = [];
  let at = skipWhitespace(text, 0);
  for (;;) {
    const opened = text[at];
    if (opened === '{' || opened === '[') {
      if (open.length >= maxDepth) return { offset: at, expected: `nested deeper than ${maxDepth} levels` };
      const next = skipWhitespace(text, at + 1);
      if (text[next] !== (opened === '{' ? '}' : ']')) {
        open.push(opened);
        at = next;
        if (opened === '{') {
          const property = readPropertyName(text, at, 'a property name in double quotes or "}" was expected');
          if (typeof property !== 'number') return property;
          at = property;
        }
        continue;
      }
      at = next + 1;
    } else {
      const scalar = readScalar(text, at);
      if (typeof scalar !== 'number') return scalar;
      at = scalar;
    }
    const following = readAfterValue(text, at, open);
    if (typeof following !== 'number') return following;
    if (following === text.length && open.length === 0) return null;
    at = following;
  }
}

/** Closes containers and steps over one comma (and a property name): where the next value starts, or the end. */
function readAfterValue(text: string, from: number, open: Container[]): number | JsonProblem {
  let at = skipWhitespace(text, from);
  for (;;) {
    const container = open.at(-1);
    if (container === undefined) {
      return at === text.length ? at : { offset: at, expected: 'the end of the text was expected' };
    }
    const closing = container === '{' ? '}' : ']';
    if (text[at] === closing) {
      open.pop();
      at = skipWhitespace(text, at + 1);
      continue;
    }
    if (text[at] !== ',') return { offset: at, expected: `"," or "${closing}" was expected` };
    at = skipWhitespace(text, at + 1);
    if (container === '[') return at;
    return readPropertyName(text, at, 'a property name in double quotes was expected');
  }
}

function readPropertyName(text: string, from: number, expected: string): number | JsonProblem {
  if (text[from] !== '"') return { offset: from, expected };
  const end = readString(text, from);
  if (typeof end !== 'number') return end;
  const colon = skipWhitespace(text, end);
  if (text[colon] !== ':') return { offset: colon, expected: '":" was expected' };
  return skipWhitespace(text, colon + 1);
}

function readScalar(text: string, at: number): number | JsonProblem {
  if (text[at] === '"') return readString(text, at);
  const end = match(WORD, text, at) ?? match(NUMBER, text, at);
  if (end === null) {
    const expected = text[at] === '-' ? { offset: at + 1, expected: 'a digit was expected' } : null;
    return expected ?? { offset: at, expected: 'a value was expected' };
  }
  const last = text.charCodeAt(end - 1);
  const isNumber = last >= 0x30 && last <= 0x39;
  const next = text[end];
  if (isNumber && (next === '.' || next === 'e' || next === 'E')) return brokenNumber(text, end);
  return end;
}

function brokenNumber(text: string, end: number): JsonProblem {
  const sign = text[end] !== '.' && (text[end + 1] === '+' || text[end + 1] === '-') ? 1 : 0;
  return { offset: end + 1 + sign, expected: 'a digit was expected' };
}

function readString(text: string, from: number): number | JsonProblem {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) {
      return {
        offset: at,
        expected: 'a control character inside a string must be escaped, as in \\n or \\u0001',
      };
    }
    if (code !== 0x5c) continue;
    const escape = text[++at];
    if (escape === undefined) break;
    if (escape === 'u') {
      for (let digit = 1; digit <= 4; digit++) {
        if (!/[0-9a-fA-F]/.test(text[at + digit] ?? '')) {
          return { offset: at + digit, expected: 'four hexadecimal digits were expected after \\u' };
        }
      }
      at += 4;
    } else if (!'"\\/bfnrt'.includes(escape)) {
      return { offset: at, expected: 'after a backslash only " \\ / b f n r t u may stand' };
    }
  }
  return { offset: text.length, expected: 'the string is not closed: a double quote was expected' };
}

function skipWhitespace(text: string, at: number): number {
  return match(WHITESPACE, text, at) ?? at;
}

function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
