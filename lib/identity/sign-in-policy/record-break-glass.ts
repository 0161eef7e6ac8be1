import type { AccountContext } from '#lib/identity/context.ts';
import { eq } from 'drizzle-orm';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { getSignInPolicy, identityRequired, mayUsePassword } from './sign-in-policy.ts';
import { listInstallationOwners } from './owners.ts';

const USEFUL_SECONDS = 86_400;

export interface BreakGlassSignIn {
  userId: string;
  address: string | null;
  with: 'a password' | 'a passkey';
}

/**
 * Called before the session of a user with the right password or passkey: where sign-in with the identity provider is
 * required, the sign-in is recorded in the audit log of each of their workspaces, and the other owners of the first workspace
 * get a mail.
 * @throws AppError `forbidden` for other users, for example when it became required between password and code
 */
export async function recordBreakGlass(
  { db, secrets, canMail, baseUrl }: AccountContext & { baseUrl: string },
  { userId, address, with: given }: BreakGlassSignIn,
): Promise<void> {
  const { requiresIdentity } = await getSignInPolicy(db);
  if (!requiresIdentity) return;
  if (!(await mayUsePassword(db, userId)))
    throw identityRequired(given === 'a passkey' ? 'passkey' : 'password');
  const from = address === null ? '' : ` from ${address}`;
  await db.transaction(async (tx) => {
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
    const email = user?.email ?? '';
    const workspaces = await tx
      .select({ workspaceId: memberships.workspaceId })
      .from(memberships)
      .where(eq(memberships.userId, userId));
    for (const { workspaceId } of workspaces)
      await recordAudit({ workspaceId, actor: userId }, tx, 'break_glass.signed_in', {
        id: userId,
        name: `${email}${from}`,
      });
    if (!canMail) return;
    for (const owner of await listInstallationOwners(tx, undefined))
      if (owner.userId !== userId)
        await queueMail(tx, secrets, {
          kind: 'break_glass',
          to: owner.email,
          usefulSeconds: USEFUL_SECONDS,
          subject: 'Break-glass sign-in to Patchbay',
          paragraphs: [
            `${email} signed in with ${given}${from}, although this installation requires sign-in with the identity provider.`,
            'If nobody of you knows why, change the password, sign the account out and read the audit log.',
          ],
          link: { label: 'Audit log', url: `${baseUrl}/settings/audit-log` },
        });
  });
}
