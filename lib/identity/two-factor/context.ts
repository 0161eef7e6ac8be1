import type { Binding } from '#lib/core/crypto/secret-box.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import { canMail } from '#lib/mail/can-mail.ts';
import { type NewMail, queueMail } from '#lib/mail/queue-mail.ts';

export interface Account {
  id: string;
  email: string;
}

/** A signed-in user and their session. */
export interface AccountSession extends Account {
  sessionId: string;
}

/** Key for counting wrong codes of an account: separate from its wrong passwords, which the right one clears. */
export const codeOf = ({ email }: Account): string => `code of ${email}`;

/** Binding of an app's sealed key. */
export const totpBinding = (userId: string): Binding => ['installation', 'two_factor', userId];

/** The context of verbs for accounts. */
export const accountContext = (runtime: ProcessRuntime): AccountContext => ({
  db: runtime.db,
  canMail: canMail(runtime.settings),
  // Created on first use: reading sessions needs no keys.
  get secrets() {
    return runtime.secrets;
  },
});

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
