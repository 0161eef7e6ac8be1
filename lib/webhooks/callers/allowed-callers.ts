import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The entries of a list separated by spaces, commas or lines. */
export const splitEntries = (text: string | undefined): string[] =>
  (text ?? '').split(/[\s,]+/).filter((entry) => entry !== '');

/** Whether a text is an IP address or a range such as `203.0.113.0/24`. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== undefined;

function parseRange(text: string): Range | undefined {
  try {
    if (text.includes('/')) return asIpv4(ipaddr.parseCIDR(text));
    if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
}

const MAPPED_BITS = 96;

/**
 * A range of `::ffff:0:0/96` as the IPv4 range that it is (RFC 4291, 2.5.5.2): callers are also compared as IPv4 addresses.
 */
function asIpv4([network, bits]: Range): Range {
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [network.toIPv4Address(), bits - MAPPED_BITS]
    : [network, bits];
}

/**
 * Creates the check whether an address may call. An IPv4 address in IPv6 form (`::ffff:203.0.113.7`) counts as the IPv4
 * address; an unknown address may not call.
 * @param text of the setting; invalid entries allow no address
 */
export function createAddressCheck(text: string): (address: string | undefined) => boolean {
  const ranges = splitEntries(text)
    .map(parseRange)
    .filter((range) => range !== undefined);
  return (text) => {
    if (text === undefined || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
}

/** Whether a text is `*` or an origin as browsers send it, such as `https://shop.example:8443`. */
export function isOrigin(text: string): boolean {
  if (text === '*') return true;
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && origin === text.toLowerCase();
}

const MAX_AGE_SECONDS = 600;

/**
 * Creates the headers by which a browser lets a website read the response (Fetch standard, "CORS protocol"); none for other
 * origins. Credentials are never allowed.
 */
export function createOriginCheck(text: string): (origin: string | undefined) => Record<string, string> {
  const allowed = new Set(splitEntries(text).map((entry) => entry.toLowerCase()));
  const isForAll = allowed.has('*');
  return (origin) => {
    const vary: Record<string, string> = isForAll ? {} : { Vary: 'Origin' };
    if (origin === undefined || (!isForAll && !allowed.has(origin.toLowerCase()))) return vary;
    return {
      ...vary,
      'Access-Control-Allow-Origin': isForAll ? '*' : origin,
      'Access-Control-Expose-Headers': 'X-Event-Id, Retry-After',
    };
  };
}

/** Headers of the response to an allowed preflight. */
export const preflightHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? 'Content-Type',
  'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
});
