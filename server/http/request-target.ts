import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i;

/**
 * Puts a request's target into the form of everything behind the server: path and query. Of a target in absolute form
 * the host replaces the Host header (RFC 9112, 3.2.2). @returns false when it is neither, such as `*`.
 */
export function toOriginForm(req: IncomingMessage): boolean {
  if (req.url?.startsWith('/')) return true;
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(req.url ?? '') ?? [];
  if (host === undefined) return false;
  req.headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}
