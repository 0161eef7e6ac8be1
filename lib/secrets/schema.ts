import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';

/** Secrets that stood in tasks' settings; the settings refer to them by their ids. A value never changes. */
export const settingSecrets = pgTable(
  'setting_secrets',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** A keyed digest of the value: the same secret is stored once a workspace. */
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
