import { eq } from 'drizzle-orm';
import { telemetry } from '#lib/core/telemetry.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { lockWorkflow } from './load-workflow.ts';
import { cancelOpenRuns } from './trash/open-runs.ts';

/**
 * Moves a workflow to the trash: its URLs are unknown from now on and it is in no list, until `restoreWorkflow` restores it
 * or housekeeping deletes it permanently. Its events and runs stay. Runs in progress continue, unless they are to be
 * cancelled.
 * @returns its name
 * @throws AppError `not_found`
 */
export async function deleteWorkflow(
  ctx: ActorContext,
  { id, cancel_runs = false }: { id: string; cancel_runs?: boolean | undefined },
): Promise<{ id: string; name: string }> {
  const { name, cancelled } = await ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, id);
    await tx.update(workflows).set({ deletedAt: new Date() }).where(eq(workflows.id, id));
    await recordAudit(ctx, tx, 'workflow.deleted', { id, name: row.name });
    return { name: row.name, cancelled: cancel_runs ? await cancelOpenRuns(ctx, tx, row.id) : 0 };
  });
  for (let told = 0; told < cancelled; told += 1) telemetry.run.tell({ status: 'cancelled' });
  return { id, name };
}
