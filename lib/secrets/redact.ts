// Responses of services may repeat the secrets of their request. Texts are redacted here before they are recorded or shown.
import { type JsonValue, mapTexts } from '#lib/core/json/value.ts';
import { findPlaceholders, MASK, writePlaceholder } from './placeholder-format.ts';
import { writeSecretVariable } from './named-secret.ts';
import type { SecretValue } from './setting-secret.ts';

/** Shorter values occur in too many texts by chance. */
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
 * Creates a redactor that finds secrets in all their usual encodings.
 * @param values by their ids
 * @param as `mask`: every one becomes `••••••`; `placeholder`: an unencoded one gets its id, so that `revealJsonText` can
 *   restore it; `name`: the ids are names, and every one becomes `{{secret.name}}`
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
  return { text, json: (value) => mapTexts(value, text) };
}

/** Redacts the secrets of both. */
export const joinRedactors = (first: Redactor, second: Redactor): Redactor => ({
  text: (text) => second.text(first.text(text)),
  json: (value) => second.json(first.json(value)),
});

const SHOWN_AS = {
  mask: () => MASK,
  placeholder: writePlaceholder,
  name: writeSecretVariable,
} satisfies Record<string, (id: string) => string>;

/** Excerpts are truncated: the end may be the beginning of a secret. */
function hideCutEnd(text: string, forms: readonly Form[]): string {
  for (const form of forms)
    for (let length = Math.min(form.text.length - 1, text.length); length >= MIN_CHARACTERS; length -= 1)
      if (text.endsWith(form.text.slice(0, length))) return text.slice(0, -length) + form.shown;
  return text;
}

/** Restores the secrets of a JSON text's placeholders; unknown ones are removed. */
export const revealJsonText = (json: string, values: ReadonlyMap<string, SecretValue>): string =>
  findPlaceholders(json).reduceRight((revealed, { from, to, id }) => {
    const value = id === undefined ? undefined : values.get(id);
    if (value === undefined) return revealed;
    return revealed.slice(0, from) + escapeJson(String(value)) + revealed.slice(to);
  }, json);

/** Unencoded, as in URLs, forms, JSON and HTML, and as in basic authentication. */
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
 * A text in Base64: alone, and inside a longer one, as the password after the user name in basic authentication. There the
 * encoding depends on its position; only characters that encode nothing else are compared, for each of the three positions.
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
 * A secret in URLs and forms: programs differ in which characters they percent-encode, and in the case of the digits of `%2F`
 * (RFC 3986, 2.1 to 2.4). None where it has no such characters.
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

/** As escaped by JavaScript, by PHP (`\/`), and by Python (ASCII only). */
function inJson(text: string): string[] {
  const escaped = escapeJson(text);
  const inAscii = escaped.replace(/[^\x20-\x7e]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  return [escaped, inAscii].flatMap((each) => [each, each.replaceAll('/', '\\/')]);
}

/** As repeated by an HTML page: quotes may be escaped, in several ways. */
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
