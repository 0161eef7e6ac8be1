// What the limits of sign-ins and of password resets share: the table, and who counts as one.
import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Database } from '#lib/core/db/client.ts';

/** What providers give one customer at least (RFC 6177). */
const IPV6_CUSTOMER_BITS = 64;

/** Options of rate-limiter-flexible: its rows lie in the database, so that all processes count together. */
export const limitStore = (db: Database) => ({
  storeClient: db.$client,
  storeType: 'pool',
  tableName: 'sign_in_limits',
  tableCreated: true,
  clearExpiredByTimeout: false,
});

/** Hashed: what people type into the wrong field is not kept. */
export const hashLimitKey = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** An IPv6 customer has more addresses than could be counted one by one. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_CUSTOMER_BITS}`).toString();
}

/** How long to wait: in seconds, and as people say it. */
export function waitWords(milliseconds: number): { seconds: number; words: string } {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return { seconds, words: `${amount} ${unit}${amount === 1 ? '' : 's'}` };
}
