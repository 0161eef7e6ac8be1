// Second factors of accounts that sign in with a password.
import { bigint, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, instant } from './workspaces.ts';

/** An authenticator app: one for each account. */
export const twoFactor = pgTable('two_factor', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The key that the app has, in Base32. */
  secret: text('secret_encrypted').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When the first code was right. Null: being set up, and asked for by nobody. */
  confirmedAt: instant('confirmed_at'),
  /** Time step of the last code that was used (RFC 6238): neither it nor an earlier one counts again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** Those that were not used yet. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256. */
    codeHash: bytea('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Between the right password and the code: no session yet, and of no use for anything but the second step. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    /** SHA-256 of the token in the browser's cookie. */
    tokenHash: bytea('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_challenges_user').on(table.userId)],
);
