// The caller's address, possibly behind proxies (README.md, TRUST_PROXY).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Settings } from '#lib/core/env.ts';

/** Number of trusted proxies in front, each of which appends its caller to `X-Forwarded-For`. */
export const countProxies = ({ TRUST_PROXY }: Pick<Settings, 'TRUST_PROXY'>): number =>
  TRUST_PROXY === 'off' ? 0 : TRUST_PROXY === 'on' ? 1 : Number(TRUST_PROXY);

/** The caller's IP address, as the outermost trusted proxy saw it; undefined where that proxy reports none. */
export function callerAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  proxies: number,
): string | undefined {
  const forwarded = proxies > 0 ? String(headers['x-forwarded-for'] ?? '') : '';
  return forwarded === '' ? socket.remoteAddress : forwardedAddress(forwarded, proxies);
}

/**
 * The address in `X-Forwarded-For` that the outermost trusted proxy appended; earlier ones may be forged by the caller.
 * @param header unparsed, several headers joined by commas
 * @returns without a port; undefined where it is no address
 */
export function forwardedAddress(header: string | null | undefined, proxies = 1): string | undefined {
  const entries = header?.split(',') ?? [];
  // A request that bypassed the outermost proxy has fewer entries; the first one was still appended by a trusted proxy.
  const entry = entries[Math.max(0, entries.length - proxies)]?.trim() ?? '';
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(address) === 0 ? undefined : address;
}
