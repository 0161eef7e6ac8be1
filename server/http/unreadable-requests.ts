// Requests for which Next would fail with 500 before any of our code runs.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './refuse.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers a request whose path is no percent-encoded UTF-8 (RFC 3986, 2.1 and 2.5), or whose method is not supported, such as
 * TRACE. @returns whether it did
 */
export function refuseUnreadable(req: IncomingMessage, res: ServerResponse): boolean {
  if (!METHODS.includes(req.method ?? '')) {
    const message = `Nothing here has the method ${req.method}.`;
    refuse(res, 'method_not_allowed', message, { Allow: METHODS.join(', ') });
    return true;
  }
  if (isDecodable(req.url?.split('?')[0] ?? '')) return false;
  refuse(res, 'invalid_request', 'The address is not valid: after %, it has what is not UTF-8.');
  return true;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
