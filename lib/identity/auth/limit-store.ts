// Shared by the limits of sign-ins and of password resets: the table, and what counts as one caller.
import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Database } from '#lib/core/db/client.ts';

/** The smallest prefix that providers assign to a customer (RFC 6177). */
const IPV6_CUSTOMER_BITS = 64;

/** Options of rate-limiter-flexible: its rows are in the database, so that all processes count together. */
export const limitStore = (db: Database) => ({
  storeClient: db.$client,
  storeType: 'pool',
  tableName: 'sign_in_limits',
  tableCreated: true,
  clearExpiredByTimeout: false,
});

/** Hashed, because people type passwords into the wrong field. */
export const hashLimitKey = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** IPv6 addresses are counted by network, because a customer has too many of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_CUSTOMER_BITS}`).toString();
}

/** A wait in seconds and in words. */
export function waitWords(milliseconds: number): { seconds: number; words: string } {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return { seconds, words: `${amount} ${unit}${amount === 1 ? '' : 's'}` };
}
