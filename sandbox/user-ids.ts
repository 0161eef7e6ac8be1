// The identifiers of a customer: a number, or for customers with a username a user id, which businesses get instead.
import type { World } from './world.ts';

/** Source of a regular expression: a customer's number with its country code, without the plus. */
export const NUMBER_PATTERN = '\\d{7,15}';
const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);

export const isCustomerNumber = (text: string): boolean => NUMBER.test(text);

const PREFIX = 'US.1349';

/** The customer's id in every business portfolio here. */
export const userIdOf = (customer: string): string => `${PREFIX}${customer}`;

/** The number of a user id; undefined: no such customer. */
export function customerOfUserId(userId: string): string | undefined {
  const number = userId.startsWith(PREFIX) ? userId.slice(PREFIX.length) : '';
  return isCustomerNumber(number) ? number : undefined;
}

export const hidesNumber = (world: World, customer: string): boolean =>
  world.customersWithUsername.has(customer);
