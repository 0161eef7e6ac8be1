import { nameIn, toLocal } from '#lib/core/time/zones.ts';
import { type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const TOKENS = /YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|mm|ss/g;
const ISO = /^\d{4}-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
/** Seconds since 1970 stay below this until the year 5138; milliseconds pass it in 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * Reads an instant: ISO 8601 (without an offset it is UTC) or a count of seconds or milliseconds since 1970.
 * Undefined when the value is neither.
 */
export function readInstant(value: JsonValue | undefined): Date | undefined {
  const plain = value instanceof NumberLiteral ? value.source : value;
  if (typeof plain === 'number' || (typeof plain === 'string' && /^-?\d{1,16}(\.\d+)?$/.test(plain))) {
    const count = Number(plain);
    return validDate(Math.abs(count) < FIRST_MILLISECONDS ? count * 1000 : count);
  }
  if (typeof plain !== 'string') return undefined;
  const parts = ISO.exec(plain.trim());
  if (parts === null || !isDayOfMonth(plain.trim())) return undefined;
  const needsZone = parts[3] === undefined && plain.trim().length > 10;
  return validDate(Date.parse(plain.trim().replace(' ', 'T') + (needsZone ? 'Z' : '')));
}

/**
 * Formats an instant. Tokens: YYYY YY MMMM MMM MM M DD D dddd ddd HH mm ss; everything else stands as written.
 * @param options `zone`: of the IANA database, or else UTC; `locale`: the language of names, or else English
 */
export function formatDate(
  date: Date,
  format: string,
  { zone, locale }: { zone?: string | undefined; locale?: string | undefined } = {},
): string {
  const local = zone === undefined ? date : toLocal(date, zone);
  if (locale === undefined) return format.replace(TOKENS, (token) => tokenText(local, token));
  const besideDay = /(?<!D)DD?(?!D)/.test(format);
  return format.replace(
    TOKENS,
    (token) => nameText(local, token, { locale, besideDay }) ?? tokenText(local, token),
  );
}

const NAMES: Readonly<Record<string, Parameters<typeof nameIn>[2]>> = {
  MMMM: { month: 'long' },
  MMM: { month: 'short' },
  dddd: { weekday: 'long' },
  ddd: { weekday: 'short' },
};

function nameText(
  date: Date,
  token: string,
  { locale, besideDay }: { locale: string; besideDay: boolean },
): string | undefined {
  const what = NAMES[token];
  return what && nameIn(locale, date, what, { besideDay: besideDay && 'month' in what });
}

function tokenText(date: Date, token: string): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const month = date.getUTCMonth();
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const texts: Record<string, string> = {
    YYYY: year,
    YY: year.slice(-2),
    MMMM: MONTHS[month] ?? '',
    MMM: (MONTHS[month] ?? '').slice(0, 3),
    MM: two(month + 1),
    M: String(month + 1),
    DD: two(date.getUTCDate()),
    D: String(date.getUTCDate()),
    dddd: DAYS[date.getUTCDay()] ?? '',
    ddd: (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
    HH: two(date.getUTCHours()),
    mm: two(date.getUTCMinutes()),
    ss: two(date.getUTCSeconds()),
  };
  return texts[token] ?? token;
}

// Date.parse accepts 31 February as 3 March.
function isDayOfMonth(iso: string): boolean {
  const day = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === iso.slice(0, 10);
}

function validDate(milliseconds: number): Date | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Writes a decimal number with a fixed count of decimals, rounding half away from zero, on the digits themselves:
 * `1.005` gives `1.01`, and 20-digit numbers keep their digits. Exponents beyond ±100 give undefined.
 */
export function formatDecimal(source: string, decimals: number): string | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (parts === null) return undefined;
  const exponent = Number(parts[4] ?? 0);
  if (Math.abs(exponent) > 100) return undefined;
  const fraction = parts[3] ?? '';
  const digits = (parts[2] ?? '') + fraction;
  // The number is digits / 10^scale; keep `decimals` places of it.
  const scale = fraction.length - exponent;
  const wanted = scale - decimals;
  const units = wanted <= 0 ? BigInt(digits + '0'.repeat(-wanted)) : divideRounding(digits, wanted);
  const padded = units.toString().padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  const sign = parts[1] === '-' && units !== 0n ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${padded.slice(padded.length - decimals)}`;
}

function divideRounding(digits: string, places: number): bigint {
  const kept = digits.length > places ? digits.slice(0, digits.length - places) : '0';
  const firstDropped = digits.length >= places ? (digits[digits.length - places] ?? '0') : '0';
  return BigInt(kept) + (firstDropped >= '5' ? 1n : 0n);
}
