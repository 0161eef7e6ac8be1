// The challenge that a passkey signs, which limits its signature to this moment, server and single use. The server stores
// nothing before a valid response: the challenge is sealed and returned with the response.
import { randomBytes } from 'node:crypto';
import { lt } from 'drizzle-orm';
import * as z from 'zod';
import type { Binding, SecretBox } from '#lib/core/crypto/secret-box.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { PASSKEY_CHALLENGE_SECONDS } from '#lib/identity/auth/provider-names.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { usedPasskeyChallenges } from '#lib/identity/schema/sign-in.ts';

const CHALLENGE_BYTES = 32;

const challengeSchema = z.strictObject({
  challenge: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** Of the passkey that is added; empty when signing in. */
  name: z.string(),
});
export type Challenge = z.output<typeof challengeSchema>;

/** Purpose of a challenge: signing in, or adding a passkey in one session. */
export type Purpose = 'sign-in' | `add in ${string}`;

const binding = (purpose: Purpose): Binding => ['installation', 'passkey_challenge', purpose];

/** A new challenge, in base64url, and its sealed form, which cannot be read or changed. */
export function makeChallenge(
  secrets: SecretBox,
  purpose: Purpose,
  name = '',
): { challenge: string; sealed: string } {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const content: Challenge = { challenge, expiresAt: Date.now() + PASSKEY_CHALLENGE_SECONDS * 1000, name };
  return { challenge, sealed: secrets.seal(JSON.stringify(content), binding(purpose)) };
}

/** @throws AppError `conflict` for one of another purpose, a changed or an expired one */
export function openChallenge(secrets: SecretBox, purpose: Purpose, sealed: string): Challenge {
  const opened = parse(secrets, purpose, sealed);
  if (!opened || opened.expiresAt <= Date.now()) throw expired();
  return opened;
}

function parse(secrets: SecretBox, purpose: Purpose, sealed: string): Challenge | null {
  try {
    return challengeSchema.parse(JSON.parse(secrets.open(sealed, binding(purpose))));
  } catch {
    return null;
  }
}

/**
 * Marks a challenge as used, also with concurrent responses.
 * @throws AppError `conflict` when it was used before
 */
export async function useChallenge(tx: Transaction, { challenge, expiresAt }: Challenge): Promise<void> {
  await tx.delete(usedPasskeyChallenges).where(lt(usedPasskeyChallenges.expiresAt, new Date()));
  const used = await tx
    .insert(usedPasskeyChallenges)
    .values({
      challengeHash: hashToken(challenge),
      expiresAt: new Date(expiresAt + MARGIN_MS),
    })
    .onConflictDoNothing()
    .returning();
  if (used.length === 0) throw expired();
}

/** Allowed clock difference between web processes. */
const MARGIN_MS = 600_000;

const expired = (): AppError =>
  new AppError('conflict', 'This took too long, or its answer was sent twice. Try again.');
