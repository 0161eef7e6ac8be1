import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';

/** First argument of every verb: the workspace and its resources. Queries never leave this workspace. */
export interface Context {
  db: Database;
  workspaceId: string;
  secrets: SecretBox;
  /** The product's own address without a trailing slash, for webhook URLs. */
  baseUrl: string;
}

/** Context of verbs that change something: with the actor, for versions and the audit log. */
export interface ActorContext extends Context {
  /** A user's id, or an API key as `keyActor` names it. */
  actor: string;
}

/** Context of verbs for accounts, which belong to no workspace. */
export interface AccountContext {
  db: Database;
  secrets: SecretBox;
  /** Whether the installation can send mail. */
  canMail: boolean;
}

/** The argument of `ctx.db.transaction`'s callback. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
