import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTextPattern } from './search-by-event.ts';

/** As PostgreSQL's encode(bytes, 'escape'). */
const encode = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => {
      if (byte === 0 || byte > 0x7f) return `\\${byte.toString(8).padStart(3, '0')}`;
      return byte === 0x5c ? '\\\\' : String.fromCharCode(byte);
    })
    .join('');

const finds = (text: string, body: string | Buffer): boolean =>
  new RegExp(toTextPattern(text)).test(encode(Buffer.from(body)));

const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

test('any text is found in a body that holds it, written raw or with escapes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), (text) => {
      if (text.trim() === '') return;
      // JSON escapes control characters in ways that a text typed into a field does not have.
      if (/[\0-\x1f]/.test(text)) return;
      expect(finds(text, JSON.stringify({ note: `x${text}y` }))).toBe(true);
      expect(finds(text, asciiJson({ note: `x${text}y` }))).toBe(true);
      expect(finds(text, text)).toBe(true);
    }),
  );
});

test.each([
  ['RED umbrella', '{"note":"the red  Umbrella"}', true],
  ['redumbrella', '{"note":"red umbrella"}', false],
  ['red umbrella', '{"note":"redumbrella"}', false],
  ['ÉCOLE', '{"note":"école"}', true],
  ['école', '{"note":"\\u00c9cole"}', true],
  ['"note": "x"', '{"note":"x"}', true],
  ['"note":"x"', '{ "note" : "x" }', true],
  ['a/b', '{"url":"a\\/b"}', true],
  ['a\u00a0b', '{"note":"a\u00a0b"}', true],
  ['C:\\temp', '{"path":"C:\\\\temp"}', true],
  ['.*', '{"note":"abc"}', false],
  ['50%', '{"note":"50% off"}', true],
  ['😀', '{"note":"\\ud83d\\ude00"}', true],
])('%s in %s: %s', (text, body, expected) => {
  expect(finds(text, body)).toBe(expected);
});
