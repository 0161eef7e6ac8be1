// What a search for customers means: the spellings of a number, an id, or the beginning of a name.
import { isUserId } from '#lib/messaging/platform/ids.ts';

/** What may be searched for; the first that applies. */
export type SearchTerm =
  | {
      kind: 'number';
      /** Without the zeros before it. */
      digits: string;
      /** Its last four digits; empty: it has fewer. */
      end: string;
    }
  | { kind: 'id'; id: string }
  | { kind: 'name'; text: string };

const NUMBER = /^[\s\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\d+()[\]./\u2010-\u2015-]+$/;
/** "+49 (0)171": the zero is only dialed in the country. */
const TRUNK_ZERO = /\(0\)/g;
/** The platform's ids of messages. */
const MESSAGE_ID = /^wamid\.\S+$/;

/** How many digits of a number everyone sees. */
export const END_DIGITS = 4;
/** What a reader who sees no numbers in full may search for in a name: more could be a number that is written in it. */
const MAX_DIGITS_IN_NAME = 4;

/** @param text as a user types it; undefined where nothing can match */
export function readSearchTerm(text: string, hidesNumbers: boolean): SearchTerm | undefined {
  // PostgreSQL has no U+0000 in texts.
  const trimmed = text.replaceAll('\0', '').trim();
  if (trimmed === '') return undefined;
  if (NUMBER.test(trimmed) && /\d/.test(trimmed)) {
    const digits = trimmed.replace(TRUNK_ZERO, '').replace(/\D/g, '').replace(/^0+/, '');
    if (digits !== '' && (!hidesNumbers || digits.length >= END_DIGITS))
      return { kind: 'number', digits, end: digits.length < END_DIGITS ? '' : digits.slice(-END_DIGITS) };
  }
  if (MESSAGE_ID.test(trimmed)) return { kind: 'id', id: trimmed };
  if (isUserId(trimmed)) return hidesNumbers ? undefined : { kind: 'id', id: trimmed };
  if (hidesNumbers && trimmed.replace(/\D/g, '').length > MAX_DIGITS_IN_NAME) return undefined;
  return { kind: 'name', text: trimmed.toLowerCase() };
}

/** The least text, in the order of bytes, after all that begin with this one. */
export function endOfPrefix(text: string): string {
  const points = [...text];
  const last = points.pop()?.codePointAt(0) ?? 0;
  // Surrogates are no characters.
  const next = last === 0xd7_ff ? 0xe0_00 : Math.min(last + 1, 0x10_ff_ff);
  return points.join('') + String.fromCodePoint(next);
}
