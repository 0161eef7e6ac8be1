// The platform's notices about templates and numbers, which lib/alerts reports: inserted with the notification, deleted in
// the transaction that records the alert.
import { bigint, json, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { AccountNotice } from './notice-types.ts';
import { instant } from '#lib/identity/schema/workspaces.ts';

export const accountNotices = pgTable('account_notices', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  workspaceId: uuid('workspace_id').notNull(),
  connectionId: uuid('connection_id').notNull(),
  notice: json('notice').$type<AccountNotice>().notNull(),
  receivedAt: instant('received_at').notNull(),
});
