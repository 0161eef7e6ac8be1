import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJsonLines, toJsonTokens } from './json-view.tsx';

test('every opening line knows its closing line', () => {
  const lines = toJsonLines(JSON.stringify({ a: { b: [1, { c: '{' }] }, d: [], e: '[' }, null, 2));
  const pairs = lines.flatMap(({ closes, text }, index) => (closes === null ? [] : [[index, text, closes]]));
  expect(pairs).toEqual([
    [0, '{', 11],
    [1, '"a": {', 8],
    [2, '"b": [', 7],
    [4, '{', 6],
  ]);
});

test('no character of any JSON is lost on the way to the screen', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value, null, 2);
      const shown = toJsonLines(json)
        .map(
          ({ indent, text }) =>
            ' '.repeat(indent) +
            toJsonTokens(text)
              .map((token) => token.text)
              .join(''),
        )
        .join('\n');
      expect(shown).toBe(json);
    }),
  );
});

test('a number keeps its digits and its colour', () => {
  expect(toJsonTokens('"id": 12345678901234567890.10,')).toEqual([
    { kind: 'key', text: '"id"' },
    { kind: 'mark', text: ':' },
    { kind: 'mark', text: ' ' },
    { kind: 'number', text: '12345678901234567890.10' },
    { kind: 'mark', text: ',' },
  ]);
});
