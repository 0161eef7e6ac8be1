import { and, eq, exists, isNotNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { pinnedOutputs } from '#lib/engine/schema/drafts.ts';
import { schedules } from '#lib/engine/schema/schedules.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { HOUSEKEEPING, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import { connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { loadWorkflow, noSuchWorkflow } from '#lib/workflows/load-workflow.ts';
import { listCallers } from '../calls/check-calls.ts';
import { cancelOpenRuns, countOpenRuns } from './open-runs.ts';
import { type DeletionPreview, TRASH_DAYS, type TrashedWorkflow } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The workspace's deleted workflows that can be restored, newest first. */
export async function listTrash(ctx: Context, { limit, cursor }: PageInput): Promise<Page<TrashedWorkflow>> {
  const { where, order } = newestOf({
    key: [[workflows.workspaceId, ctx.workspaceId]],
    id: workflows.id,
    below: readCursor(cursor),
  });
  const { id, name, publishedVersion, deletedAt } = workflows;
  const rows = await ctx.db
    .select({ id, name, publishedVersion, deletedAt })
    .from(workflows)
    .where(and(inTrash(ctx.db, ctx.workspaceId), where))
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, (row) => {
    const deletedMs = row.deletedAt?.getTime() ?? 0;
    return {
      id: row.id,
      name: row.name,
      published_version: row.publishedVersion,
      deleted_at: new Date(deletedMs).toISOString(),
      removed_at: new Date(deletedMs + TRASH_DAYS * DAY_MS).toISOString(),
    };
  });
}

/** Deleted, but not permanently: a permanently deleted workflow has no URLs any more. */
const isRestorable = (db: Database | Transaction): SQL | undefined =>
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

/** Previews the effects of deleting a workflow for its callers and its runs. @throws AppError `not_found` */
export async function previewDeletion(ctx: Context, { id }: { id: string }): Promise<DeletionPreview> {
  const { published_version, active } = await loadWorkflow(ctx, id);
  const [open, calledBy] = await Promise.all([countOpenRuns(ctx, id), listCallers(ctx, { id })]);
  return { isPublished: published_version !== null, active, ...open, calledBy };
}

/**
 * Permanently deletes a workflow of the trash: its draft, URLs and subscriptions. Its name and its versions stay for recorded
 * runs and events. Runs in progress are cancelled.
 * @throws AppError `not_found` when it is not in the trash
 */
export async function purgeWorkflow(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { id }: { id: string },
): Promise<void> {
  if (!isId(id)) throw noSuchWorkflow();
  const cancelled = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ name: workflows.name })
      .from(workflows)
      .where(and(eq(workflows.id, id), inTrash(tx, ctx.workspaceId)))
      .for('update');
    if (!row) throw noSuchWorkflow();
    const count = await cancelOpenRuns(ctx, tx, id);
    await tx.delete(webhookTokens).where(eq(webhookTokens.workflowId, id));
    await tx.delete(connectionSubscriptions).where(eq(connectionSubscriptions.workflowId, id));
    await tx.delete(schedules).where(eq(schedules.workflowId, id));
    await tx.delete(pinnedOutputs).where(eq(pinnedOutputs.workflowId, id));
    const left = {
      draft: { tasks: [], edges: [] },
      tags: [],
      publishedVersion: null,
      active: false,
      answersAfterRun: false,
      holdsRuns: false,
    };
    await tx.update(workflows).set(left).where(eq(workflows.id, id));
    await recordAudit(ctx, tx, 'workflow.deleted_permanently', { id, name: row.name });
    return count;
  });
  for (let told = 0; told < cancelled; told += 1) telemetry.run.tell({ status: 'cancelled' });
}

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
    const ctx = { db, workspaceId: workflow.workspaceId, actor: HOUSEKEEPING };
    // It may be restored or purged concurrently.
    await purgeWorkflow(ctx, workflow).catch(nullIfMissing);
  }
}
