import { and, lt } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { HOUSEKEEPING } from '#lib/identity/audit/record-audit.ts';
import { AppError } from '#lib/core/errors.ts';
import { isRestorable } from './in-trash.ts';
import { purgeWorkflow } from './purge-workflow.ts';
import { TRASH_DAYS } from './schema.ts';

const MAX_AT_ONCE = 500;

/** Permanently deletes workflows that have been in the trash for `TRASH_DAYS`. */
export async function pruneTrash(db: Database, now: Date = new Date()): Promise<void> {
  const latest = new Date(now.getTime() - TRASH_DAYS * 24 * 60 * 60 * 1000);
  const { id, workspaceId, deletedAt } = workflows;
  const due = await db
    .select({ id, workspaceId })
    .from(workflows)
    .where(and(lt(deletedAt, latest), isRestorable(db)))
    .limit(MAX_AT_ONCE);
  for (const workflow of due) {
    try {
      await purgeWorkflow({ db, workspaceId: workflow.workspaceId, actor: HOUSEKEEPING }, workflow);
    } catch (error) {
      // It was restored or purged concurrently.
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    }
  }
}
