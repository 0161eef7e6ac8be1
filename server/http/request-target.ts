import type { IncomingMessage } from 'node:http';

/** A request with several `Host` headers has no valid host: proxies and servers pick different ones (RFC 9112, 3.2). */
export const hasSeveralHosts = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === 'host').length > 1;

const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i;

/**
 * Converts a request's target into path and query. The host of a target in absolute form replaces the Host header (RFC 9112,
 * 3.2.2). @returns false for any other form, such as `*`.
 */
export function toOriginForm(req: IncomingMessage): boolean {
  if (req.url?.startsWith('/')) return true;
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(req.url ?? '') ?? [];
  if (host === undefined) return false;
  req.headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}
