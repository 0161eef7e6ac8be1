import type * as z from 'zod';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { count, eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { PASSKEY_CHALLENGE_SECONDS } from '#lib/identity/auth/provider-names.ts';
import type { Transaction, AccountContext } from '#lib/identity/context.ts';
import { passkeys } from '#lib/identity/schema/sign-in.ts';
import { identityRequired, mayUsePassword } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { type Challenge, makeChallenge, openChallenge, useChallenge } from './challenge.ts';
import type { PasskeyContext } from './relying-party.ts';
import { type Proof, type ProvingSession, withNeededProof } from './needed-proof.ts';
import type { confirmPasskeySchema } from './schema.ts';
import { recordForAccount } from '#lib/identity/audit/record-audit.ts';
import { type Account, warnAccount } from '#lib/identity/two-factor/context.ts';

const MAX_PASSKEYS = 20;
/** ES256, EdDSA and RS256 (COSE): supported by authenticators and by Node without flags. */
const ALGORITHMS = [-7, -8, -257];
const COMPANY = 'Patchbay';

/**
 * Creates the options for a browser to create a passkey. Nothing changes until its response is confirmed.
 * @returns `sealed` has to be returned with the response, within five minutes and in the same session
 * @throws AppError of `withNeededProof`; `forbidden` where the identity provider is required; `conflict` for too many
 */
export async function startAddingPasskey(
  ctx: PasskeyContext,
  session: ProvingSession,
  { name, ...proof }: Proof & { name: string },
): Promise<{ options: PublicKeyCredentialCreationOptionsJSON; sealed: string }> {
  if (!(await mayUsePassword(ctx.db, session.id))) throw identityRequired('passkey');
  const known = await withNeededProof(ctx, session, proof, async (tx) => {
    await assertRoom(tx, session.id);
    return tx.select().from(passkeys).where(eq(passkeys.userId, session.id));
  });
  const { challenge, sealed } = makeChallenge(ctx.secrets, `add in ${session.sessionId}`, name);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: COMPANY,
    rpID: ctx.relyingParty.id,
    userID: toUserHandle(session.id),
    userName: session.email,
    userDisplayName: session.email,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: PASSKEY_CHALLENGE_SECONDS * 1000,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { options, sealed };
}

/**
 * Adds the passkey that a browser has created.
 * @throws AppError `conflict` when the challenge is invalid or the passkey is known; `invalid_request` when it was created
 *   for another site, without verifying its user, or is no passkey
 */
export async function confirmPasskey(
  ctx: PasskeyContext,
  session: ProvingSession,
  { sealed, response }: z.output<typeof confirmPasskeySchema>,
): Promise<void> {
  const challenge = openChallenge(ctx.secrets, `add in ${session.sessionId}`, sealed);
  const made = await verify(ctx, challenge, response);
  await ctx.db.transaction(async (tx) => {
    await useChallenge(tx, challenge);
    await assertRoom(tx, session.id);
    const added = await tx
      .insert(passkeys)
      .values({
        id: newId(),
        userId: session.id,
        name: challenge.name,
        credentialId: Buffer.from(made.id, 'base64url'),
        publicKey: Buffer.from(made.publicKey),
        counter: made.counter,
        rpId: ctx.relyingParty.id,
      })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning();
    if (added.length === 0) throw new AppError('conflict', 'This passkey was added before.');
    await recordPasskey(tx, ctx, {
      account: session,
      actor: session.id,
      name: challenge.name,
      done: 'added',
    });
  });
}

async function verify(
  { relyingParty }: PasskeyContext,
  { challenge }: Challenge,
  response: z.output<typeof confirmPasskeySchema>['response'],
): Promise<{ id: string; publicKey: Uint8Array; counter: number }> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => {
    throw unusable(cause);
  });
  if (!verified.verified) throw unusable();
  return verified.registrationInfo.credential;
}

const unusable = (cause?: unknown): AppError =>
  new AppError(
    'invalid_request',
    'This passkey cannot be used here. Try again, or use another device or password manager.',
    { cause },
  );

async function assertRoom(tx: Transaction, userId: string): Promise<void> {
  const [found] = await tx.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  if ((found?.passkeys ?? 0) >= MAX_PASSKEYS)
    throw new AppError(
      'conflict',
      `An account has at most ${MAX_PASSKEYS} passkeys. Delete one that you no longer use.`,
    );
}

const DONE = {
  added: {
    subject: 'A passkey was added to your Patchbay account',
    says: (name: string) =>
      `The passkey “${name}” was added. It signs in to your account without your password.`,
  },
  deleted: {
    subject: 'A passkey was deleted from your Patchbay account',
    says: (name: string) =>
      `The passkey “${name}” was deleted. It no longer signs in to your account, and browsers in which it had signed in were signed out.`,
  },
} as const;

/** Records in each workspace of an account that a passkey was added or deleted, and mails its owner where mail is set up. */
export async function recordPasskey(
  tx: Transaction,
  ctx: Pick<AccountContext, 'secrets' | 'canMail'>,
  { account, actor, name, done }: { account: Account; actor: string; name: string; done: keyof typeof DONE },
): Promise<void> {
  await recordForAccount(tx, {
    account,
    actor,
    action: `passkey.${done}`,
    name: `${name} of ${account.email}`,
  });
  const { subject, says } = DONE[done];
  await warnAccount(tx, ctx, { kind: 'passkey', account, subject, happened: says(name) });
}

/**
 * An account's user handle for authenticators: the bytes of its id, which reveal nothing about its owner.
 * @param userId a UUID
 */
export const toUserHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));
