import { isLocale, isZone } from '#lib/core/time/zones.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';
import { formatDate, formatDecimal, readInstant } from './formats.ts';
import { numberSource, toText } from './to-text.ts';

type Values = readonly (JsonValue | undefined)[];

interface NamedValue {
  readonly name: string;
  /** Of a text in the settings. */
  readonly findProblem: (text: string) => string | undefined;
  /** It may name the owner of a time zone, too. */
  readonly isZone?: true;
}

/** A named formatting helper, for evaluation and for lists in screens and docs. */
export interface Helper {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
  /** What the editor writes after the value into a new text. */
  readonly added?: string;
  readonly example: { readonly text: string; readonly result: string };
  /** Minimum number of values. */
  readonly minimum: number;
  readonly maximum: number;
  /** Values that are written with a name, as in `zone="UTC"`; they come after `maximum` others, in this order. */
  readonly named?: readonly NamedValue[];
  readonly apply: (values: Values) => JsonValue | undefined;
}

const MAX_DECIMALS = 20;

/** All helpers; other names are refused when a text is parsed. */
export const HELPERS: readonly Helper[] = [
  {
    name: 'upper',
    signature: 'upper value',
    description: 'The text in capital letters.',
    example: { text: '{{upper "abc"}}', result: 'ABC' },
    minimum: 1,
    maximum: 1,
    apply: ([value]) => toText(value).toUpperCase(),
  },
  {
    name: 'lower',
    signature: 'lower value',
    description: 'The text in small letters.',
    example: { text: '{{lower "ABC"}}', result: 'abc' },
    minimum: 1,
    maximum: 1,
    apply: ([value]) => toText(value).toLowerCase(),
  },
  {
    name: 'trim',
    signature: 'trim value',
    description: 'Removes spaces and line breaks at both ends.',
    example: { text: '{{trim "  abc "}}', result: 'abc' },
    minimum: 1,
    maximum: 1,
    apply: ([value]) => toText(value).trim(),
  },
  {
    name: 'default',
    signature: 'default value fallback',
    description: 'The value, or the fallback when it is missing, null or empty text.',
    example: { text: '{{default missing "friend"}}', result: 'friend' },
    minimum: 2,
    maximum: 2,
    apply: ([value, fallback]) => (value === undefined || value === null || value === '' ? fallback : value),
  },
  {
    name: 'json',
    signature: 'json value',
    description: 'The value as JSON; null when it is missing.',
    example: { text: '{{json "say \\"hi\\""}}', result: '"say \\"hi\\""' },
    minimum: 1,
    maximum: 1,
    apply: ([value]) => stringifyJson(value ?? null),
  },
  {
    name: 'number',
    signature: 'number value decimals',
    description: 'The number with that many decimals: 0 to 20, 2 if left out.',
    example: { text: '{{number 12.5 2}}', result: '12.50' },
    minimum: 1,
    maximum: 2,
    apply: ([value, decimals]) => formatNumber(value, decimals),
  },
  {
    name: 'date',
    signature: 'date value format zone=zone locale=language',
    description:
      'An ISO 8601 date or a Unix time, in UTC or the zone ("workspace", "customer" or one such as "Europe/Berlin"), with names in English or the language. YYYY YY MMMM MMM MM M DD D dddd ddd HH mm ss; "YYYY-MM-DD" if left out.',
    example: {
      text: '{{date "2026-11-20T09:15:27Z" "D MMMM YYYY, HH:mm"}}',
      result: '20 November 2026, 09:15',
    },
    added: '"D MMMM YYYY, HH:mm" zone="workspace"',
    minimum: 1,
    maximum: 2,
    named: [
      {
        name: 'zone',
        isZone: true,
        findProblem: (text) =>
          isZone(text)
            ? undefined
            : `there is no time zone "${text}": write "workspace", "customer" or one such as "Europe/Berlin"`,
      },
      {
        name: 'locale',
        findProblem: (text) =>
          isLocale(text) ? undefined : `there is no language "${text}": write one such as "de" or "pt-BR"`,
      },
    ],
    apply: ([value, format, zone, locale]) => {
      const instant = readInstant(value);
      const options = { zone: toNamed(zone, isZone), locale: toNamed(locale, isLocale) };
      return instant && formatDate(instant, toText(format) || 'YYYY-MM-DD', options);
    },
  },
  {
    name: 'join',
    signature: 'join list separator',
    description: 'The elements of a list joined into one text, separated by the separator (default ", ").',
    example: { text: '{{join list " / "}}', result: 'a / b' },
    minimum: 1,
    maximum: 2,
    apply: ([list, separator]) =>
      Array.isArray(list) ? list.map(toText).join(separator === undefined ? ', ' : toText(separator)) : list,
  },
  {
    name: 'length',
    signature: 'length value',
    description: 'How many elements a list has, or characters a text.',
    example: { text: '{{length "abc"}}', result: '3' },
    minimum: 1,
    maximum: 1,
    apply: ([value]) => lengthOf(value),
  },
  {
    name: 'urlencode',
    signature: 'urlencode value',
    description: 'The text in a form that is safe in a URL.',
    example: { text: '{{urlencode "a b&c"}}', result: 'a%20b%26c' },
    minimum: 1,
    maximum: 1,
    apply: ([value]) => encodeURIComponent(toText(value).toWellFormed()),
  },
];

const byName = new Map(HELPERS.map((helper) => [helper.name, helper]));

/** The helper of that name, or undefined. */
export function findHelper(name: string): Helper | undefined {
  return byName.get(name);
}

/** A value that is missing or not one, as of a variable, is left out. */
function toNamed(value: JsonValue | undefined, isValid: (text: string) => boolean): string | undefined {
  const text = toText(value).trim();
  return isValid(text) ? text : undefined;
}

function formatNumber(value: JsonValue | undefined, decimals: JsonValue | undefined): JsonValue | undefined {
  const source = numberSource(value);
  const places = Math.trunc(Number(numberSource(decimals) ?? 2));
  if (source === undefined || !(places >= 0 && places <= MAX_DECIMALS)) return undefined;
  const formatted = formatDecimal(source, places);
  return formatted === undefined ? undefined : new NumberLiteral(formatted);
}

function lengthOf(value: JsonValue | undefined): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return undefined;
  let characters = 0;
  for (const _character of toText(value)) characters++;
  return characters;
}
