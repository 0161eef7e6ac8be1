// Starts earlier events and runs again with the currently published version. No caller waits for these runs.
import { type SQL, sql } from 'drizzle-orm';
import { isId, newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { isOpenRunSql } from '../run-statuses.ts';
import type { RunRef } from './lock-run.ts';
import { ENTER_AND_ENQUEUE } from './run-lines.ts';
import { copySearchKey } from './search-keys.ts';

const RUNNABLE = sql.raw('w.deleted_at is null and w.active and w.published_version is not null');
const ENQUEUE = sql.raw(ENTER_AND_ENQUEUE);

/** The version that a new run executes, and its line; left out: the workflow is not published. */
interface Executed {
  version: number;
  line: string | null;
}

/**
 * Starts a run with an earlier event's payload, as a new event; one of the test URL becomes a production event.
 * @param event with `repeat` also one that ran or was replayed before; `workflowId` for one that no workflow got
 * @returns the new event's id; undefined when the workflow does not run this version now, the event has no payload, or it ran before
 */
export async function replayEvent(
  tx: Transaction,
  {
    id,
    workspaceId,
    repeat,
    executes,
    workflowId = null,
  }: {
    id: string;
    workspaceId: string;
    repeat: boolean;
    executes: Executed | undefined;
    workflowId?: string | null;
  },
): Promise<string | undefined> {
  if (!executes) return undefined;
  // Of concurrent replays of an event, the second one sees the first one's.
  await tx.execute(sql`select id from events where id = ${id} and workspace_id = ${workspaceId} for update`);
  const [newEvent, newRun] = [newId(), newId()];
  const isStarted = await start(
    tx,
    sql`
with source as (
  select e.*, w.id as started_id, w.published_version from events e
  join workflows w on w.id = coalesce(e.workflow_id, ${workflowId}::uuid) and w.workspace_id = e.workspace_id and ${RUNNABLE}
    and w.published_version = ${executes.version}
  where e.id = ${id} and e.workspace_id = ${workspaceId} and e.outcome <> 'rejected' and e.body is not null
    and (${repeat} or (e.run_id is null and not exists (select 1 from events replay where replay.replay_of = e.id)))
), new_event as (
  insert into events (id, workspace_id, workflow_id, connection_id, kind, outcome, received_at, headers, body, run_id, replay_of)
  select ${newEvent}::uuid, workspace_id, started_id, connection_id,
    case when kind = 'test' then 'production' else kind end, 'triggered', now(), headers, body, ${newRun}::uuid, id
  from source
), run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at, line)
  select ${newRun}::uuid, workspace_id, started_id, published_version, ${newEvent}::uuid, now(), ${executes.line}::uuid from source
  returning id, workflow_id, line
) ${ENQUEUE}`,
  );
  if (!isStarted) return undefined;
  await tx.execute(copySearchKey(id, newEvent));
  return newEvent;
}

/**
 * Starts a new run for the event of one that has ended. Runs of the draft are refused: what they captured would be sent.
 * The event is locked, so that retention does not remove it at the same time.
 * @returns the new run's id; undefined when the workflow does not run this version now, the run is not found or has not ended, or the
 *   body of its event was removed
 */
export async function startAgain(
  tx: Transaction,
  { id, workspaceId, executes }: RunRef & { executes: Executed | undefined },
): Promise<string | undefined> {
  if (!isId(id) || !executes) return undefined;
  const newRun = newId();
  const isStarted = await start(
    tx,
    sql`
with source as (
  select r.id, r.workspace_id, r.workflow_id, r.event_id, w.published_version from runs r
  join workflows w on w.id = r.workflow_id and ${RUNNABLE} and w.published_version = ${executes.version}
  join events e on e.id = r.event_id and e.body is not null
  where r.id = ${id} and r.workspace_id = ${workspaceId} and r.version > 0
    and not (${sql.raw(isOpenRunSql('r.status'))})
  for key share of e
), run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at, retry_of, line)
  select ${newRun}::uuid, workspace_id, workflow_id, published_version, event_id, now(), id, ${executes.line}::uuid from source
  returning id, workflow_id, line
) ${ENQUEUE}`,
  );
  return isStarted ? newRun : undefined;
}

const start = async (tx: Transaction, statement: SQL): Promise<boolean> =>
  (await tx.execute(statement)).rows.length > 0;
