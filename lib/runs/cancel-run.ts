import { AppError } from '#lib/core/errors.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { cancelRun as cancel } from '#lib/engine/store/cancel-run.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { renderRunError } from '#lib/webhooks/render-response.ts';
import { getRun } from './get-run.ts';
import type { Run } from './schema.ts';

/**
 * Ends a run and answers its waiting caller. A cancelled run is returned unchanged.
 * @throws AppError `not_found`; `conflict` when it has ended
 */
export async function cancelRun(ctx: ActorContext, { id }: { id: string }): Promise<Run> {
  const { workspaceId } = ctx;
  const answer = renderRunError(new AppError('workflow_failed', 'The workflow was cancelled.'), id);
  const isNew = await ctx.db.transaction(async (tx) => {
    const isCancelled = await cancel(tx, { id, workspaceId }, answer);
    if (isCancelled) await recordAudit(ctx, tx, 'run.cancelled', { id });
    return isCancelled;
  });
  if (isNew) telemetry.run.tell({ status: 'cancelled' });
  return getRun(ctx, { id });
}
