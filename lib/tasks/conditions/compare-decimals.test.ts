import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareDecimals } from './evaluate-condition.ts';

it.each([
  ['1', '1.0', 0],
  ['0', '-0.00', 0],
  ['1e2', '100', 0],
  ['-1.5e-3', '-0.0015', 0],
  ['10', '9', 1],
  ['-10', '-9', -1],
  ['-1', '1', -1],
  ['0.1', '0.09', 1],
  ['12345678901234567890', '12345678901234567891', -1],
  ['1e999999999', '1e999999998', 1],
  ['0.00001', '1e-5', 0],
])('%s against %s', (left, right, expected) => {
  expect(Math.sign(compareDecimals(left, right))).toBe(expected);
  expect(Math.sign(compareDecimals(right, left))).toBe(0 - expected + 0);
});

it('orders scaled integers as integers are ordered', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: -30, max: 30 }), (a, b, scale) => {
      const expected = a === b ? 0 : a > b ? 1 : -1;
      expect(Math.sign(compareDecimals(`${a}e${scale}`, `${b}e${scale}`))).toBe(expected);
    }),
  );
});
