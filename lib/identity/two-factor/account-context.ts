import type { AccountContext } from '#lib/identity/context.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { canMail } from '#lib/mail/can-mail.ts';

/** What verbs of accounts are handed, of a process. */
export const accountContext = (runtime: ProcessRuntime): AccountContext => ({
  db: runtime.db,
  canMail: canMail(runtime.settings),
  // When something is opened or sealed, and not before: reading sessions needs no keys.
  get secrets() {
    return runtime.secrets;
  },
});
