// Finds values by the names in front of them: fields of JSON (also inside strings), XML and forms, URL parameters, header
// lines. Texts with variables are no valid JSON, so that nothing is parsed.

/** Part of a text, from its first character to before `to`. */
export interface Span {
  from: number;
  to: number;
}

export interface NamedValue extends Span {
  name: string;
}

/** Replaces each character that is no literal text. */
export const FILLER = '\uE000';

const HEAD = /(?<![\w.\-[\]%$@])([\w.\-[\]%$@]{1,200})(?:\\{0,8}["'])?\s{0,40}([:=])\s{0,40}/g;
const ELEMENT = /<([\w:.-]{1,200})(?:\s[^<>]*)?>([^<]+)<\/\1\s*>/dg;
const QUOTE = /(\\{0,8})(["'])/y;
/** A number in JSON, or a text without the quotes it should have. */
const BARE = /(?!(?:true|false|null)\b)[^\s,"'<>[\]{}]*/y;
const WORD = /[^\s&#"'<>]*/y;
const FORM_VALUE = /[^&\r\n]*/y;
const LINE = /[^\r\n]*/y;

type Mode = 'markup' | 'url' | 'plain';

/** The values of the wanted names, without their quotes. */
export function findNamedValues(text: string, isWanted: (name: string) => boolean): NamedValue[] {
  const mode = modeOf(text);
  const values: NamedValue[] = [];
  /** Names inside a value that was found are part of it. */
  let takenTo = 0;
  for (const match of text.matchAll(HEAD)) {
    const name = decode(match[1] ?? '');
    if (!isWanted(name)) continue;
    const start = match.index + match[0].length;
    if (start < takenTo) continue;
    const spans = valuesAt(text, start, { mode, isField: match[2] === ':' });
    takenTo = spans.at(-1)?.to ?? start;
    for (const span of spans) values.push({ name, ...span });
  }
  for (const { 1: name = '', indices } of text.matchAll(ELEMENT)) {
    const [from, to] = indices?.[2] ?? [0, 0];
    if (isWanted(name)) values.push({ name, from, to });
  }
  return values;
}

function modeOf(text: string): Mode {
  if (/^\s*[{[<]/.test(text)) return 'markup';
  return /^\s*[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? 'url' : 'plain';
}

function valuesAt(text: string, from: number, { mode, isField }: { mode: Mode; isField: boolean }): Span[] {
  if (isField && text[from] === '[') return elementsAt(text, from);
  const quoted = quotedAt(text, from);
  // In a form a quote is an ordinary character.
  if (quoted && (mode !== 'plain' || isField)) return [quoted];
  if (isField && mode !== 'plain') return mode === 'url' ? [] : matchAt(BARE, text, from);
  return matchAt(mode === 'plain' ? (isField ? LINE : FORM_VALUE) : WORD, text, from);
}

function matchAt(pattern: RegExp, text: string, from: number): Span[] {
  pattern.lastIndex = from;
  return pattern.test(text) ? [{ from, to: pattern.lastIndex }] : [];
}

/** A quoted text, also one in a JSON string, whose quotes have backslashes; an unclosed one ends with the text. */
function quotedAt(text: string, at: number): Span | undefined {
  QUOTE.lastIndex = at;
  const [open, slashes = '', quote = ''] = QUOTE.exec(text) ?? [];
  if (open === undefined) return undefined;
  const from = at + open.length;
  for (let end = text.indexOf(quote, from); end !== -1; end = text.indexOf(quote, end + 1)) {
    const before = slashesBefore(text, end, from);
    const isEscaped = slashes === '' ? before % 2 === 1 : before > slashes.length;
    if (!isEscaped) return { from, to: end - (slashes === '' ? 0 : before) };
  }
  return { from, to: text.length };
}

function slashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text[at - count - 1] === '\\') count += 1;
  return count;
}

/** The texts of a list that contains only texts. */
function elementsAt(text: string, from: number): Span[] {
  const spans: Span[] = [];
  for (let at = from + 1; at < text.length && !/[[\]{}]/.test(text[at] ?? ''); at += 1) {
    const quoted = quotedAt(text, at);
    if (!quoted) continue;
    spans.push(quoted);
    at = quoted.to + 1;
  }
  return spans;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
