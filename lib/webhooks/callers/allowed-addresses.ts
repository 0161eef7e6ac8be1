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
