import { recordForAccount } from '#lib/identity/audit/record-for-account.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import type { Account } from '#lib/identity/two-factor/context.ts';
import { warnAccount } from '#lib/identity/two-factor/warn-account.ts';

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
