import { expect, test } from 'vitest';
import { costOf, messagePricesSchema } from './message-prices.ts';

const PRICES = { marketing: '0.0625', utility: '0.004', service: '12' };

test.each([
  [{}, 0, { cost: '0', unpriced: 0 }],
  [{ marketing: 3 }, 3, { cost: '0.1875', unpriced: 0 }],
  [{ marketing: 10_000_000, service: 100 }, 10_000_100, { cost: '626200', unpriced: 0 }],
  // 0.1 + 0.2 in floating point is not 0.3.
  [{ utility: 75 }, 75, { cost: '0.3', unpriced: 0 }],
  [{ utility: 1, free: 5 }, 6, { cost: '0.004', unpriced: 0 }],
  [{ free: 5 }, 5, { cost: '0', unpriced: 0 }],
  [{ authentication: 2, utility: 1 }, 3, { cost: '0.004', unpriced: 2 }],
  // The platform reported no category of four of them.
  [{ utility: 1 }, 5, { cost: '0.004', unpriced: 4 }],
  [{ authentication: 2 }, 2, { cost: null, unpriced: 2 }],
  [{}, 2, { cost: null, unpriced: 2 }],
])('%j of %i delivered messages', (categories, delivered, cost) => {
  expect(costOf({ delivered, categories }, PRICES)).toEqual(cost);
});

test.each([
  [{ currency: 'usd', prices: {} }, 'Enter the code of a currency, such as USD.'],
  [
    { currency: 'USD', prices: { marketing: '-1' } },
    'Enter a price such as 0.0625, with at most 6 decimal places.',
  ],
  [
    { currency: 'USD', prices: { marketing: '0,5' } },
    'Enter a price such as 0.0625, with at most 6 decimal places.',
  ],
  [{ currency: 'USD', prices: { marketing: 0.5 } }, 'Write the price as a text, such as \\"0.0625\\"'],
  [{ currency: 'USD', prices: { free: '1' } }, 'Messages that are free of charge have no price.'],
])('%j is refused', (prices, message) => {
  expect(JSON.stringify(messagePricesSchema.safeParse(prices).error?.issues)).toContain(message);
});
