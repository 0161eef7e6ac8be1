import { and, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { emailSchema } from '#lib/identity/members/schema.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';
import { claimFirstStart, joinAsOwner } from './create-account.ts';

export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  /** Whether the first to sign in may own the installation; false where that takes the setup code. */
  mayBecomeOwner: boolean;
}

/**
 * The user of an account at the identity provider. One that was not seen before is tied to the user of its email
 * address if the provider has verified it, else it gets a user of its own, who is in no workspace until invited; on
 * the very first start it becomes the owner.
 * @throws AppError `forbidden` when the provider tells no usable email address, or the owner's account comes first.
 */
export async function signInWithIdentity(db: Database, identity: Identity): Promise<{ id: string }> {
  const { issuer, subject } = identity;
  const workspaceId = await ensureFirstWorkspace(db);
  return db.transaction(async (tx) => {
    const first = await claimFirstStart(tx);
    if (first && !identity.mayBecomeOwner)
      throw new AppError(
        'forbidden',
        'This installation has no owner yet. Create the owner’s account with the setup code first.',
      );
    const [known] = await tx
      .select({ id: userIdentities.userId })
      .from(userIdentities)
      .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)));
    const id = known?.id ?? (await tieIdentity(tx, identity));
    if (first) await joinAsOwner(tx, workspaceId, id);
    return { id };
  });
}

async function tieIdentity(
  tx: Transaction,
  { issuer, subject, email, emailVerified }: Identity,
): Promise<string> {
  const address = emailSchema.safeParse(email);
  if (!address.success) {
    throw new AppError(
      'forbidden',
      'The identity provider did not provide an email address. Allow the scope "email" there.',
    );
  }
  const [sameAddress] = await tx.select().from(users).where(eq(users.email, address.data));
  if (sameAddress && !emailVerified) {
    throw new AppError(
      'forbidden',
      'The identity provider has not verified this email address. Verify it there first.',
    );
  }
  const userId = sameAddress?.id ?? newId();
  if (!sameAddress) await tx.insert(users).values({ id: userId, email: address.data });
  await tx.insert(userIdentities).values({ issuer, subject, userId });
  return userId;
}
