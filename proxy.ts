import { type NextRequest, NextResponse } from 'next/server';

/**
 * Sends visitors without a session cookie to the sign-in page, which brings them back. A convenience only: every
 * screen and route checks the session itself. It must never match webhook paths, whose bodies Next would cut.
 */
export function proxy(request: NextRequest): NextResponse {
  const hasSession = request.cookies.getAll().some(({ name }) => name.includes('next-auth.session-token'));
  if (hasSession || request.method !== 'GET') return NextResponse.next();
  const { pathname, search } = request.nextUrl;
  const signIn = new URL('/sign-in', request.url);
  signIn.searchParams.set('next', pathname + search);
  return NextResponse.redirect(signIn);
}

/** Pages only: the routes behind them (`/runs/list`, `/runs/<id>/live`, …) answer 401 themselves, as JSON. */
export const config = {
  matcher: [
    '/(workflows|runs|events|connections|message-templates)',
    '/(workflows|runs|events|connections|message-templates)/((?!list$)[^/]+)',
    '/settings/:path*',
    '/gallery',
  ],
};
