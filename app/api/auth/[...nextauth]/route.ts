import NextAuth from 'next-auth';
import { apiRuntime } from '#lib/api/runtime.ts';
import { nextAuthOptions } from '#lib/auth/next-auth-options.ts';
import { env } from '#lib/env.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

async function handle(
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
): Promise<Response> {
  const { db } = await apiRuntime();
  // next-auth takes its own address from nowhere else; ours comes from the settings, never from the Host header.
  // eslint-disable-next-line no-restricted-syntax
  process.env['NEXTAUTH_URL'] = env().BASE_URL;
  const handler = NextAuth(nextAuthOptions(db, env())) as (
    request: Request,
    context: { params: Promise<{ nextauth: string[] }> },
  ) => Promise<Response>;
  return handler(request, context);
}

export { handle as GET, handle as POST };
