import { boolean, customType, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  /** Requests a second over all webhooks of the workspace; null: the server's default. */
  webhookRatePerSecond: integer('webhook_rate_per_second'),
  /** Customers' numbers are masked in lists for everyone, and in full only on the record itself to editors. */
  masksNumbers: boolean('masks_numbers').notNull().default(true),
  createdAt: instant('created_at').notNull().defaultNow(),
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
    /** First characters, to tell keys apart in a list. */
    prefix: text('prefix').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [index('api_keys_workspace').on(table.workspaceId)],
);
