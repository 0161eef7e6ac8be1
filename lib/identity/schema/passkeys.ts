// Passkeys: ways into an account that has a password (docs/decisions/passkeys.md).
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
    /** As its owner calls it. */
    name: text('name').notNull(),
    /** Of whoever made it: the browser names it when it signs. */
    credentialId: bytea('credential_id').notNull().unique(),
    /** COSE (RFC 9052). */
    publicKey: bytea('public_key').notNull(),
    /** How often it had signed by the last sign-in; 0: it does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** The host that it was made for: it works for no other. */
    rpId: text('rp_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Null: nobody has signed in with it yet. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Challenges that a passkey has answered, until they expire: none counts twice. */
export const usedPasskeyChallenges = pgTable('used_passkey_challenges', {
  /** SHA-256. */
  challengeHash: bytea('challenge_hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});
