import { eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { loadWorkflow, lockWorkflow, type WorkflowRow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';

interface Change {
  id: string;
  /** For the audit log. */
  action: string;
}

/**
 * Updates a workflow's row, which is locked meanwhile. Nothing is recorded where it has the wanted values already.
 * @param alongside further changes in the same transaction
 * @throws AppError `not_found`, and errors of `toChange`
 */
export async function changeWorkflow(
  ctx: ActorContext,
  { id, action }: Change,
  toChange: (row: WorkflowRow) => Partial<WorkflowRow>,
  alongside?: (tx: Transaction, row: WorkflowRow) => Promise<void>,
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, id);
    const change = toChange(row);
    if (Object.entries(change).some(([column, value]) => row[column as keyof WorkflowRow] !== value)) {
      await tx
        .update(workflows)
        .set({ ...change, updatedAt: new Date() })
        .where(eq(workflows.id, id));
      await alongside?.(tx, row);
      await recordAudit(ctx, tx, action, { id, name: change.name ?? row.name });
    }
    return loadWorkflow(ctx, id, tx);
  });
}
