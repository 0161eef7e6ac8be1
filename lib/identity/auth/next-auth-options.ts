// Ways to sign in: with email address and password, with a passkey, or with an identity provider. next-auth's cookie only
// contains the id of a session in the database.
import type { AuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import { emailSchema } from '#lib/identity/members/schema.ts';
import { addressOf } from './sign-in-attempts.ts';
import { readKnownBrowser } from './known-browser.ts';
import {
  OIDC_PROVIDER_ID,
  oidcProvider,
  type ProviderRequest,
  readIdentity,
  reportFailure,
} from './oidc/oidc-provider.ts';
import { returnUrl } from './return-path.ts';
import { PASSKEY_PROVIDER_ID, NEEDS_SECOND_STEP, SECOND_STEP_PROVIDER_ID } from './provider-names.ts';
import { type FinishPasskey, passkeyProvider } from './passkey-provider.ts';
import { type SecondSteps, secondStepProvider } from './second-step-provider.ts';
import { toRefusal } from './sign-in-problem.ts';
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
export interface SignInRequest extends BrowserFacts, ProviderRequest {
  /** Of the browser, where it starts the first workspace. */
  zone?: string | undefined;
  secondSteps: SecondSteps;
  finishPasskey: FinishPasskey;
  /** Called before the session starts, after the right password or passkey. @throws AppError to refuse it */
  passedPassword: (who: PassedPassword) => Promise<void>;
  /** Called after every sign-in. @param email undefined after one with the identity provider */
  signedIn: (email: string | undefined) => void;
  /** Called with the token of a challenge when the password was right and a code is needed. */
  challenged: (token: string) => void;
}

/** @param request left out: sessions are read only @throws Error when AUTH_SECRET is missing */
export function nextAuthOptions(db: Database, settings: Settings, request?: SignInRequest): AuthOptions {
  if (!settings.AUTH_SECRET) throw new Error('AUTH_SECRET is not set: `npm start` creates one.');
  return {
    secret: settings.AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    logger: { error: logFailure, warn: () => undefined, debug: () => undefined },
    providers: request ? providersOf(db, settings, request) : [],
    callbacks: {
      redirect: ({ url, baseUrl }) => returnUrl(baseUrl, url),
      async signIn({ user, account }) {
        if (account?.type !== 'credentials') return true;
        const given = account.provider === PASSKEY_PROVIDER_ID ? 'a passkey' : 'a password';
        await request
          ?.passedPassword({ userId: user.id, address: request.address, with: given })
          .catch((error: unknown) => {
            throw toRefusal(error);
          });
        return true;
      },
      async jwt({ token, user, account, profile }) {
        if (!account) return token.sessionId ? { sessionId: token.sessionId } : {};
        const signedInBy = SIGNED_IN_BY[account.provider] ?? 'password';
        const { userAgent = null, address = null } = request ?? {};
        if (signedInBy === 'provider') {
          const identity = readIdentity(settings, profile);
          const { id } = await reportFailure(request, () =>
            signInWithIdentity(db, { ...identity, zone: request?.zone }),
          );
          const seconds = settings.AUTH_OIDC_SESSION_HOURS * 3600;
          return { sessionId: await startSession(db, id, { signedInBy, userAgent, address, seconds }) };
        }
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
      signIn: ({ user, account }) =>
        request?.signedIn(account?.type === 'credentials' ? (user.email ?? undefined) : undefined),
      signOut: async ({ token }) => {
        if (token.sessionId) await endSession(db, token.sessionId);
      },
    },
  };
}

function providersOf(db: Database, settings: Settings, request: SignInRequest): AuthOptions['providers'] {
  const oidc = oidcProvider(settings, request);
  return [
    passwordProvider(db, settings, request),
    secondStepProvider(settings, request.secondSteps.finish),
    passkeyProvider(settings, request.finishPasskey),
    ...(oidc ? [oidc] : []),
  ];
}

/** A cookie that cannot be read is treated as signed out, without a log line. */
function logFailure(code: string, metadata: Error | { error?: unknown }): void {
  if (code === 'JWT_SESSION_ERROR') return;
  const err = metadata instanceof Error ? metadata : metadata.error;
  void import('#lib/core/log.ts').then(({ logger }) => logger.warn({ code, err }, 'Signing in failed'));
}

function passwordProvider(db: Database, settings: Settings, { challenged, secondSteps }: SignInRequest) {
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
          browserId: readKnownBrowser(settings, request.headers?.['cookie'], email.data),
        });
        const challenge = await secondSteps.start(user.id);
        if (challenge === null) return user;
        challenged(challenge);
      } catch (error) {
        throw toRefusal(error);
      }
      throw new Error(NEEDS_SECOND_STEP);
    },
  });
}
