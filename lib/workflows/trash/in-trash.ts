import { and, eq, exists, isNotNull, sql, type SQL } from 'drizzle-orm';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';

/** Deleted, but not permanently: a permanently deleted workflow has no URLs any more. */
export const isRestorable = (db: Database | Transaction): SQL | undefined =>
  and(
    isNotNull(workflows.deletedAt),
    exists(
      db
        .select({ one: sql`1` })
        .from(webhookTokens)
        .where(eq(webhookTokens.workflowId, workflows.id)),
    ),
  );

/** The workspace's workflows that were deleted and can be restored. */
export const inTrash = (db: Database | Transaction, workspaceId: string): SQL | undefined =>
  and(eq(workflows.workspaceId, workspaceId), isRestorable(db));
