import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { limitCallbackUrl } from '#lib/identity/auth/limit-callback-url.ts';
import { knownBrowserCookie } from '#lib/identity/auth/known-browser.ts';
import { nextAuthOptions } from '#lib/identity/auth/next-auth-options.ts';
import { env } from '#lib/core/env.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const { db } = await processRuntime();
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

export { handle as GET, handle as POST };
