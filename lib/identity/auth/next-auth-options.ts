// How people sign in: with email address and password, or at an identity provider. The cookie that next-auth keeps
// holds nothing but the id of a session in the database.
import type { AuthOptions, Profile } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { Database } from '#lib/core/db/client.ts';
import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { emailSchema } from '#lib/identity/members/schema.ts';
import { readKnownBrowser } from './known-browser.ts';
import { returnUrl } from './return-path.ts';
import { needsSetupCode } from './setup-code.ts';
import { signInWithIdentity } from './sign-in-with-identity.ts';
import { signInWithPassword } from './sign-in-with-password.ts';
import { endSession, SESSION_SECONDS, startSession } from './user-sessions.ts';

declare module 'next-auth' {
  interface Session {
    sessionId?: string;
  }
  interface Profile {
    email_verified?: boolean;
  }
}
declare module 'next-auth/jwt' {
  interface JWT {
    sessionId?: string;
  }
}

export const OIDC_PROVIDER_ID = 'oidc';

/**
 * @param signedIn told the email address when somebody signs in with a password.
 * @throws Error when AUTH_SECRET is missing
 */
export function nextAuthOptions(
  db: Database,
  settings: Settings,
  signedIn: (email: string) => void = () => undefined,
): AuthOptions {
  if (!settings.AUTH_SECRET) throw new Error('AUTH_SECRET is not set: `npm start` creates one.');
  // next-auth takes its own address from nowhere else; it is never to be the one of the Host header.
  // eslint-disable-next-line no-restricted-syntax
  process.env['NEXTAUTH_URL'] = settings.BASE_URL;
  const oidc = oidcProvider(settings);
  const password = passwordProvider(db, settings, signedIn);
  return {
    secret: settings.AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    logger: { error: logProblem, warn: () => undefined, debug: () => undefined },
    providers: oidc ? [password, oidc] : [password],
    callbacks: {
      redirect: ({ url, baseUrl }) => returnUrl(baseUrl, url),
      async jwt({ token, user, account, profile }) {
        if (!account) return token.sessionId ? { sessionId: token.sessionId } : {};
        const { id } = account.provider === OIDC_PROVIDER_ID ? await identify(db, settings, profile) : user;
        return { sessionId: await startSession(db, id) };
      },
      session: ({ session, token }) => ({
        expires: session.expires,
        ...(token.sessionId ? { sessionId: token.sessionId } : {}),
      }),
    },
    events: {
      signOut: async ({ token }) => {
        if (token.sessionId) await endSession(db, token.sessionId);
      },
    },
  };
}

/** A cookie that cannot be read is nobody's session: that needs no line in the log. */
function logProblem(code: string, metadata: unknown): void {
  if (code === 'JWT_SESSION_ERROR') return;
  void import('#lib/core/log.ts').then(({ logger }) => {
    const err = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | undefined)?.error;
    logger.warn({ code, err }, 'Signing in failed');
  });
}

function passwordProvider(db: Database, settings: Settings, signedIn: (email: string) => void) {
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
          address: addressOf(request.headers),
          browserId: readKnownBrowser(settings, cookieOf(request.headers), email.data),
        });
        signedIn(user.email);
        return user;
      } catch (error) {
        // next-auth hands the message to the form; nothing but our own words goes there.
        if (error instanceof AppError) throw new Error(error.message, { cause: error });
        throw new Error('Signing in is not possible right now. Try again in a moment.', { cause: error });
      }
    },
  });
}

/** The address that the nearest proxy (or Next itself) saw: earlier entries are whatever the caller wrote. */
function addressOf(headers: Record<string, unknown> | undefined): string {
  const forwarded = headers?.['x-forwarded-for'];
  return (typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined) ?? 'unknown';
}

function cookieOf(headers: Record<string, unknown> | undefined): string | null {
  const cookie = headers?.['cookie'];
  return typeof cookie === 'string' ? cookie : null;
}

function oidcProvider(settings: Settings): OAuthConfig<Profile> | null {
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_CLIENT_ID, AUTH_OIDC_CLIENT_SECRET } = settings;
  if (!issuer || !AUTH_OIDC_CLIENT_ID) return null;
  return {
    id: OIDC_PROVIDER_ID,
    name: settings.AUTH_OIDC_NAME,
    type: 'oauth',
    wellKnown: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
    clientId: AUTH_OIDC_CLIENT_ID,
    ...(AUTH_OIDC_CLIENT_SECRET ? { clientSecret: AUTH_OIDC_CLIENT_SECRET } : {}),
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    profile: ({ sub, email }) => ({ id: sub ?? '', email: email ?? null }),
  };
}

async function identify(
  db: Database,
  settings: Settings,
  profile: Profile | undefined,
): Promise<{ id: string }> {
  return signInWithIdentity(db, {
    issuer: settings.AUTH_OIDC_ISSUER ?? '',
    subject: profile?.sub ?? '',
    email: profile?.email,
    emailVerified: profile?.email_verified === true,
    mayBecomeOwner: !needsSetupCode(settings),
  });
}
