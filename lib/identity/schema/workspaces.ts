import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const workspaces = pgTable(
  'workspaces',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Requests a second over all webhooks of the workspace and all web processes; null: the server's default. */
    webhookRatePerSecond: integer('webhook_rate_per_second'),
    /** Customer phone numbers are masked in lists for everyone, and in full only on the record itself to editors. */
    masksNumbers: boolean('masks_numbers').notNull().default(true),
    /** Members who sign in with a password from then on need a second factor; null: they may have one. */
    twoFactorRequiredAt: instant('two_factor_required_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  () => [check('workspaces_webhook_rate_positive', sql`webhook_rate_per_second > 0`)],
);

/**
 * What is left of the rates of limited workspaces (lib/webhooks/rate-leases.ts). The table is unlogged: a lease needs no
 * flush to disk, and after a crash of the database every bucket is full.
 */
export const webhookRateBuckets = pgTable('webhook_rate_buckets', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  /** Requests that may still be granted, with fractions, at `refilled_at`. */
  available: doublePrecision('available').notNull(),
  /** By the last lease. */
  granted: integer('granted').notNull(),
  refilledAt: timestamp('refilled_at', { withTimezone: true }).notNull(),
});

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the key; the key itself is shown once and never kept. */
    keyHash: bytea('key_hash').notNull().unique(),
    /** SHA-256 of the `PATCHBAY_API_KEY` that made it, with which it ends; null: an owner made it in Settings. */
    madeWithHash: bytea('made_with_hash'),
    /** The key that made it, with which it ends; null: another key did not make it. */
    madeWithKeyId: uuid('made_with_key_id'),
    /** First characters, to tell keys apart in a list. */
    prefix: text('prefix').notNull(),
    /** The default is what keys could do before they had scopes. */
    scope: text('scope').$type<'read' | 'run' | 'edit' | 'admin'>().notNull().default('edit'),
    /** The user whose role limits what it may do; null: nobody's. It stays when that user is gone. */
    createdBy: uuid('created_by'),
    /** Null: never. */
    expiresAt: instant('expires_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('api_keys_workspace').on(table.workspaceId, table.id),
    check('api_keys_scope', sql`scope in ('read', 'run', 'edit', 'admin')`),
  ],
);
