import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';

/** Secrets that were entered in tasks' settings, which refer to them by id. A value never changes. */
export const settingSecrets = pgTable(
  'setting_secrets',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** A keyed digest of the value: the same secret is stored once per workspace. */
    id: text('id').notNull(),
    /** The JSON of the value. */
    valueEncrypted: text('value_encrypted').notNull(),
    /** When a draft that refers to it was last saved. */
    usedAt: instant('used_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('setting_secrets_used').on(table.usedAt),
  ],
);

/** Named secrets, which tasks use as `{{secret.name}}`. A new value replaces the old one. */
export const namedSecrets = pgTable(
  'named_secrets',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    valueEncrypted: text('value_encrypted').notNull(),
    /** The hosts that it may be sent to; empty: any host that is written as text in the URL. */
    allowedHosts: text('allowed_hosts').array().notNull().default([]),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When the current value was set, and by whom, with the name in the audit log. */
    setAt: instant('set_at').notNull().defaultNow(),
    setBy: text('set_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name] })],
);
