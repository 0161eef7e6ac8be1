// What messages cost: prices that a workspace enters, by the category that the platform charges. Isomorphic.
import * as z from 'zod';
import type { Counts } from './message-days.ts';

/** What the platform does not charge for: its types other than `regular` begin with `free_`. */
export const FREE = 'free';

/** Categories of the platform's price lists, in their order. It may report others, which can have a price, too. */
export const PRICED_CATEGORIES = [
  'marketing',
  'marketing_lite',
  'utility',
  'authentication',
  'authentication_international',
  'service',
] as const;

const DIGITS = 6;
const PRICE = new RegExp(`^\\d{1,6}(?:\\.\\d{1,${DIGITS}})?$`);
const MAX_PRICES = 50;

export const messagePricesSchema = z
  .strictObject({
    currency: z
      .string()
      .refine(
        (code) => Intl.supportedValuesOf('currency').includes(code),
        'Enter the code of a currency, such as USD.',
      )
      .meta({ description: 'Its code in ISO 4217, such as USD.' }),
    prices: z
      .record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_]{0,63}$/,
            'Enter a category as the platform reports it, such as `marketing`.',
          )
          .refine((category) => category !== FREE, 'Messages that are free of charge have no price.'),
        z
          .string('Write the price as a text, such as "0.0625": a number may lose digits.')
          .regex(PRICE, `Enter a price such as 0.0625, with at most ${DIGITS} decimal places.`),
      )
      .refine((prices) => Object.keys(prices).length <= MAX_PRICES, `Enter at most ${MAX_PRICES} prices.`)
      .meta({ description: 'The price of a delivered message by the category that the platform reports.' }),
  })
  .meta({ id: 'MessagePrices' });
export type MessagePrices = z.output<typeof messagePricesSchema>;

/** Of a workspace that entered none. */
export const NO_PRICES: MessagePrices = { currency: 'USD', prices: {} };

export interface Cost {
  /** A decimal; null: of none of the messages the price is known. */
  cost: string | null;
  /** Messages whose price or category is unknown: they are not part of the cost. */
  unpriced: number;
}

/** What delivered messages cost. @param categories those whose category was reported, by it */
export function costOf(
  { delivered, categories }: { delivered: number; categories: Counts },
  prices: MessagePrices['prices'],
): Cost {
  let millionths = 0n;
  let priced = 0;
  for (const [category, messages] of Object.entries(categories)) {
    const price = category === FREE ? '0' : prices[category];
    if (price === undefined) continue;
    priced += messages;
    millionths += BigInt(messages) * toMillionths(price);
  }
  return {
    cost: priced === 0 && delivered > 0 ? null : toDecimal(millionths),
    unpriced: delivered - priced,
  };
}

function toMillionths(price: string): bigint {
  const [whole = '0', part = ''] = price.split('.');
  return BigInt(whole + part.padEnd(DIGITS, '0'));
}

/** Without zeros at its end. */
function toDecimal(millionths: bigint): string {
  const digits = String(millionths).padStart(DIGITS + 1, '0');
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`.replace(/\.?0+$/, '');
}
