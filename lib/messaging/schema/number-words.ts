// Labels for the platform's codes of numbers and templates. Isomorphic.

/** An example number for fields. It is not assigned. */
export const EXAMPLE_NUMBER = '+1 555 010 1002';

interface Quality {
  level: string;
  /** The effect on a number, from the platform's documentation (spec, Phone quality ratings). */
  effect: string;
  tone: 'success' | 'warning' | 'danger' | 'neutral';
}

const QUALITIES: Readonly<Record<string, Quality>> = {
  GREEN: { level: 'high', effect: 'highest limits', tone: 'success' },
  YELLOW: { level: 'medium', effect: 'reduced limits', tone: 'warning' },
  RED: { level: 'low', effect: 'severe restrictions', tone: 'danger' },
};
const UNKNOWN: Quality = { level: 'unknown', effect: '', tone: 'neutral' };

/** Label of a quality rating such as `GREEN`. */
export const readQuality = (rating: string): Quality =>
  (Object.hasOwn(QUALITIES, rating) ? QUALITIES[rating] : undefined) ?? UNKNOWN;

/** "High quality" */
export const qualityWords = (rating: string): string => `${capitalize(readQuality(rating).level)} quality`;

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1000, M: 1_000_000 };

/** "Up to 100,000 customers a day", of `TIER_100K`. */
export function limitWords(tier: string): string {
  if (tier === UNLIMITED) return 'No daily limit';
  const customers = customersOf(tier);
  return customers === undefined ? codeTitle(tier) : `Up to ${inDigits(customers)} customers a day`;
}

const UNLIMITED = 'TIER_UNLIMITED';

/** 100,000, of `TIER_100K`. Undefined: the tier has no number. */
function customersOf(tier: string): number | undefined {
  const [, count, unit = ''] = /^(?:TIER_)?(\d+)([KM]?)$/.exec(tier) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1);
}

const inDigits = (count: number): string => count.toLocaleString('en-US');

/**
 * The number of customers with whom a number may start a conversation: its own limit, or the shared one of the business
 * portfolio. Undefined: the platform returns neither.
 */
export function describeLimit({ tier, portfolioTier }: NumberLimits): string | undefined {
  if (tier !== null) return limitWords(tier);
  return portfolioTier === null ? undefined : `${limitWords(portfolioTier)}${SHARED}`;
}

const SHARED = ' across the business portfolio';

/** The number of customers that a limit allows; undefined: unlimited or unknown. */
export const limitOfTier = ({ tier, portfolioTier }: NumberLimits): number | undefined => {
  const known = tier ?? portfolioTier;
  return known === null ? undefined : customersOf(known);
};

/**
 * How much of the limit is used: "12 of 250 customers in 24 hours", with "across the business portfolio" where numbers share
 * it. The text also covers an unknown limit and none.
 */
export function describeUse({ tier, portfolioTier, customers }: LimitUse): string {
  const shared = tier === null && portfolioTier !== null ? SHARED : '';
  const known = tier ?? portfolioTier;
  const limit = known === null ? undefined : customersOf(known);
  if (limit !== undefined)
    return `${inDigits(customers)} of ${inDigits(limit)} customers in 24 hours${shared}`;
  const reached = `${inDigits(customers)} ${customers === 1 ? 'customer' : 'customers'} in 24 hours${shared}`;
  if (known === null) return `${reached}, limit unknown`;
  return `${reached}, ${known === UNLIMITED ? 'no daily limit' : codeWords(known)}`;
}

/** How fast a number sends at most: "up to 1,000 messages a second". */
export const describeRate = (perSecond: number): string =>
  `up to ${inDigits(perSecond)} ${perSecond === 1 ? 'message' : 'messages'} a second`;

/** A limit, and how many customers in the last 24 hours count against it. */
export interface LimitUse extends NumberLimits {
  customers: number;
}

interface NumberLimits {
  tier: string | null;
  portfolioTier: string | null;
}

/** States of a number in which it cannot send; others only limit it. */
export const SILENT_NUMBERS: readonly string[] = [
  'BANNED',
  'DELETED',
  'DISCONNECTED',
  'MIGRATED',
  'PENDING',
  'UNVERIFIED',
];

/** States from which a number can be registered with its PIN; the others can only be fixed on the platform's own pages. */
const REGISTRABLE: ReadonlySet<string> = new Set(['PENDING', 'DISCONNECTED', 'UNVERIFIED']);

/** Whether a number can be registered, and has to be before it sends. */
export const isRegistrable = (status: string | null): boolean => status !== null && REGISTRABLE.has(status);

const STATUS_WORDS: Readonly<Record<string, string>> = {
  PENDING: 'not registered yet',
  UNVERIFIED: 'not verified yet',
};

/** "connected", of `CONNECTED`. */
export function statusWords(status: string | null): string {
  if (status === null) return 'unknown status';
  return (Object.hasOwn(STATUS_WORDS, status) ? STATUS_WORDS[status] : undefined) ?? codeWords(status);
}

/** "Up to 100,000 customers a day · Medium quality, connected" */
export function describeNumber(number: NumberLimits & { quality: string; status: string | null }): string {
  const state = `${qualityWords(number.quality)}, ${statusWords(number.status)}`;
  const limit = describeLimit(number);
  return limit === undefined ? state : `${limit} · ${state}`;
}

/** A code such as `PIN_CHANGED` as words. */
export const codeWords = (code: string): string => code.toLowerCase().replaceAll('_', ' ');

/** "Limit exceeded", of `LIMIT_EXCEEDED`. */
export const codeTitle = (code: string): string => capitalize(codeWords(code));

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
