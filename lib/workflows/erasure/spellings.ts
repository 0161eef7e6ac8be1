// Every spelling of a customer's names in stored texts: numbers with or without separators and country code, inside the platform's
// ids of messages, user ids, and what customers call themselves.
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';

/** What stands where something was erased. */
export const ERASED = '[erased]';

/** What may stand between the digits of a number, also in URLs and in escapes of JSON. */
const SEPARATORS = String.raw`(?:[^0-9A-Za-z%\\"]|\(0\)|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}){0,4}`;
/** Before a number, although it ends with a digit: the prefix of calls abroad, a space or a plus in a URL. */
const PREFIX = String.raw`(?:\+|00|%2[0Bb]|%2[Bb]00)?`;
/** A national number has to be this long to be recognized without its country code. */
const LEAST_NATIONAL = 8;
const LONGEST_COUNTRY_CODE = 3;
/** Shorter ones would be found in anything. */
const LEAST_WORD = 2;
/** What could be an id of the platform. */
const ID = /[A-Za-z0-9+/_=.-]{8,}/g;

export interface Subject {
  /** Numbers (digits) and user ids. */
  names: readonly string[];
  /** What they call themselves: only looked for in what belongs to them. */
  words: readonly string[];
}

/** Finds and replaces what says who a customer is. */
export class Spellings {
  /** For PostgreSQL: matches at least every text that contains a name. */
  readonly sql: string;
  /** For PostgreSQL, regardless of case: every text with what the customer calls themselves; null: it is unknown. */
  readonly wordsSql: string | null;
  readonly #names: RegExp;
  readonly #ids: readonly EncodedName[];
  readonly #words: RegExp | null;

  constructor({ names, words }: Subject) {
    const numbers = names.filter((name) => !isUserId(name));
    const parts = [
      ...numbers.flatMap(spellNumber),
      ...names.filter(isUserId).map((id) => `(?<![A-Za-z0-9])${escape(id)}(?![A-Za-z0-9])`),
    ];
    this.#ids = names.flatMap(inBase64);
    this.#names = new RegExp(parts.join('|'), 'gu');
    const exact = [...this.#ids.map(({ part }) => part), ...names.filter(isUserId)];
    this.sql = [...exact.map(escape), ...numbers.map(roughly)].join('|');
    const known = words.map((word) => word.trim()).filter((word) => [...word].length >= LEAST_WORD);
    this.wordsSql = known.length === 0 ? null : known.map(escape).join('|');
    this.#words =
      known.length === 0
        ? null
        : new RegExp(`(?<![\\p{L}\\p{N}])(?:${known.map(escape).join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  }

  /** Whether a text contains a number or user id. */
  isIn(text: string): boolean {
    this.#names.lastIndex = 0;
    return this.#names.test(text) || this.#cleanIds(text) !== text;
  }

  #cleanIds(text: string): string {
    return this.#ids.reduce(
      (cleaned, name) =>
        cleaned.includes(name.part)
          ? cleaned.replaceAll(ID, (id) => (isEncodedIn(id, name) ? ERASED : id))
          : cleaned,
      text,
    );
  }

  /** The text without them. @param withWords also without what the customer calls themselves */
  clean(text: string, withWords: boolean): string {
    const cleaned = this.#cleanIds(text).replace(this.#names, ERASED);
    return withWords && this.#words ? cleaned.replace(this.#words, ERASED) : cleaned;
  }

  /** JSON text in which every value that contains one says that it was erased. A text that is no JSON is cleaned as one. */
  cleanJson(text: string, withWords: boolean): string {
    let value: JsonValue;
    try {
      value = parseJson(text);
    } catch {
      return this.clean(text, withWords);
    }
    return stringifyJson(this.#cleanValue(value, withWords));
  }

  #cleanValue(value: JsonValue, withWords: boolean): JsonValue {
    if (Array.isArray(value)) return value.map((each) => this.#cleanValue(each, withWords));
    if (isObject(value)) {
      const entries = Object.entries(value).map(([key, each]): [string, JsonValue] => [
        this.clean(key, false),
        this.#cleanValue(each, withWords),
      ]);
      return Object.fromEntries(entries);
    }
    const text = textOf(value);
    return text !== null && this.clean(text, withWords) !== text ? ERASED : value;
  }

  /** Whether a JSON text is about several of which the customer is one: a name is inside an array with others. */
  isOneOfMany(text: string): boolean {
    try {
      return this.#isInList(parseJson(text));
    } catch {
      return false;
    }
  }

  #isInList(value: JsonValue): boolean {
    if (Array.isArray(value))
      return value.length > 1
        ? value.some((each) => this.isIn(stringifyJson(each)))
        : value.some((each) => this.#isInList(each));
    return isObject(value) && Object.values(value).some((each) => this.#isInList(each));
  }
}

/** A number keeps its digits as an object of its own, which writes itself (lib/core/json). */
const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);

const textOf = (value: JsonValue): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || value === null ? null : stringifyJson(value);
};

const escape = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);

/** Patterns of a number: its digits anywhere, and its digits with separators. */
function spellNumber(number: string): string[] {
  const spell = (digits: string, before: string): string =>
    `(?<![0-9])${PREFIX}${before}${[...digits].join(SEPARATORS)}(?![0-9])`;
  return [number, spell(number, ''), ...nationalOf(number).map((digits) => spell(digits, ''))];
}

/** As it is dialed in its own country: with a zero, or in North America without anything, instead of the country code. */
function nationalOf(number: string): string[] {
  const lengths = Array.from({ length: LONGEST_COUNTRY_CODE }, (_, index) => index + 1);
  return lengths.flatMap((length) => {
    const rest = number.slice(length);
    if (rest.length < LEAST_NATIONAL) return [];
    return length === 1 && number.startsWith('1') ? [`0${rest}`, rest] : [`0${rest}`];
  });
}

/** As `spellNumber`, without its limits. */
const roughly = (number: string): string =>
  [...number.slice(Math.min(LONGEST_COUNTRY_CODE, Math.max(0, number.length - LEAST_NATIONAL)))].join(
    SEPARATORS,
  );

const BITS = { ofByte: 8, ofCharacter: 6 };

/** A name as it is in base64, where this many bytes of the group of three are before it. */
interface EncodedName {
  bytes: Buffer;
  before: number;
  /** The characters that only depend on the name, and how many there are before it in the group. */
  part: string;
  start: number;
}

/** The platform's ids of messages contain the customer's number. */
function inBase64(name: string): EncodedName[] {
  const bytes = Buffer.from(name, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const start = Math.ceil((before * BITS.ofByte) / BITS.ofCharacter);
    const end = Math.floor(((before + bytes.length) * BITS.ofByte) / BITS.ofCharacter);
    const part = encoded.slice(start, end);
    return part.length < LEAST_NATIONAL ? [] : [{ bytes, before, part, start }];
  });
}

/** The characters alone could be of another name: the last one may share a character with what follows. */
function isEncodedIn(text: string, { bytes, before, part, start }: EncodedName): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const decoded = Buffer.from(text.slice(Math.max(0, at - start)), 'base64');
    if (at >= start && decoded.subarray(before, before + bytes.length).equals(bytes)) return true;
  }
  return false;
}
