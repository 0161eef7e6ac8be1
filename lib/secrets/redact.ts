// What services answer may repeat what they were sent. Texts that are recorded or shown pass here first.
import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import { findPlaceholders, MASK, writePlaceholder } from './placeholder-format.ts';
import { writeSecretVariable } from './named-secret.ts';
import type { SecretValue } from './setting-secret.ts';

/** What is shorter stands in too many texts by chance. */
export const MIN_CHARACTERS = 6;

export interface Redactor {
  text: (text: string) => string;
  json: (value: JsonValue) => JsonValue;
}

interface Form {
  text: string;
  shown: string;
}

const NONE: Redactor = { text: (text) => text, json: (value) => value };

/**
 * Gives what hides secrets, in whatever way they are usually written.
 * @param values by their ids
 * @param as `mask`: every one becomes `••••••`; `placeholder`: one that is written as it is gets its id, so that
 *   `revealJsonText` finds its value again; `name`: the ids are names, and every one becomes `{{secret.name}}`.
 */
export function createRedactor(
  values: ReadonlyMap<string, SecretValue>,
  as: 'mask' | 'placeholder' | 'name' = 'mask',
): Redactor {
  const forms = [...values]
    .flatMap(([id, value]) => formsOf(String(value), SHOWN_AS[as](id), as === 'name'))
    .filter(({ text }) => text.length >= MIN_CHARACTERS)
    .sort((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return NONE;
  const patterns = [...values].flatMap(([id, value]) =>
    urlPatternsOf(String(value)).map((pattern) => ({
      pattern,
      shown: as === 'name' ? SHOWN_AS.name(id) : MASK,
    })),
  );
  const text = (each: string): string => {
    const clean = forms.reduce((rest, form) => rest.replaceAll(form.text, () => form.shown), each);
    const inUrls = patterns.reduce((rest, { pattern, shown }) => rest.replace(pattern, () => shown), clean);
    return hideCutEnd(inUrls, forms);
  };
  return { text, json: (value) => redactJson(value, text) };
}

/** What hides the secrets of one and then of the other. */
export const joinRedactors = (first: Redactor, second: Redactor): Redactor => ({
  text: (text) => second.text(first.text(text)),
  json: (value) => second.json(first.json(value)),
});

const SHOWN_AS = {
  mask: () => MASK,
  placeholder: writePlaceholder,
  name: writeSecretVariable,
} satisfies Record<string, (id: string) => string>;

/** Excerpts of answers are cut at a length: the last one may have begun with a secret. */
function hideCutEnd(text: string, forms: readonly Form[]): string {
  for (const form of forms)
    for (let length = Math.min(form.text.length - 1, text.length); length >= MIN_CHARACTERS; length -= 1)
      if (text.endsWith(form.text.slice(0, length))) return text.slice(0, -length) + form.shown;
  return text;
}

/** JSON with the secrets of its placeholders; those of other placeholders are left out. */
export const revealJsonText = (json: string, values: ReadonlyMap<string, SecretValue>): string =>
  findPlaceholders(json).reduceRight((revealed, { from, to, id }) => {
    const value = id === undefined ? undefined : values.get(id);
    if (value === undefined) return revealed;
    return revealed.slice(0, from) + escapeJson(String(value)) + revealed.slice(to);
  }, json);

/** As it is, as in URLs, forms, JSON and HTML, and as basic authentication sends it. */
function formsOf(secret: string, shown: string, isShownInAll: boolean): Form[] {
  const others = [secret, decode(secret)].flatMap((form) => [
    form,
    ...inUrls(form),
    ...inJson(form),
    ...inHtml(form),
    ...inBase64(form).flatMap((encoded) => [encoded, toBase64Url(encoded)]),
  ]);
  const forms = [...new Set(others)]
    .filter((text) => text !== secret)
    .map((text) => ({ text, shown: isShownInAll ? shown : MASK }));
  return [{ text: secret, shown }, ...forms];
}

/**
 * A text in Base64: alone, and within a longer one, as the password that basic authentication sends behind the user name. There it
 * depends on what stands around it; the characters that hold nothing else are the same for each of three positions.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const within = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const mixedAtEnd = (before + bytes.length) % 3 === 0 ? 0 : 1;
    return encoded.slice(before === 0 ? 0 : before + 1, encoded.length - mixedAtEnd);
  });
  return [bytes.toString('base64').replace(/=+$/, ''), ...within];
}

const toBase64Url = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

const inUrls = (text: string): string[] => [
  encodeURIComponent(text.toWellFormed()),
  new URLSearchParams([['', text]]).toString().slice(1),
];

/**
 * A secret in URLs and forms: which characters are percent-encoded, and in which case the digits of `%2F` are, each program decides
 * otherwise (RFC 3986, 2.1 to 2.4). None where nothing in it is ever encoded.
 */
function urlPatternsOf(secret: string): RegExp[] {
  const each = new Set([secret, decode(secret)]);
  return [...each]
    .filter((text) => text.length >= MIN_CHARACTERS && /[^\w.-]/.test(text))
    .map((text) => new RegExp([...text].map(characterInUrl).join(''), 'g'));
}

function characterInUrl(character: string): string {
  const units = character.split('').map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  const literal = units.join('');
  if (/[\w.-]/.test(character)) return literal;
  const encoded = [...Buffer.from(character)].map((byte) =>
    `%${hex(byte, 2)}`.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`),
  );
  return `(?:${literal}|${encoded.join('')}${character === ' ' ? '|\\+' : ''})`;
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** As JavaScript writes it, as PHP does (`\/`), and as Python does, in ASCII. */
function inJson(text: string): string[] {
  const escaped = escapeJson(text);
  const inAscii = escaped.replace(/[^\x20-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  return [escaped, inAscii].flatMap((each) => [each, each.replaceAll('/', '\\/')]);
}

/** A page that repeats what it was sent: quotes are escaped or not, and written in several ways. */
function inHtml(text: string): string[] {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = escaped.replaceAll('"', '&quot;');
  return [
    escaped,
    quoted,
    ...['&#39;', '&#039;', '&#x27;', '&apos;'].map((quote) => quoted.replaceAll("'", quote)),
    escaped.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
  ];
}

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactJson(value: JsonValue, text: (text: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' || value instanceof NumberLiteral) {
    const shown = text(String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map((each) => redactJson(each, text));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [text(key), redactJson(each, text)]));
}
