import { expect, test } from 'vitest';
import { newMessageId } from '../../../sandbox/ids.ts';
import { ERASED, Spellings } from './spellings.ts';

const NUMBER = '491711234567';
const USER_ID = 'DE.1349aB77';
const spellings = new Spellings({ names: [NUMBER, USER_ID], words: ['Anna Weiß', 'Jo'] });
const american = new Spellings({ names: ['15550101002'], words: [] });

test.each([
  NUMBER,
  `+${NUMBER}`,
  `00${NUMBER}`,
  '+49 171 1234567',
  '+49 (0)171 / 123 45 67',
  '+49\u00a0171\u00a01234567',
  '0171 1234567',
  '0171-123-4567',
  'tel=%2B49%20171%201234567',
  'tel=%20491711234567',
  String.raw`"+49\u00a0171\u00a01234567"`,
  'order-491711234567-1',
  '20491711234567',
  USER_ID,
  newMessageId(NUMBER),
  newMessageId(USER_ID),
])('%s is found', (text) => {
  expect(spellings.isIn(text)).toBe(true);
  expect(spellings.isIn(spellings.clean(text, false))).toBe(false);
});

test.each(['(555) 010-1002', '555.010.1002', '+1 555 010 1002', '1-555-010-1002'])(
  'a number of North America as %s is found',
  (text) => expect(american.isIn(text)).toBe(true),
);

test.each([
  '491711234568',
  '0171 1234568',
  '4917112345',
  'DE.1349aB778',
  'XDE.1349aB77',
  newMessageId('491711234568'),
])('%s is of another customer', (text) => expect(spellings.isIn(text)).toBe(false));

test('a value of JSON goes as a whole, and what is beside it keeps its digits', () => {
  const body = `{"phone":"+49 171 1234567","n":491711234567,"price":1.10,"big":12345678901234567890,"text":"Call 0171 1234567 now","of":{"491711234567":true},"no":null}`;
  expect(spellings.cleanJson(body, false)).toBe(
    `{"phone":"${ERASED}","n":"${ERASED}","price":1.10,"big":12345678901234567890,"text":"${ERASED}","of":{"${ERASED}":true},"no":null}`,
  );
});

test('what customers call themselves is replaced as whole words, and only when asked for', () => {
  expect(spellings.clean('Hello anna weiß, Joanna and Jo.', true)).toBe(
    `Hello ${ERASED}, Joanna and ${ERASED}.`,
  );
  expect(spellings.clean('Hello Anna Weiß', false)).toBe('Hello Anna Weiß');
});

test('one of many is in an array with others', () => {
  expect(spellings.isOneOfMany(`{"to":[{"phone":"${NUMBER}"},{"phone":"1"}]}`)).toBe(true);
  expect(spellings.isOneOfMany(`{"to":[{"phone":"${NUMBER}"}],"items":[1,2]}`)).toBe(false);
  expect(spellings.isOneOfMany(`phone=${NUMBER}`)).toBe(false);
});
