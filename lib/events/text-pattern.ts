// Bodies are stored byte for byte, so that a text has many spellings: raw UTF-8 or JSON escapes, any case, any space around
// JSON punctuation. PostgreSQL's `encode(body, 'escape')` never fails: ASCII stays, a backslash is doubled, other bytes
// become \nnn. These patterns match that form.

const WORD = /^[0-9a-z]$/i;
/** JSON's spaces; other spaces are ordinary characters. */
const SPACE = /^[ \t\r\n]+$/;
/** Punctuation that JSON may surround with spaces. */
const JSON_MARK = /^[:,[\]{}]$/;
const SHORT_ESCAPES = new Set(['"', '\\', '/']);
/** One backslash in the bytes, as a pattern: `encode` doubles it, and the pattern escapes both. */
const BACKSLASH = String.raw`\\\\`;

/** A case-sensitive PostgreSQL regular expression for a text in an event's encoded bytes. */
export function toTextPattern(text: string): string {
  const parts = text.trim().match(/[ \t\r\n]*[:,[\]{}][ \t\r\n]*|[ \t\r\n]+|[^]/gu) ?? [];
  return parts.map(toPart).join('');
}

function toPart(part: string): string {
  if (SPACE.test(part)) return String.raw`\s+`;
  const mark = part.trim();
  if (JSON_MARK.test(mark)) return String.raw`\s*${spellings(mark)}\s*`;
  return spellings(part);
}

/** All spellings of a character. */
function spellings(character: string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const all = [...cases].flatMap((each) => (WORD.test(each) ? [each] : [rawBytes(each), ...escapes(each)]));
  return all.length === 1 ? all.join('') : `(?:${all.join('|')})`;
}

const rawBytes = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const octal = byte.toString(8).padStart(3, '0');
      if (byte === 0 || byte > 0x7f) return String.raw`\\${octal}`;
      const character = String.fromCharCode(byte);
      if (character === '\\') return BACKSLASH;
      return WORD.test(character) ? character : `\\${character}`;
    })
    .join('');

/** JSON escapes: \u00e9, and \" for a quote. */
function escapes(text: string): string[] {
  const units = Array.from({ length: text.length }, (_, index) => {
    const hex = text.charCodeAt(index).toString(16).padStart(4, '0');
    return `${BACKSLASH}u${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  });
  return SHORT_ESCAPES.has(text) ? [units.join(''), BACKSLASH + rawBytes(text)] : [units.join('')];
}
