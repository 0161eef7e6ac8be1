import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { assertOidcProvider } from '#lib/identity/auth/check-oidc-provider.ts';
import { limitCallbackUrl } from '#lib/identity/auth/limit-callback-url.ts';
import { knownBrowserCookie } from '#lib/identity/auth/known-browser.ts';
import { nextAuthOptions } from '#lib/identity/auth/next-auth-options.ts';
import { OIDC_PROVIDER_ID } from '#lib/identity/auth/oidc-provider.ts';
import { readSignInProblem, type SignInProblem } from '#lib/identity/auth/sign-in-problem.ts';
import { signInProblemCookie } from '#lib/identity/auth/sign-in-problem-cookie.ts';
import { readBrowser } from '#lib/identity/auth/read-browser.ts';
import { challengeCookie } from '#lib/identity/auth/second-step-provider.ts';
import { recordBreakGlass } from '#lib/identity/sign-in-policy/record-break-glass.ts';
import { accountContext } from '#lib/identity/two-factor/account-context.ts';
import { startSecondStep } from '#lib/identity/two-factor/start-second-step.ts';
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
  let signedInAs: string | undefined;
  let problem = await findProviderProblem(settings, (await context.params).nextauth);
  if (problem !== undefined) return refuse(request, settings, problem);
  let challenge: string | undefined;
  const options = nextAuthOptions(runtime.db, settings, {
    ...readBrowser(request.headers),
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
        import('#lib/identity/passkeys/context.ts'),
      ]);
      return finishPasskeySignIn(passkeyContext(runtime), answer);
    },
    passedPassword: (who) =>
      recordBreakGlass({ ...accountContext(runtime), baseUrl: settings.BASE_URL }, who),
    signedIn: (email) => (signedInAs = email),
    challenged: (token) => (challenge = token),
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

/** A problem of the identity provider, for requests that need it. */
async function findProviderProblem(
  settings: Settings,
  [, provider]: readonly string[],
): Promise<SignInProblem | undefined> {
  if (provider !== OIDC_PROVIDER_ID) return undefined;
  try {
    await assertOidcProvider(settings);
    return undefined;
  } catch (error) {
    const { logger } = await import('#lib/core/log.ts');
    logger.warn({ err: error }, 'The identity provider cannot be used');
    return readSignInProblem(error);
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
