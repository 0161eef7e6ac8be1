import { expect, test } from 'vitest';
import { maskNumbersIn } from '#lib/messaging/mask.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import {
  describeLimit,
  describeRate,
  describeUse,
  describeNumber,
  limitWords,
  qualityWords,
} from './number-words.ts';

test('a number is described in words', () => {
  expect(
    describeNumber({ tier: 'TIER_100K', portfolioTier: 'TIER_2K', quality: 'YELLOW', status: 'CONNECTED' }),
  ).toBe('Up to 100,000 customers a day · Medium quality, connected');
  expect(describeNumber({ tier: null, portfolioTier: null, quality: 'UNKNOWN', status: null })).toBe(
    'Unknown quality, unknown status',
  );
});

test.each([
  ['TIER_50', 'Up to 50 customers a day'],
  ['TIER_250', 'Up to 250 customers a day'],
  ['TIER_1K', 'Up to 1,000 customers a day'],
  ['TIER_2K', 'Up to 2,000 customers a day'],
  ['TIER_10K', 'Up to 10,000 customers a day'],
  ['TIER_UNLIMITED', 'No daily limit'],
  ['2000', 'Up to 2,000 customers a day'],
  ['TIER_OF_TOMORROW', 'Tier of tomorrow'],
])('the limit %s is %s', (tier, words) => {
  expect(limitWords(tier)).toBe(words);
});

test.each([
  ['GREEN', 'High quality'],
  ['YELLOW', 'Medium quality'],
  ['RED', 'Low quality'],
  ['constructor', 'Unknown quality'],
])('the rating %s is %s', (rating, words) => {
  expect(qualityWords(rating)).toBe(words);
});

test('an example number stays readable where the numbers of customers are masked', () => {
  const { problem = '' } = readRecipient('12') as { problem?: string };
  expect(problem).toContain('example');
  expect(maskNumbersIn(problem)).toBe(problem);
});

test.each([
  ['TIER_250', 'Up to 250 customers a day across the business portfolio'],
  ['TIER_2K', 'Up to 2,000 customers a day across the business portfolio'],
  ['TIER_10K', 'Up to 10,000 customers a day across the business portfolio'],
  ['TIER_100K', 'Up to 100,000 customers a day across the business portfolio'],
  ['TIER_UNLIMITED', 'No daily limit across the business portfolio'],
])('where a number has no limit of its own, that of its portfolio counts: %s', (portfolioTier, words) => {
  expect(describeLimit({ tier: null, portfolioTier })).toBe(words);
  expect(describeLimit({ tier: 'TIER_1K', portfolioTier })).toBe('Up to 1,000 customers a day');
});

test.each([
  ['TIER_250', null, '1,234 of 250 customers in 24 hours'],
  ['TIER_100K', 'TIER_2K', '1,234 of 100,000 customers in 24 hours'],
  [null, 'TIER_2K', '1,234 of 2,000 customers in 24 hours across the business portfolio'],
  [null, 'TIER_10K', '1,234 of 10,000 customers in 24 hours across the business portfolio'],
  [null, 'TIER_UNLIMITED', '1,234 customers in 24 hours across the business portfolio, no daily limit'],
  ['TIER_UNLIMITED', null, '1,234 customers in 24 hours, no daily limit'],
  ['TIER_OF_TOMORROW', null, '1,234 customers in 24 hours, tier of tomorrow'],
  [null, null, '1,234 customers in 24 hours, limit unknown'],
])('how much of a limit is used: %s, %s', (tier, portfolioTier, words) => {
  expect(describeUse({ tier, portfolioTier, customers: 1234 })).toBe(words);
});

test('how fast it sends', () => {
  expect(describeRate(1000)).toBe('up to 1,000 messages a second');
  expect(describeRate(1)).toBe('up to 1 message a second');
});

test('one customer is one', () => {
  expect(describeUse({ tier: null, portfolioTier: null, customers: 1 })).toBe(
    '1 customer in 24 hours, limit unknown',
  );
});
