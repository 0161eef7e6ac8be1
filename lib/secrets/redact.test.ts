import { expect, test } from 'vitest';
import { NumberLiteral } from '#lib/core/json/value.ts';
import { createRedactor, revealJsonText } from './redact.ts';

const ID = 'abcdefghijklmnop';
const values = new Map<string, string | number>([
  [ID, 'p"ss w+rd'],
  ['number_number_nu', 12345678],
  ['longer_longer_lo', 'p"ss w+rd-and-more'],
  ['short_short_shor', 'abc'],
]);

test.each([
  ['as it is: p"ss w+rd!', 'as it is: ••••••!'],
  ['in a URL: p%22ss%20w%2Brd', 'in a URL: ••••••'],
  ['in JSON: "p\\"ss w+rd"', 'in JSON: "••••••"'],
  [`in Base64: ${btoa('p"ss w+rd')}`, 'in Base64: ••••••'],
  ['the longest first: p"ss w+rd-and-more', 'the longest first: ••••••'],
  ['a number: 12345678', 'a number: ••••••'],
  ['too short: abc', 'too short: abc'],
])('%s', (text, expected) => {
  expect(createRedactor(values).text(text)).toBe(expected);
});

test('JSON is redacted in keys, texts and numbers, and stays JSON', () => {
  const value = {
    'p"ss w+rd': ['p"ss w+rd', 12345678, new NumberLiteral('12345678'), 1234, null, true],
  };
  expect(createRedactor(values).json(value)).toEqual({
    '••••••': ['••••••', '••••••', '••••••', 1234, null, true],
  });
});

test('with placeholders a secret is found again', () => {
  const shown = JSON.stringify(createRedactor(values, 'placeholder').json({ token: 'p"ss w+rd', x: 'abc' }));
  expect(shown).toBe(`{"token":"••••••(${ID})","x":"abc"}`);
  expect(JSON.parse(revealJsonText(shown, values))).toEqual({ token: 'p"ss w+rd', x: 'abc' });
  expect(revealJsonText(shown, new Map())).toBe(shown);
});
