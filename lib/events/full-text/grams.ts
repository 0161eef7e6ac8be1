// Which parts of words a text has. What is found by them is compared with the text afterwards (../search-by-event.ts), so that
// they may say too much, and never too little: they are taken from the text as all of its spellings have it in common.

/** Characters of a part of a word. Shorter searches cannot use the index. */
const GRAM_CHARACTERS = 3;

/** What JSON may surround with spaces, spaces, and quotes: where a search and a text may differ. */
const BETWEEN_WORDS = /[\s:,[\]{}"]+/;
const JSON_ESCAPE = /\\(?:u([0-9a-f]{4})|(["\\/]))/gi;

const decodeEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(JSON_ESCAPE, (_, hex: string | undefined, character: string | undefined) =>
        hex === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;

/** As `toTextPattern` ignores case: ß is SS in capitals. */
const foldCase = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const USER_ID = /(?<!\w)([A-Z]{2}\.(?:ENT\.)?)[A-Za-z0-9]{4,}([A-Za-z0-9]{4})(?!\w)/g;
const NUMBER = /\+?\d{5,}(\d{4})/g;

/** As `withoutNumbers` of the search hides them. */
const hideNumbers = (text: string): string => text.replace(USER_ID, '$1••••$2').replace(NUMBER, '••••$1');

const HASH_BITS = 27;

const mix = (hash: number, code: number): number => {
  const mixed = Math.imul(hash ^ code, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

const finish = (hash: number): number => hash >>> (32 - HASH_BITS);

/** Hashes of the parts of words. */
function hashGrams(text: string): Set<number> {
  const found = new Set<number>();
  for (const word of foldCase(text).split(BETWEEN_WORDS))
    for (let place = 0; place + GRAM_CHARACTERS <= word.length; place += 1)
      found.add(
        finish(
          mix(
            mix(mix(0x2545f491, word.charCodeAt(place)), word.charCodeAt(place + 1)),
            word.charCodeAt(place + 2),
          ),
        ),
      );
  return found;
}

/** The hash of a property of an event, so that a search in one workflow reads little of the others. */
export const hashProperty = (property: 'workflow' | 'outcome', value: string): number =>
  finish(
    [...`${property} ${value}`].reduce((hash, character) => mix(hash, character.charCodeAt(0)), 0x51ed270b),
  );

export interface Grams {
  /** Those of the text as readers have it who never see customers' numbers in full. */
  visible: Set<number>;
  /** Those that only readers find who see them. */
  hidden: Set<number>;
}

/** The parts of words of a text that is indexed. */
export function gramsOfText(text: string): Grams {
  const decoded = decodeEscapes(text);
  const masked = hideNumbers(decoded);
  const visible = hashGrams(masked);
  if (masked === decoded) return { visible, hidden: new Set() };
  const hidden = hashGrams(decoded);
  for (const gram of visible) hidden.delete(gram);
  return { visible, hidden };
}

/** Those that a text has which contains this search; none: the search is too short. */
export const gramsOfSearch = (search: string): number[] => [...hashGrams(decodeEscapes(search))];
