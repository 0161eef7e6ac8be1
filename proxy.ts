import { type NextRequest, NextResponse } from 'next/server';

/**
 * Sends visitors without a session cookie to the sign-in page, which brings them back. A convenience only: every
 * screen checks the session itself. It must never match webhook paths, whose bodies Next would cut.
 */
export function proxy(request: NextRequest): NextResponse {
  const hasSession = request.cookies.getAll().some(({ name }) => name.includes('next-auth.session-token'));
  if (hasSession || request.method !== 'GET') return NextResponse.next();
  const { pathname, search } = request.nextUrl;
  const signIn = new URL('/sign-in', request.url);
  signIn.searchParams.set('next', pathname + search);
  return NextResponse.redirect(signIn);
}

export const config = {
  matcher: [
    '/workflows/:path*',
    '/runs/:path*',
    '/events/:path*',
    '/connections/:path*',
    '/message-templates/:path*',
    '/settings/:path*',
    '/gallery',
  ],
};
