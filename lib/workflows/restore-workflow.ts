import { and, eq, isNotNull } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { loadWorkflow, noSuchWorkflow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';

/** Brings a deleted workflow back, with its URLs, published and active as it was. @throws AppError `not_found` */
export async function restoreWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  if (!isId(id)) throw noSuchWorkflow();
  return ctx.db.transaction(async (tx) => {
    const [restored] = await tx
      .update(workflows)
      .set({ deletedAt: null, updatedAt: new Date() })
      .where(
        and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId), isNotNull(workflows.deletedAt)),
      )
      .returning({ id: workflows.id, name: workflows.name });
    if (restored) await recordAudit(ctx, tx, 'workflow.restored', restored);
    return loadWorkflow(ctx, id, tx);
  });
}
