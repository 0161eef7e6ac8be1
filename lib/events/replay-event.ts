import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { assertWorkflowRuns } from '#lib/events/assert-workflow-runs.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { getEvent } from './get-event.ts';
import type { Event } from './schema.ts';

/** Event, run and job in one statement, as the intake writes them; nobody waits for this run's answer. */
const replayOf = (id: string, workspaceId: string, replay: string, runId: string): SQL => sql`
with source as (
  select e.*, w.published_version from events e
  join workflows w on w.id = e.workflow_id and w.deleted_at is null and w.active and w.published_version is not null
  where e.id = ${id} and e.workspace_id = ${workspaceId} and e.outcome <> 'rejected' and e.body is not null
), new_event as (
  insert into events (id, workspace_id, workflow_id, connection_id, kind, outcome, received_at, headers, body, run_id, replay_of)
  select ${replay}::uuid, workspace_id, workflow_id, connection_id, case when kind = 'test' then 'production' else kind end, 'triggered', now(), headers, body, ${runId}::uuid, id from source
), new_run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at)
  select ${runId}::uuid, workspace_id, workflow_id, published_version, ${replay}::uuid, now() from source
)
select graphile_worker.add_job('advance', json_build_object('run_ids', json_build_array(${runId}::uuid))) as job from source`;

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
  const replay = newId();
  const isReplayed = await ctx.db.transaction(async (tx) => {
    const { rows } = await tx.execute(replayOf(id, ctx.workspaceId, replay, newId()));
    if (rows.length > 0) await recordAudit(ctx, tx, 'event.replayed', { id });
    return rows.length > 0;
  });
  if (!isReplayed) {
    await assertWorkflowRuns(ctx, event.workflow_id);
    throw new AppError('conflict', 'The workflow was changed at the same time. Try again.');
  }
  return getEvent(ctx, { id: replay });
}
