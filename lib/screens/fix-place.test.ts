import { expect, test } from 'vitest';
import { findFixPlace } from './fix-place.ts';

const ID = '01a20d5a-2807-7004-a800-00d43b7ef6cb';
const place = (code: string, connection_id: unknown = ID) =>
  findFixPlace({ code, details: { connection_id } });

test('a number that is not registered is registered on the page of its connection', () => {
  expect(place('number_not_registered')).toEqual({
    href: `/connections/${ID}#numbers`,
    label: 'Register the number',
  });
});

test('a refused token leads to the page of its connection', () => {
  expect(place('invalid_token')).toEqual({ href: `/connections/${ID}`, label: 'Open the connection' });
});

test.each([
  ['another error', place('window_expired')],
  ['an ID that is none', place('invalid_token', '../settings')],
  ['an error of an older version, without details', findFixPlace({ code: 'invalid_token' })],
  ['no error', findFixPlace(null)],
])('%s leads nowhere', (_what, found) => {
  expect(found).toBeNull();
});
