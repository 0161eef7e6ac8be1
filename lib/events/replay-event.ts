import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { assertWorkflowRuns } from '#lib/events/assert-workflow-runs.ts';
import type { Context } from '#lib/identity/context.ts';
import { getEvent } from './get-event.ts';
import type { Event } from './schema.ts';

/** Event, run and job in one statement, as the intake writes them; nobody waits for this run's answer. */
const REPLAY = `
with source as (
  select e.*, w.published_version from events e
  join workflows w on w.id = e.workflow_id and w.deleted_at is null and w.active and w.published_version is not null
  where e.id = $1 and e.workspace_id = $2 and e.outcome <> 'rejected' and e.body is not null
), new_event as (
  insert into events (id, workspace_id, workflow_id, connection_id, kind, outcome, received_at, headers, body, run_id, replay_of)
  select $3::uuid, workspace_id, workflow_id, connection_id, case when kind = 'test' then 'production' else kind end, 'triggered', now(), headers, body, $4::uuid, id from source
), new_run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at)
  select $4::uuid, workspace_id, workflow_id, published_version, $3::uuid, now() from source
)
select graphile_worker.add_job('advance', json_build_object('run_ids', json_build_array($4::uuid))) as job from source`;

/**
 * Starts the workflow's published version once more with what an event brought, as a new production event. A test
 * event is replayed as a production one.
 * @throws AppError `not_found`; `invalid_request` for a rejected event and one without a workflow; `workflow_not_active`
 */
export async function replayEvent(ctx: Context, { id }: { id: string }): Promise<Event> {
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
  const { rowCount } = await ctx.db.$client.query(REPLAY, [id, ctx.workspaceId, replay, newId()]);
  if (rowCount === 0) {
    await assertWorkflowRuns(ctx, event.workflow_id);
    throw new AppError('conflict', 'The workflow was changed at the same time. Try again.');
  }
  return getEvent(ctx, { id: replay });
}
