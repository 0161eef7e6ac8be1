import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { toWorkflow } from './to-workflow.ts';
import type { Workflow } from './schema.ts';

export type WorkflowRow = typeof workflows.$inferSelect;

/** Reads workflows with the current token of their URLs. @param where limits it to the workspace */
export function selectWorkflows(db: Context['db'] | Transaction, where: SQL | undefined) {
  return db
    .select({ workflow: workflows, tokenEncrypted: webhookTokens.tokenEncrypted })
    .from(workflows)
    .innerJoin(
      webhookTokens,
      and(eq(webhookTokens.workflowId, workflows.id), isNull(webhookTokens.expiresAt)),
    )
    .where(and(isNull(workflows.deletedAt), where));
}

/** @throws AppError `not_found` */
export async function loadWorkflow(
  ctx: Context,
  id: string,
  db: Context['db'] | Transaction = ctx.db,
): Promise<Workflow> {
  const isOurs = and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId));
  const [found] = isId(id) ? await selectWorkflows(db, isOurs) : [];
  if (!found) throw noSuchWorkflow();
  return toWorkflow(ctx, found.workflow, found.tokenEncrypted);
}

/** Reads and locks a workflow's row until the transaction ends. @throws AppError `not_found` */
export async function lockWorkflow(ctx: Context, tx: Transaction, id: string): Promise<WorkflowRow> {
  if (!isId(id)) throw noSuchWorkflow();
  const [row] = await tx
    .select()
    .from(workflows)
    .where(and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId), isNull(workflows.deletedAt)))
    .for('update');
  if (!row) throw noSuchWorkflow();
  return row;
}

export const noSuchWorkflow = (): AppError => new AppError('not_found', 'This workflow does not exist.');
