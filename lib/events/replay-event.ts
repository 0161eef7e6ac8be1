import { AppError } from '#lib/core/errors.ts';
import { replayEvent as startReplay } from '#lib/engine/store/start-again.ts';
import { assertWorkflowRuns } from '#lib/events/assert-workflow-runs.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { getEvent } from './get-event.ts';
import type { Event } from './schema.ts';

/**
 * Starts the workflow's published version once more with what an event brought, as a new production event. A test
 * event is replayed as a production one.
 * @throws AppError `not_found`; `invalid_request` for a rejected event and one without a workflow; `workflow_not_active`
 */
export async function replayEvent(ctx: ActorContext, { id }: { id: string }): Promise<Event> {
  const event = await getEvent(ctx, { id });
  if (event.outcome === 'rejected') {
    throw new AppError(
      'invalid_request',
      `The event was rejected and cannot be replayed: ${event.reason ?? 'its body is not valid.'}`,
    );
  }
  if (event.workflow_id === null)
    throw new AppError('invalid_request', 'No workflow got this notification, so none can be replayed.');
  const replay = await ctx.db.transaction(async (tx) => {
    const started = await startReplay(tx, { id, workspaceId: ctx.workspaceId });
    if (started !== undefined) await recordAudit(ctx, tx, 'event.replayed', { id });
    return started;
  });
  if (replay === undefined) {
    await assertWorkflowRuns(ctx, event.workflow_id);
    throw new AppError('conflict', 'The workflow was changed at the same time. Try again.');
  }
  return getEvent(ctx, { id: replay });
}
