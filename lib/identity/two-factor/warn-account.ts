import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import { type NewMail, queueMail } from '#lib/mail/queue-mail.ts';
import type { Account } from './context.ts';

const MAIL_USEFUL_SECONDS = 86_400;

interface Warning {
  kind?: NewMail['kind'];
  account: Account;
  subject: string;
  happened: string;
}

/** Mails the owner of an account that its sign-in methods changed, where mail is set up. */
export async function warnAccount(
  tx: Transaction,
  { secrets, canMail }: Pick<AccountContext, 'secrets' | 'canMail'>,
  { kind = 'two_factor', account, subject, happened }: Warning,
): Promise<void> {
  if (!canMail) return;
  await queueMail(tx, secrets, {
    kind,
    to: account.email,
    usefulSeconds: MAIL_USEFUL_SECONDS,
    subject,
    paragraphs: [
      happened,
      'If it was not you, change your password now, delete passkeys that are not yours and sign out all other browsers in Settings → Your account, and tell an owner of your workspace.',
    ],
  });
}
