// Refuses POSTs that none of our forms send to a page. Next treats any POST with a form's media type as a server action and
// fails with 500 otherwise; all our forms call their actions by script, with the action in a header.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './refuse.ts';

const METHODS_OF_PAGES = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Paths with their own route handlers, which check methods themselves. */
export const ROUTES_WITH_OTHER_METHODS =
  /^\/(?:api(?:[/?]|$)|hooks\/|resume\/|webhook\/|webhook-test\/|media(?:\?|$)|list-files(?:\?|$))/;

/** Next's own 405 for these has no `Allow`, which it must have (RFC 9110, 15.5.6), and no error. */
const ROUTES_WITH_GET_AND_POST = /^\/(?:hooks|resume)\//;

/** Next's tools for development (the error overlay requests lines of sources). No page starts like this. */
const TOOLS_OF_DEVELOPMENT = /^\/__nextjs_/;

const PLAIN_FORM = 'application/x-www-form-urlencoded';
/** Password forms are sent by POST before the page's scripts have loaded: then the page is shown again. */
const PAGES_WITH_PASSWORDS = /^\/(?:sign-in|welcome|invitations\/[^/?]+|settings\/account)(?:\?|$)/;

/** Answers a request with a method that pages do not have. @returns whether it did. */
export function refuseForeignPost(
  { development }: { development: boolean },
  req: IncomingMessage,
  res: ServerResponse,
): boolean {
  if (METHODS_OF_PAGES.has(req.method ?? '')) return false;
  if (development && TOOLS_OF_DEVELOPMENT.test(req.url ?? '')) return false;
  if (ROUTES_WITH_GET_AND_POST.test(req.url ?? '') && req.method !== 'POST')
    return refuseMethod(res, 'GET, HEAD, POST', 'Use GET or POST here.');
  if (ROUTES_WITH_OTHER_METHODS.test(req.url ?? '')) return false;
  if (req.method === 'POST' && req.headers['next-action']) return refuseForeignAction(req, res);
  if (
    req.method === 'POST' &&
    req.headers['content-type'] === PLAIN_FORM &&
    PAGES_WITH_PASSWORDS.test(req.url ?? '')
  ) {
    res.writeHead(303, { Location: req.url, 'Cache-Control': 'no-store' });
    res.end();
    return true;
  }
  return refuseMethod(res, 'GET, HEAD', 'This is a page: open it in a browser.');
}

/** Next answers a server action that another site calls with 500. @returns whether it did */
function refuseForeignAction({ headers }: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  const [host] = String(headers['x-forwarded-host'] ?? headers.host ?? '').split(',');
  if (URL.parse(origin)?.host === host?.trim()) return false;
  refuse(res, 'forbidden', 'Pages of other sites may not do this.');
  return true;
}

function refuseMethod(res: ServerResponse, allow: string, message: string): true {
  refuse(res, 'method_not_allowed', message, { Allow: allow });
  return true;
}
