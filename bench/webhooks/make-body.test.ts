import { expect, test } from 'vitest';
import { ORDER } from '../load.ts';
import { makeBody } from './make-body.ts';
import { round } from './round.ts';

test.each([1, 10, 100])('a body of %i KB has that many bytes, and says the same', (kilobytes) => {
  const body = makeBody(kilobytes);
  expect(Buffer.byteLength(body)).toBe(kilobytes * 1024);
  const [order, made] = [ORDER, body].map(
    (text) => JSON.parse(text) as { items: unknown[]; customer: unknown },
  );
  expect(made?.customer).toEqual(order?.customer);
  expect(made?.items.slice(0, 3)).toEqual(order?.items);
});

test('numbers with a fraction keep four digits, however deep they are', () => {
  expect(round({ a: [1.23456, 123_456], b: { c: 9876.543, d: 'x', e: null } })).toEqual({
    a: [1.235, 123_456],
    b: { c: 9877, d: 'x', e: null },
  });
});
