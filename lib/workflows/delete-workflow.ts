import { eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { lockWorkflow } from './load-workflow.ts';

/**
 * Deletes a workflow: its URLs are unknown from now on and it is in no list. Its events and runs stay, runs that are
 * under way continue, and `restoreWorkflow` brings it back as it was. @returns what it was called. @throws AppError `not_found`
 */
export async function deleteWorkflow(
  ctx: ActorContext,
  { id }: { id: string },
): Promise<{ id: string; name: string }> {
  return ctx.db.transaction(async (tx) => {
    const { name } = await lockWorkflow(ctx, tx, id);
    await tx.update(workflows).set({ deletedAt: new Date() }).where(eq(workflows.id, id));
    await recordAudit(ctx, tx, 'workflow.deleted', { id, name });
    return { id, name };
  });
}
