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
  const handler = NextAuth(nextAuthOptions(db, env())) as (
    request: Request,
    context: { params: Promise<{ nextauth: string[] }> },
  ) => Promise<Response>;
  return handler(request, context);
}

export { handle as GET, handle as POST };
