// Signing in with a passkey alone: the browser offers those of this host, and the response identifies the account.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { PASSKEY_CHALLENGE_SECONDS } from '#lib/identity/auth/provider-names.ts';
import type { PasskeyAnswer } from '#lib/identity/auth/passkey-provider.ts';
import { withAttempt } from '#lib/identity/auth/sign-in-attempts.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { passkeys } from '#lib/identity/schema/sign-in.ts';
import { identityRequired, mayUsePassword } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import type { Account } from '#lib/identity/two-factor/context.ts';
import { type Challenge, makeChallenge, openChallenge, useChallenge } from './challenge.ts';
import type { PasskeyContext, RelyingParty } from './relying-party.ts';
import {
  type AuthenticationResponse,
  authenticationResponseSchema,
  MAX_RESPONSE_CHARACTERS,
} from './schema.ts';
import { toUserHandle } from './add-passkey.ts';

/** Options for a browser to sign in with a passkey. @returns `sealed` is for its cookie */
export function startPasskeySignIn({
  secrets,
  relyingParty,
}: {
  secrets: SecretBox;
  relyingParty: RelyingParty;
}): { options: PublicKeyCredentialRequestOptionsJSON; sealed: string } {
  const { challenge, sealed } = makeChallenge(secrets, 'sign-in');
  return {
    options: {
      challenge,
      rpId: relyingParty.id,
      userVerification: 'required',
      timeout: PASSKEY_CHALLENGE_SECONDS * 1000,
    },
    sealed,
  };
}

/**
 * Verifies a passkey's response and uses up its challenge.
 * @throws AppError `conflict` for a challenge that has expired or was used; `unauthorized` when the passkey is unknown or its
 *   response is wrong; `forbidden` where the identity provider is required; `rate_limited`
 */
export async function finishPasskeySignIn(
  ctx: PasskeyContext,
  { sealed, response: given, address, browserIdOf }: PasskeyAnswer,
): Promise<Account & { passkeyId: string }> {
  const challenge = openChallenge(ctx.secrets, 'sign-in', sealed);
  const response = parse(given);
  const { account, passkey } = await findPasskey(ctx.db, response);
  const attempt = { email: `passkey of ${account.email}`, address, browserId: browserIdOf(account.email) };
  await withAttempt(ctx.db, attempt, async () => {
    const counter = await verify(ctx, { challenge, response, passkey });
    await ctx.db.transaction(async (tx) => {
      await useChallenge(tx, challenge);
      const used = await tx
        .update(passkeys)
        .set({ counter, lastUsedAt: sql`now()` })
        .where(and(eq(passkeys.id, passkey.id), isAfter(counter)))
        .returning();
      if (used.length === 0) throw wrong();
    });
  });
  if (!(await mayUsePassword(ctx.db, account.id))) throw identityRequired('passkey');
  return { ...account, passkeyId: passkey.id };
}

/** Two concurrent responses must not both be accepted with one counter; authenticators without a counter stay at 0. */
const isAfter = (counter: number) =>
  or(lt(passkeys.counter, counter), counter === 0 ? eq(passkeys.counter, 0) : undefined);

function parse(given: string): AuthenticationResponse {
  try {
    if (given.length > MAX_RESPONSE_CHARACTERS) throw new Error('The answer is too long.');
    return authenticationResponseSchema.parse(JSON.parse(given));
  } catch (cause) {
    throw wrong(cause);
  }
}

type Passkey = typeof passkeys.$inferSelect;

async function findPasskey(
  db: Database,
  { id, response: { userHandle } }: AuthenticationResponse,
): Promise<{ account: Account; passkey: Passkey }> {
  const [found] = await db
    .select({ account: { id: users.id, email: users.email }, passkey: passkeys })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, Buffer.from(id, 'base64url')));
  if (found && Buffer.from(userHandle, 'base64url').equals(toUserHandle(found.account.id))) return found;
  throw new AppError(
    'unauthorized',
    'Patchbay does not know this passkey: it was deleted from its account. Sign in with your password, and remove it from your device.',
  );
}

async function verify(
  { relyingParty }: PasskeyContext,
  {
    challenge,
    response,
    passkey,
  }: { challenge: Challenge; response: AuthenticationResponse; passkey: Passkey },
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge.challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch((cause: unknown) => {
    throw wrong(cause);
  });
  if (!verified) throw wrong();
  return authenticationInfo.newCounter;
}

const wrong = (cause?: unknown): AppError =>
  new AppError(
    'unauthorized',
    'This passkey could not be verified. Try again, or sign in with your password.',
    { cause },
  );
