// Customers who chose a username: businesses get a user id instead of their number.
import type { World } from './world.ts';

const PREFIX = 'US.1349';

/** The customer's id in every business portfolio here. */
export const userIdOf = (customer: string): string => `${PREFIX}${customer}`;

/** The number behind a user id; undefined: there is no such customer. */
export const customerOfUserId = (userId: string): string | undefined =>
  /^US\.1349(\d{7,15})$/.exec(userId)?.[1];

export const hidesNumber = (world: World, customer: string): boolean =>
  world.customersWithUsername.has(customer);
