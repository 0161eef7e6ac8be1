// Who called, where proxies may stand in front (README.md, TRUST_PROXY).
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Settings } from '#lib/core/env.ts';

/** How many proxies stand in front, each of which appends to `X-Forwarded-For` whom it was called by. */
export const countProxies = ({ TRUST_PROXY }: Pick<Settings, 'TRUST_PROXY'>): number =>
  TRUST_PROXY === 'off' ? 0 : TRUST_PROXY === 'on' ? 1 : Number(TRUST_PROXY);

/** The caller's IP address, as the outermost trusted proxy saw it; undefined where that proxy names none. */
export function callerAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  proxies: number,
): string | undefined {
  const forwarded = proxies > 0 ? String(headers['x-forwarded-for'] ?? '') : '';
  return forwarded === '' ? socket.remoteAddress : forwardedAddress(forwarded, proxies);
}

/**
 * The address in `X-Forwarded-For` that the outermost trusted proxy appended; earlier ones are whatever the caller wrote.
 * @param header as it came, several headers joined by commas
 * @returns without a port; undefined where it is no address
 */
export function forwardedAddress(header: string | null | undefined, proxies = 1): string | undefined {
  const entries = header?.split(',') ?? [];
  // What came past the outermost proxy has fewer entries; the first one was appended by a proxy all the same.
  const entry = entries[Math.max(0, entries.length - proxies)]?.trim() ?? '';
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(address) === 0 ? undefined : address;
}
