// Which addresses user-given URLs may reach: none of the machine or the network that Patchbay runs in.
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { GuardedRequestError } from './guarded-request-error.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name; rejects when there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** In the order that the system prefers (RFC 6724). */
export const resolveByDns: ResolveHost = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });

/** IPv6 that has been allocated so far (IANA, RFC 4291): the rest is reserved. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an address is plain public unicast. Addresses that translate to an IPv4 address (IPv4-mapped, NAT64, 6to4, Teredo)
 * are not: no public host requires them.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** The hosts that the setting ALLOWED_PRIVATE_HOSTS names: only administrators can set it, never a user of a workspace. */
export const listPrivateHosts = (setting: string): string[] =>
  setting.split(',').flatMap((host) => host.trim() || []);

/**
 * The addresses of a URL's host, all of them allowed. One forbidden address refuses the host: a name with public and private
 * addresses at once is an attack.
 * @param allowedPrivateHosts exact `host` or `host:port` names that may have any address (the setting ALLOWED_PRIVATE_HOSTS)
 * @throws GuardedRequestError `refused_address`, `not_sent`
 */
export async function resolveAllowed(
  url: URL,
  allowedPrivateHosts: readonly string[],
  resolve: ResolveHost,
): Promise<readonly ResolvedAddress[]> {
  const hostname = withoutBrackets(url.hostname);
  const addresses = ipaddr.isValid(hostname) ? [literal(hostname)] : await resolveName(hostname, resolve);
  if (isNamed(url, allowedPrivateHosts)) return addresses;
  for (const { address } of addresses) {
    if (isPublicAddress(address)) continue;
    const what = address === hostname ? 'is' : `leads to ${address}, which is`;
    throw new GuardedRequestError(
      'refused_address',
      `The host "${url.hostname}" ${what} not a public address, so it is not called. To allow it, add ${url.host} to the setting ALLOWED_PRIVATE_HOSTS of the server and restart it.`,
    );
  }
  return addresses;
}

/** The host of a URL, where an IPv6 address has brackets. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

async function resolveName(hostname: string, resolve: ResolveHost): Promise<readonly ResolvedAddress[]> {
  let addresses: readonly ResolvedAddress[] = [];
  try {
    addresses = await resolve(hostname);
  } catch (cause) {
    throw new GuardedRequestError('not_sent', `The host "${hostname}" was not found.`, { cause });
  }
  if (addresses.length === 0)
    throw new GuardedRequestError('not_sent', `The host "${hostname}" has no address.`);
  return addresses;
}

const literal = (hostname: string): ResolvedAddress => ({
  address: hostname,
  family: hostname.includes(':') ? 6 : 4,
});

function isNamed(url: URL, allowed: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return allowed.includes(url.hostname) || allowed.includes(`${url.hostname}:${port}`);
}
