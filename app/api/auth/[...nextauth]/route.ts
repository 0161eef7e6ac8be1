import { cookies } from 'next/headers';
import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { apiRuntime } from '#lib/identity/runtime.ts';
import { knownBrowserCookie } from '#lib/identity/auth/known-browser.ts';
import { nextAuthOptions } from '#lib/identity/auth/next-auth-options.ts';
import { returnUrl } from '#lib/identity/auth/return-path.ts';
import { env } from '#lib/core/env.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

const CALLBACK_PARAMETER = 'callbackUrl';
const CALLBACK_COOKIES = ['next-auth.callback-url', '__Secure-next-auth.callback-url'];

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const { db } = await apiRuntime();
  const settings = env();
  await limitCallbackUrl(request, settings.BASE_URL);
  let signedInAs: string | undefined;
  const options = nextAuthOptions(db, settings, (email) => (signedInAs = email));
  const handler = NextAuth(options) as (request: Request, context: RouteContext) => Promise<Response>;
  const response = await handler(request, context);
  if (signedInAs !== undefined)
    response.headers.append('Set-Cookie', knownBrowserCookie(settings, signedInAs));
  return response;
}

/** next-auth answers 500 to a URL that it cannot parse. What it gets here is always one of ours. */
async function limitCallbackUrl(request: NextRequest, baseUrl: string): Promise<void> {
  const { searchParams } = request.nextUrl;
  const given = searchParams.get(CALLBACK_PARAMETER);
  if (given !== null) searchParams.set(CALLBACK_PARAMETER, returnUrl(baseUrl, given));
  const jar = await cookies();
  for (const name of CALLBACK_COOKIES) {
    const value = jar.get(name)?.value;
    if (value !== undefined && value !== baseUrl && value !== returnUrl(baseUrl, value)) jar.delete(name);
  }
}

export { handle as GET, handle as POST };
