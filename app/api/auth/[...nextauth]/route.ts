import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { ZONE_COOKIE } from '#lib/identity/auth/cookies.ts';
import { limitCallbackUrl } from '#lib/identity/auth/return-path.ts';
import { knownBrowserCookie, readBrowser } from '#lib/identity/auth/known-browser.ts';
import { nextAuthOptions } from '#lib/identity/auth/next-auth-options.ts';
import {
  findProviderChoice,
  OIDC_PROVIDER_ID,
  type OidcClient,
} from '#lib/identity/auth/oidc/oidc-provider.ts';
import {
  readRefusal,
  type SignInProblem,
  SignInProblemError,
  signInProblemCookie,
} from '#lib/identity/auth/sign-in-problem.ts';
import { challengeCookie } from '#lib/identity/auth/second-step-provider.ts';
import { recordBreakGlass } from '#lib/identity/sign-in-policy/record-break-glass.ts';
import { accountContext } from '#lib/identity/two-factor/context.ts';
import { startSecondStep } from '#lib/identity/two-factor/second-step.ts';
import { env, type Settings } from '#lib/core/env.ts';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

interface RouteContext {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const runtime = await processRuntime();
  const settings = env();
  await limitCallbackUrl(request, settings.BASE_URL);
  const [action, providerId] = (await context.params).nextauth;
  const usesOidc = providerId === OIDC_PROVIDER_ID && findProviderChoice(settings) !== null;
  const oidcClient = usesOidc ? await openClient(settings) : undefined;
  if (oidcClient instanceof SignInProblemError) return refuse(request, settings, oidcClient.problem);
  let signedInAs: string | undefined;
  // Unless openid-client says otherwise: next-auth does not pass on an answer without its cookies.
  let problem =
    usesOidc && action === 'callback'
      ? (readRefusal(request.nextUrl.searchParams) ?? 'interrupted')
      : undefined;
  let challenge: string | undefined;
  const options = nextAuthOptions(runtime.db, settings, {
    ...readBrowser(request.headers),
    zone: request.cookies.get(ZONE_COOKIE)?.value,
    secondSteps: {
      start: (userId) => startSecondStep(runtime.db, userId),
      finish: async (step) =>
        (await import('#lib/identity/two-factor/second-step.ts')).finishSecondStep(
          accountContext(runtime),
          step,
        ),
    },
    finishPasskey: async (answer) => {
      const [{ finishPasskeySignIn }, { passkeyContext }] = await Promise.all([
        import('#lib/identity/passkeys/sign-in-with-passkey.ts'),
        import('#lib/identity/passkeys/relying-party.ts'),
      ]);
      return finishPasskeySignIn(passkeyContext(runtime), answer);
    },
    passedPassword: (who) =>
      recordBreakGlass({ ...accountContext(runtime), baseUrl: settings.BASE_URL }, who),
    signedIn: (email) => {
      signedInAs = email;
      problem = undefined;
    },
    challenged: (token) => (challenge = token),
    oidcClient,
    failed: (found) => (problem = found),
  });
  const handler = NextAuth(options) as (request: Request, context: RouteContext) => Promise<Response>;
  const response = await handler(request, context);
  if (signedInAs !== undefined) {
    response.headers.append('Set-Cookie', knownBrowserCookie(settings, signedInAs));
    response.headers.append('Set-Cookie', challengeCookie(settings, null));
  } else if (challenge !== undefined)
    response.headers.append('Set-Cookie', challengeCookie(settings, challenge));
  if (problem !== undefined) response.headers.append('Set-Cookie', signInProblemCookie(settings, problem));
  return response;
}

/** @returns the problem where the identity provider cannot be used */
async function openClient(settings: Settings): Promise<OidcClient | SignInProblemError> {
  const { openOidcClient } = await import('#lib/identity/auth/oidc/oidc-client.ts');
  try {
    return await openOidcClient(settings);
  } catch (error) {
    if (!(error instanceof SignInProblemError)) throw error;
    const { logger } = await import('#lib/core/log.ts');
    logger.warn({ err: error }, 'The identity provider cannot be used');
    return error;
  }
}

/** Responds as next-auth does: with a redirect, or its target for the form's script. */
function refuse(request: NextRequest, settings: Settings, problem: SignInProblem): Response {
  const url = `${settings.BASE_URL}/sign-in?error=OAuthSignin`;
  const cookie = { 'Set-Cookie': signInProblemCookie(settings, problem) };
  return request.method === 'POST'
    ? Response.json({ url }, { headers: cookie })
    : new Response(null, { status: 302, headers: { ...cookie, Location: url } });
}

export { handle as GET, handle as POST };
