import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';

/** What every verb is handed first: whose workspace it works in, and with what. Queries never leave this workspace. */
export interface Context {
  db: Database;
  workspaceId: string;
  secrets: SecretBox;
  /** The product's own address without a slash at its end, for the webhook URLs. */
  baseUrl: string;
}

/** What verbs are handed that change something: also who does it, for versions and the audit log. */
export interface ActorContext extends Context {
  /** A user's id, or an API key as `keyActor` names it. */
  actor: string;
}

/** What verbs of accounts are handed, which belong to no workspace. */
export interface AccountContext {
  db: Database;
  secrets: SecretBox;
  /** Whether the installation can send mail. */
  canMail: boolean;
}

/** What runs inside `ctx.db.transaction`. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
