import { and, eq, lt, sql } from 'drizzle-orm';
import { webhookTokens } from '#lib/engine/schema/workflows.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { loadWorkflow, lockWorkflow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';
import { tokenBinding } from './to-workflow.ts';

export interface RotateTokenInput {
  id: string;
  /** How long the old URLs still work; this also limits tokens that were replaced before. */
  keep_old_for_seconds: number;
}

/** Replaces a workflow's URLs. @throws AppError `not_found` */
export async function rotateToken(
  ctx: ActorContext,
  { id, keep_old_for_seconds }: RotateTokenInput,
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const { name } = await lockWorkflow(ctx, tx, id);
    const ends = sql`now() + ${keep_old_for_seconds} * interval '1 second'`;
    const ofWorkflow = eq(webhookTokens.workflowId, id);
    await tx
      .update(webhookTokens)
      .set({ expiresAt: sql`least(${webhookTokens.expiresAt}, ${ends})` })
      .where(ofWorkflow);
    await tx.delete(webhookTokens).where(and(ofWorkflow, lt(webhookTokens.expiresAt, sql`now()`)));
    const token = newToken();
    await tx.insert(webhookTokens).values({
      tokenHash: hashToken(token),
      workflowId: id,
      tokenEncrypted: ctx.secrets.seal(token, tokenBinding(ctx.workspaceId, id)),
    });
    await recordAudit(ctx, tx, 'workflow.urls_rotated', { id, name });
    return loadWorkflow(ctx, id, tx);
  });
}
