// Parses a text as an answer of the expected kind: users write numbers, dates and addresses in many ways, and later tasks get
// one format. Ambiguous texts are not answers.
import { readInstant } from '#lib/variables/formats.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { AnswerKind, DateOrder, NumberFormat } from './rules.ts';

export interface Expected {
  kind: AnswerKind;
  /** Separated by commas. */
  accepted: string;
  numberFormat: NumberFormat;
  dateOrder: DateOrder;
}

/**
 * The answer in a text, in one format: a number as `-1250.5`, a date as `2030-05-12` (with a time as written), an email address
 * without surrounding text, a list item as listed. Undefined: an unexpected answer.
 */
export function readExpected(
  text: string,
  { kind, accepted, numberFormat, dateOrder }: Expected,
): string | undefined {
  const said = text.normalize('NFKC').trim();
  switch (kind) {
    case 'any':
      return text;
    case 'number':
      return readNumber(said, numberFormat);
    case 'date':
      return readDate(said, dateOrder);
    case 'email':
      return /^<?(?:mailto:)?([^\s@<>]+@[^\s@<>]+\.[^\s@<>.,;:!?]+)>?[.,;:!?]*$/i.exec(said)?.[1];
    case 'one_of': {
      const listed = accepted.split(',').flatMap((each) => each.trim() || []);
      const place = findLabel(text, listed);
      return place === undefined ? undefined : listed[place];
    }
  }
}

const NUMBERS: Readonly<Record<NumberFormat, RegExp>> = {
  point: /^([+-]?)(\d+|\d{1,3}(?:([ ,'’])\d{3})(?:\3\d{3})*)(?:\.(\d+))?$/,
  comma: /^([+-]?)(\d+|\d{1,3}(?:([ .'’])\d{3})(?:\3\d{3})*)(?:,(\d+))?$/,
};

/** A currency sign may precede or follow it, and a period may end it. */
function readNumber(said: string, format: NumberFormat): string | undefined {
  const plain = said
    .replaceAll('−', '-')
    .replace(/^([+-]?)\p{Sc}\s*|\s*\p{Sc}$/gu, '$1')
    .replace(/[.!]$/, '');
  const [whole, sign = '', digits = '', , decimals] = NUMBERS[format].exec(plain) ?? [];
  if (whole === undefined) return format === 'point' ? numberSource(plain) : undefined;
  const written = `${sign === '-' ? '-' : ''}${digits.replaceAll(/\D/g, '')}`;
  return decimals === undefined ? written : `${written}.${decimals}`;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FULL_MONTHS =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/;

/** ISO 8601, numbers with the year at the end, or the name of a month in English; the year has four digits. */
function readDate(said: string, order: DateOrder): string | undefined {
  const plain = said.replace(/[.!]$/, '');
  if (/^\d{4}-/.test(plain) && readInstant(plain) !== undefined) return plain;
  const isoLike = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(plain);
  if (isoLike) return toDate(isoLike[1], isoLike[2], isoLike[3]);
  const numbers = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4})$/.exec(plain);
  if (numbers) {
    const [, first, separator, second, year] = numbers;
    // With periods, months never come first.
    return order === 'day' || separator === '.' ? toDate(year, second, first) : toDate(year, first, second);
  }
  const words = plain
    .toLowerCase()
    .split(/[\s.,]+/)
    .filter((word) => word !== '' && word !== 'of' && word !== 'the');
  const [first = '', second = '', year, ...more] = words;
  if (more.length > 0 || !/^\d{4}$/.test(year ?? '')) return undefined;
  const [name, day] = /^\d/.test(first) ? [second, first] : [first, second];
  if (!FULL_MONTHS.test(name)) return undefined;
  const month = MONTHS.indexOf(name.slice(0, 3)) + 1;
  return toDate(year, String(month), /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(day)?.[1]);
}

/** Undefined where the calendar has no such day. */
function toDate(year = '', month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return readInstant(date) === undefined ? undefined : date;
}

// Labels as users write them: "yes!" is "👍 Yes".

/** The label that matches a text: an equal one, else the only one that contains its words. */
export function findLabel(text: string, labels: readonly string[]): number | undefined {
  const alike = labels.findIndex((label) => toPlain(label) === toPlain(text));
  if (alike >= 0) return alike;
  const words = toWords(text);
  const places = labels.flatMap((label, place) => (words !== '' && toWords(label) === words ? [place] : []));
  return places.length === 1 ? places[0] : undefined;
}

const toPlain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** The letters and digits of a text, without punctuation and emoji; U+FE0F and U+20E3 are parts of emoji. */
const toWords = (text: string): string =>
  toPlain(text)
    .replaceAll(/[\u{FE0F}\u{20E3}]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');
