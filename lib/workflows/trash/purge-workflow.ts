import { and, eq } from 'drizzle-orm';
import { telemetry } from '#lib/core/telemetry.ts';
import { isId } from '#lib/core/ids.ts';
import { pinnedOutputs } from '#lib/engine/schema/drafts.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { noSuchWorkflow } from '../load-workflow.ts';
import { inTrash } from './in-trash.ts';
import { cancelOpenRuns } from './open-runs.ts';

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
    await tx.delete(pinnedOutputs).where(eq(pinnedOutputs.workflowId, id));
    const left = {
      draft: { tasks: [], edges: [] },
      tags: [],
      publishedVersion: null,
      active: false,
      answersAfterRun: false,
    };
    await tx.update(workflows).set(left).where(eq(workflows.id, id));
    await recordAudit(ctx, tx, 'workflow.deleted_permanently', { id, name: row.name });
    return count;
  });
  for (let told = 0; told < cancelled; told += 1) telemetry.run.tell({ status: 'cancelled' });
}
