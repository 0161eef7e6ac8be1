// Ways to sign in: with email address and password, with a passkey, or with an identity provider. next-auth's cookie only
// contains the id of a session in the database.
import type { AuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { emailSchema } from '#lib/identity/members/schema.ts';
import { addressOf } from './address-of.ts';
import { readKnownBrowser } from './known-browser.ts';
import { OIDC_PROVIDER_ID, oidcProvider, readIdentity } from './oidc-provider.ts';
import { returnUrl } from './return-path.ts';
import { PASSKEY_PROVIDER_ID } from './passkey-names.ts';
import { type FinishPasskey, passkeyProvider } from './passkey-provider.ts';
import { NEEDS_SECOND_STEP, SECOND_STEP_PROVIDER_ID } from './second-step-names.ts';
import { type SecondSteps, secondStepProvider } from './second-step-provider.ts';
import { readSignInProblem, type SignInProblem } from './sign-in-problem.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';
import { signInWithPassword } from './sign-in-with-password.ts';
import {
  type BrowserFacts,
  endSession,
  SESSION_SECONDS,
  type SignedInBy,
  startSession,
} from './user-sessions.ts';

declare module 'next-auth' {
  interface Session {
    sessionId?: string;
  }
  interface User {
    /** Of a sign-in with one. */
    passkeyId?: string;
  }
}
declare module 'next-auth/jwt' {
  interface JWT {
    sessionId?: string;
  }
}

const SIGNED_IN_BY: Readonly<Record<string, SignedInBy>> = {
  [OIDC_PROVIDER_ID]: 'provider',
  [SECOND_STEP_PROVIDER_ID]: 'two_factor',
  [PASSKEY_PROVIDER_ID]: 'passkey',
};

export interface PassedPassword {
  userId: string;
  address: string | null;
  with: 'a password' | 'a passkey';
}

/** A request that may sign a user in: further facts about it, and callbacks that complete its response. */
export interface SignInRequest extends BrowserFacts {
  secondSteps: SecondSteps;
  finishPasskey: FinishPasskey;
  /** Called before the session starts, after the right password or passkey. @throws AppError to refuse it */
  passedPassword: (who: PassedPassword) => Promise<void>;
  /** Called with the email address after a sign-in with a passkey, or with a password and, where needed, a code. */
  signedIn: (email: string) => void;
  /** Called with the token of a challenge when the password was right and a code is needed. */
  challenged: (token: string) => void;
  /** Called with the reason when signing in with the identity provider has failed. */
  failed: (problem: SignInProblem) => void;
}

/** @param request left out: sessions are read only @throws Error when AUTH_SECRET is missing */
export function nextAuthOptions(db: Database, settings: Settings, request?: SignInRequest): AuthOptions {
  if (!settings.AUTH_SECRET) throw new Error('AUTH_SECRET is not set: `npm start` creates one.');
  // next-auth reads its own URL only from here; it must not be derived from the Host header.
  // oxlint-disable-next-line patchbay/no-restricted-syntax
  process.env['NEXTAUTH_URL'] = settings.BASE_URL;
  const oidc = oidcProvider(settings);
  const withPassword = request
    ? [
        passwordProvider(db, settings, request),
        secondStepProvider(settings, request.secondSteps.finish, request.signedIn),
        passkeyProvider(settings, request.finishPasskey, request.signedIn),
      ]
    : [];
  return {
    secret: settings.AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    logger: {
      error: (code, metadata) => logProblem(code, metadata, request?.failed),
      warn: () => undefined,
      debug: () => undefined,
    },
    providers: oidc ? [...withPassword, oidc] : withPassword,
    callbacks: {
      redirect: ({ url, baseUrl }) => returnUrl(baseUrl, url),
      async jwt({ token, user, account, profile }) {
        if (!account) return token.sessionId ? { sessionId: token.sessionId } : {};
        const signedInBy = SIGNED_IN_BY[account.provider] ?? 'password';
        const { userAgent = null, address = null } = request ?? {};
        if (signedInBy === 'provider') {
          const { id } = await signInWithIdentity(db, readIdentity(settings, profile));
          const seconds = settings.AUTH_OIDC_SESSION_HOURS * 3600;
          return { sessionId: await startSession(db, id, { signedInBy, userAgent, address, seconds }) };
        }
        await request?.passedPassword({
          userId: user.id,
          address,
          with: signedInBy === 'passkey' ? 'a passkey' : 'a password',
        });
        const { passkeyId } = user;
        return { sessionId: await startSession(db, user.id, { signedInBy, passkeyId, userAgent, address }) };
      },
      // The server reads the id and looks it up in the database; the browser needs no session data.
      session: ({ session, token: { sessionId } }) => ({
        expires: session.expires,
        ...(request === undefined && sessionId ? { sessionId } : {}),
      }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token.sessionId) await endSession(db, token.sessionId);
      },
    },
  };
}

/** A cookie that cannot be read is treated as signed out, without a log line. */
function logProblem(code: string, metadata: unknown, failed?: (problem: SignInProblem) => void): void {
  if (code === 'JWT_SESSION_ERROR') return;
  const err = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;
  failed?.(readSignInProblem(err));
  void import('#lib/core/log.ts').then(({ logger }) => logger.warn({ code, err }, 'Signing in failed'));
}

function passwordProvider(
  db: Database,
  settings: Settings,
  { signedIn, challenged, secondSteps }: SignInRequest,
) {
  return CredentialsProvider({
    name: 'Password',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    async authorize(given, request) {
      const email = emailSchema.safeParse(given?.email);
      const password = given?.password ?? '';
      if (!email.success || password.length > 500) return null;
      try {
        const user = await signInWithPassword(db, {
          email: email.data,
          password,
          address: addressOf(request.headers?.['x-forwarded-for']),
          browserId: readKnownBrowser(settings, cookieOf(request.headers), email.data),
        });
        const challenge = await secondSteps.start(user.id);
        if (challenge === null) {
          signedIn(user.email);
          return user;
        }
        challenged(challenge);
      } catch (error) {
        // next-auth shows the message in the form, so that only messages of AppErrors may be in it.
        if (error instanceof AppError) throw new Error(error.message, { cause: error });
        throw new Error('Signing in is not possible right now. Try again in a moment.', { cause: error });
      }
      throw new Error(NEEDS_SECOND_STEP);
    },
  });
}

function cookieOf(headers: Record<string, unknown> | undefined): string | null {
  const cookie = headers?.['cookie'];
  return typeof cookie === 'string' ? cookie : null;
}
