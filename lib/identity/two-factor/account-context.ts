import type { AccountContext } from '#lib/identity/context.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { canMail } from '#lib/mail/can-mail.ts';

/** The context of verbs for accounts. */
export const accountContext = (runtime: ProcessRuntime): AccountContext => ({
  db: runtime.db,
  canMail: canMail(runtime.settings),
  // Created on first use: reading sessions needs no keys.
  get secrets() {
    return runtime.secrets;
  },
});
