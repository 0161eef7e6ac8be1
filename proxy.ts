import { type NextRequest, NextResponse } from 'next/server';
import { contentSecurityPolicy, transportSecurity } from './lib/core/http/answer-headers.ts';
import { env, isDevelopment } from '#lib/core/env.ts';
import { usesHttps, isSessionCookie } from '#lib/identity/auth/cookies.ts';

/** Screens, but not the routes behind them (`/runs/list`, `/runs/<id>/live`, …), which answer 401 themselves, as JSON. */
const FOR_MEMBERS =
  /^\/((workflows|runs|events|connections|message-templates)(\/([\da-f-]{36}|new))?|settings(\/[^/]+)?|gallery|api-reference)$/;

/**
 * Gives every page its Content-Security-Policy, whose nonce Next reads from the request and sets on its scripts. Also sends
 * visitors without a session cookie to the sign-in page, which returns them: for convenience only, as every screen and route
 * checks the session itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const isHttps = usesHttps(env());
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentSecurityPolicy(nonce, isHttps, isDevelopment);
  const response = signInFirst(request) ?? passOn(request, policy, nonce);
  response.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(transportSecurity(isHttps))) response.headers.set(name, value);
  return response;
}

function signInFirst(request: NextRequest): NextResponse | null {
  const { pathname, search } = request.nextUrl;
  const hasSession = request.cookies.getAll().some(({ name }) => isSessionCookie(name));
  if (hasSession || request.method !== 'GET' || !FOR_MEMBERS.test(pathname)) return null;
  const signIn = new URL('/sign-in', request.url);
  signIn.searchParams.set('next', pathname + search);
  return NextResponse.redirect(signIn);
}

function passOn(request: NextRequest, policy: string, nonce: string): NextResponse {
  const headers = new Headers(request.headers);
  headers.set('Content-Security-Policy', policy);
  headers.set('X-Nonce', nonce);
  return NextResponse.next({ request: { headers } });
}

/**
 * Everything that answers with a page. Except paths with their own policy (files, resume URLs), or large bodies (webhooks, the
 * API, notifications, uploads): Next would truncate them at 10 MB.
 */
export const config = {
  matcher: [
    '/((?!webhook/|webhook-test/|api(?:/|$)|hooks/|files/|resume/|media(?:/|$)|list-files(?:/|$)|_next/|icon\\.svg).*)',
  ],
};
