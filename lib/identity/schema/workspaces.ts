import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { WorkspaceTime } from './time-types.ts';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const workspaces = pgTable(
  'workspaces',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Requests a second over all webhooks of the workspace and all web processes; null: the server's default. */
    webhookRatePerSecond: integer('webhook_rate_per_second'),
    /** Runs that are executed at once, over all workflows (`workspace_gates`); null: no limit. */
    maxConcurrentRuns: integer('max_concurrent_runs'),
    /** Customers' phone numbers are masked in lists for everyone, and shown in full only on the record itself to editors. */
    masksNumbers: boolean('masks_numbers').notNull().default(true),
    /** Since when members who sign in with a password need a second factor; null: it is optional. */
    twoFactorRequiredAt: instant('two_factor_required_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    check('workspaces_webhook_rate_positive', sql`webhook_rate_per_second > 0`),
    index('workspaces_with_limit')
      .on(table.id)
      .where(sql`max_concurrent_runs is not null`),
  ],
);

/** A workspace without a row is in UTC, has no calendars and no quiet hours. */
export const workspaceTimes = pgTable('workspace_times', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  zone: text('zone').notNull(),
  hours: json('hours').$type<WorkspaceTime['hours']>().notNull(),
  holidays: json('holidays').$type<WorkspaceTime['holidays']>().notNull(),
  quietHours: json('quiet_hours').$type<WorkspaceTime['quiet_hours']>(),
});

/**
 * The rest of the rates of limited workspaces (lib/webhooks/rate-leases.ts). The table is unlogged: a lease needs no flush to
 * disk, and after a crash of the database every bucket is full.
 */
export const webhookRateBuckets = pgTable('webhook_rate_buckets', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  /** Requests that can still be granted, with fractions, at `refilled_at`. */
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
    /** SHA-256 of the key; the key itself is shown once and never stored. */
    keyHash: bytea('key_hash').notNull().unique(),
    /** SHA-256 of the `PATCHBAY_API_KEY` that created it and that it ends with; null: an owner created it in Settings. */
    madeWithHash: bytea('made_with_hash'),
    /** The key that created it and that it ends with; null: none. */
    madeWithKeyId: uuid('made_with_key_id'),
    /** First characters, which identify a key in lists. */
    prefix: text('prefix').notNull(),
    /** The default equals the rights of keys before there were scopes. */
    scope: text('scope').$type<'read' | 'run' | 'edit' | 'admin'>().notNull().default('edit'),
    /** The user whose role limits it; null: none. Kept after that user is deleted. */
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
