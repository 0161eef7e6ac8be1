import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';

/** What every verb is handed first: whose workspace it works in, and with what. Nothing outside of it is ever found. */
export interface Context {
  db: Database;
  workspaceId: string;
  secrets: SecretBox;
  /** The product's own address without a slash at its end, for the webhook URLs. */
  baseUrl: string;
  /** Who does it, for the record of versions: a user's or an API key's id. */
  actor?: string | undefined;
}

/** What runs inside `ctx.db.transaction`. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
