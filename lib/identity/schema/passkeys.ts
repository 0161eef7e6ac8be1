// Passkeys of accounts that also have a password (docs/decisions/passkeys.md).
import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, instant } from './workspaces.ts';

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Named by its owner. */
    name: text('name').notNull(),
    /** Created by the authenticator: the browser sends it with each signature. */
    credentialId: bytea('credential_id').notNull().unique(),
    /** COSE (RFC 9052). */
    publicKey: bytea('public_key').notNull(),
    /** Signature counter at the last sign-in; 0: not supported. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** The host that it was created for: it works for no other. */
    rpId: text('rp_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Null: never used. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Used challenges, until they expire: each is valid once. */
export const usedPasskeyChallenges = pgTable('used_passkey_challenges', {
  /** SHA-256. */
  challengeHash: bytea('challenge_hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});
