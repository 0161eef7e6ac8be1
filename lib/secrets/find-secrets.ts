// Finds secrets in a text of settings: values with secret names, credentials in URLs and bodies, and tokens of well-known
// shapes. Variables hold no secret themselves; the text around and inside them may.
import { isSecretName } from '#lib/core/secret-names.ts';
import { findPlaceholders } from './placeholder-format.ts';

// Finds values by the names in front of them: fields of JSON (also inside strings), XML and forms, URL parameters, header
// lines. Texts with variables are no valid JSON, so that nothing is parsed.

/** Part of a text, from its first character to before `to`. */
interface Span {
  from: number;
  to: number;
}

export interface NamedValue extends Span {
  name: string;
}

/** Replaces each character that is no literal text. */
const FILLER = '\uE000';

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
function findNamedValues(text: string, isWanted: (name: string) => boolean): NamedValue[] {
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

export interface SecretPlace extends Span {
  /** Name of the value; undefined for tokens recognized by their shape. */
  name: string | undefined;
}

/** A variable, possibly not closed yet, or a placeholder. */
interface Atom extends Span {
  isPlaceholder: boolean;
}

const SCHEME =
  /^\s*(?:(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Negotiate|Key|GenieKey|SSWS|Bot|OAuth)\s+)?/i;
const TAG = /\{\{\{?(?:"[^"]*"|'[^']*'|[^{}"',:])*\}?\}\}|\{\{[^\s"'&<>{},:]*/g;
const TAG_TEXT = /"([^"]*)"|'([^']*)'/g;

/** The groups are the secrets. */
const SHAPES = [
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/([^\s/?#"'<>\\:]*)(?::([^\s/?#"'<>\\]*))?@/dgi,
  /\bBearer\s+([\w.~+/=-]{8,})/dgi,
  /\b((?:sk|rk)_(?:live|test)_\w{8,}|sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,})/dg,
  /\b(SG\.[\w-]{16,200}\.[\w-]{16,}|AIza[\w-]{30,}|EAA[A-Za-z0-9]{20,}|eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]*)/dg,
  /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/-]+)/dg,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/([\w-]+)/dg,
];

/**
 * The spans of a text that hold secrets: variables, placeholders and literal text.
 * @param name the name of the whole text's value, such as a header
 */
export const findSecretPlaces = (text: string, name?: string): SecretPlace[] =>
  placesIn(text, name, findAtoms(text));

/** Replacing one secret may reveal another, where quotes do not match. */
const MAX_PASSES = 10;

/** Replaces every literal part of secrets in a text, except variables and placeholders. Idempotent. */
export function replaceSecrets(
  text: string,
  name: string | undefined,
  replace: (secret: string) => string,
): string {
  let replaced = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = replaced;
    replaced = replaceOnce(before, name, replace);
    if (replaced === before) break;
  }
  return replaced;
}

function replaceOnce(text: string, name: string | undefined, replace: (secret: string) => string): string {
  let [replaced, end] = ['', 0];
  for (const { from, to } of findLiterals(text, name)) {
    replaced += text.slice(end, from) + replace(text.slice(from, to));
    end = to;
  }
  return end === 0 ? text : replaced + text.slice(end);
}

function findLiterals(text: string, name: string | undefined): Span[] {
  const atoms = findAtoms(text);
  const spans = mergeOverlaps(placesIn(text, name, atoms));
  let next = 0;
  return spans.flatMap((span) => {
    while ((atoms[next]?.to ?? Infinity) <= span.from) next += 1;
    const inside: Atom[] = [];
    for (let atom = atoms[next]; atom && atom.from < span.to; atom = atoms[next + inside.length])
      inside.push(atom);
    return literalsIn(text, span, inside);
  });
}

function placesIn(text: string, name: string | undefined, atoms: readonly Atom[]): SecretPlace[] {
  if (name !== undefined && isSecretName(name)) return [{ from: schemeEnd(text), to: text.length, name }];
  const filled = fillAtoms(text, atoms);
  const named = findNamedValues(filled, isSecretName).map((value) => ({
    ...value,
    from: value.from + schemeEnd(filled.slice(value.from, value.to)),
  }));
  const shaped = SHAPES.flatMap((shape) =>
    [...filled.matchAll(shape)].flatMap(({ indices }) =>
      (indices ?? []).slice(1).flatMap((group: [number, number] | undefined) => {
        return group ? [{ from: group[0], to: group[1], name: undefined }] : [];
      }),
    ),
  );
  return [...named, ...shaped];
}

const schemeEnd = (value: string): number => SCHEME.exec(value)?.[0].length ?? 0;

/** In their order. A placeholder inside a variable is part of it. */
function findAtoms(text: string): Atom[] {
  const tags = [...text.matchAll(TAG)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
    isPlaceholder: false,
  }));
  const placeholders = findPlaceholders(text).map(({ from, to }) => ({ from, to, isPlaceholder: true }));
  if (placeholders.length === 0) return tags;
  const sorted = [...tags, ...placeholders].sort((a, b) => a.from - b.from);
  return sorted.filter(({ from }, index) => from >= (sorted[index - 1]?.to ?? 0));
}

function fillAtoms(text: string, atoms: readonly Atom[]): string {
  let [filled, end] = ['', 0];
  for (const { from, to } of atoms) {
    filled += text.slice(end, from) + FILLER.repeat(to - from);
    end = to;
  }
  return filled + text.slice(end);
}

function mergeOverlaps(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from < last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** The literal parts of a span: around its variables, and text inside them. */
function literalsIn(text: string, { from, to }: Span, atoms: readonly Atom[]): Span[] {
  if (atoms.length === 0) return trimmed(text, { from, to }, /\S/);
  const spans: Span[] = [];
  let start = from;
  for (const atom of atoms) {
    if (atom.from > start) spans.push({ from: start, to: atom.from });
    if (!atom.isPlaceholder) spans.push(...textsInTag(text, atom));
    start = Math.max(start, atom.to);
  }
  if (start < to) spans.push({ from: start, to });
  return spans.flatMap((span) => trimmed(text, span, /[\p{L}\p{N}]/u));
}

const textsInTag = (text: string, { from, to }: Span): Span[] =>
  [...text.slice(from, to).matchAll(TAG_TEXT)].flatMap(({ index, 0: quoted }) => {
    const span = { from: from + index + 1, to: from + index + quoted.length - 1 };
    return findPlaceholders(text.slice(span.from, span.to)).length === 0 ? [span] : [];
  });

/** Without surrounding spaces; nothing when the rest is no secret. */
function trimmed(text: string, { from, to }: Span, worth: RegExp): Span[] {
  const part = text.slice(from, to);
  if (!worth.test(part)) return [];
  const start = from + part.length - part.trimStart().length;
  return [{ from: start, to: start + part.trim().length }];
}
