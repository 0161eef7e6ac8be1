import { and, eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { loadWorkflow, noSuchWorkflow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';
import { inTrash } from './trash/in-trash.ts';

/**
 * Restores a workflow from the trash, with its URLs, subscriptions and published version. It is paused unless activation is
 * requested.
 * @throws AppError `not_found`
 */
export async function restoreWorkflow(
  ctx: ActorContext,
  { id, activate = false }: { id: string; activate?: boolean | undefined },
): Promise<Workflow> {
  if (!isId(id)) throw noSuchWorkflow();
  return ctx.db.transaction(async (tx) => {
    const isInTrash = and(eq(workflows.id, id), inTrash(tx, ctx.workspaceId));
    const [row] = await tx
      .select({ name: workflows.name, publishedVersion: workflows.publishedVersion })
      .from(workflows)
      .where(isInTrash)
      .for('update');
    if (row) {
      const active = activate && row.publishedVersion !== null;
      const change = { deletedAt: null, active, updatedAt: new Date() };
      await tx.update(workflows).set(change).where(eq(workflows.id, id));
      await recordAudit(ctx, tx, 'workflow.restored', { id, name: row.name });
    }
    return loadWorkflow(ctx, id, tx);
  });
}
