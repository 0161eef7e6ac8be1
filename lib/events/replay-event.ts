import { AppError } from '#lib/core/errors.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { lockLines } from '#lib/engine/store/run-lines.ts';
import { replayEvent as startReplay } from '#lib/engine/store/start-again.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { listSubscribers, selectSubscribers } from '#lib/messaging/notifications/subscribers.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { findLineOfEvent, type RunForEvent } from '#lib/webhooks/find-line.ts';
import { BODY_REMOVED, getEvent } from './read-events.ts';
import type { Event, ReplayEventInput } from './schema.ts';
import { isId } from '#lib/core/ids.ts';
import { and, eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';

/**
 * Starts the workflow's published version again with an event's payload, as a new production event, also for a test event. An
 * event that ran or was replayed before needs `repeat`: its messages are sent again. A notification that no workflow got
 * starts the workflows that subscribe to it now.
 * @returns the new event; of several the first one
 * @throws AppError `not_found`; `invalid_request` for a rejected event, a duplicate, and for a notification without subscribers;
 *   `workflow_not_active`; `conflict` for one that ran, with the number of messages, and for one whose body was removed
 */
export async function replayEvent(
  ctx: ActorContext,
  { id, repeat = false }: Partial<ReplayEventInput> & { id: string },
): Promise<Event> {
  const event = await getEvent(ctx, { id });
  if (event.outcome === 'rejected') {
    throw new AppError(
      'invalid_request',
      `The event was rejected and cannot be replayed: ${event.reason ?? 'its body is not valid.'}`,
    );
  }
  if (event.outcome === 'duplicate') {
    throw new AppError(
      'invalid_request',
      `The event is a copy and cannot be replayed. Replay the first one: ${event.duplicate_of}.`,
    );
  }
  if (event.body_removed_at !== null) throw bodyRemoved();
  if (event.workflow_id === null) return replayNotification(ctx, event, repeat);
  const of = { workflowId: event.workflow_id, eventId: id };
  const executes = await findLineOfEvent(ctx.db.$client, of);
  const replay = await ctx.db.transaction(async (tx) => {
    const started = await startReplay(tx, { id, workspaceId: ctx.workspaceId, repeat, executes });
    if (started !== undefined) await recordAudit(ctx, tx, 'event.replayed', { id });
    return started;
  });
  if (replay === undefined) {
    await assertWorkflowRuns(ctx, event.workflow_id);
    await assertBodyIsStored(ctx, id);
    if (!repeat) await assertNeverRan(ctx, id);
    throw changedMeanwhile();
  }
  tellOfReplay(event, replay);
  return getEvent(ctx, { id: replay });
}

async function replayNotification(ctx: ActorContext, event: Event, repeat: boolean): Promise<Event> {
  const { id, connection_id: connectionId, body } = event;
  const subscribers = connectionId === null ? [] : await listSubscribers(ctx.db.$client, connectionId);
  const wanting = selectSubscribers(subscribers, () => (body ?? {}) as JsonObject);
  const [first] = wanting;
  if (!first) {
    throw new AppError(
      'invalid_request',
      'No workflow is subscribed to this notification. Subscribe one, then replay it.',
    );
  }
  if (!repeat) await assertNeverRan(ctx, id);
  const { workspaceId } = ctx;
  const { $client: pool } = ctx.db;
  const starts: { workflowId: string; executes: RunForEvent | undefined }[] = [];
  for (const { workflow_id: workflowId } of wanting)
    starts.push({ workflowId, executes: await findLineOfEvent(pool, { workflowId, eventId: id }) });
  const replays = await ctx.db.transaction(async (tx) => {
    const lines = starts.map(({ executes }) => executes?.line);
    await lockLines(tx, lines);
    const started: string[] = [];
    for (const { workflowId, executes } of starts) {
      const isRepeat = repeat || started.length > 0;
      const replay = await startReplay(tx, { id, workspaceId, repeat: isRepeat, executes, workflowId });
      if (replay !== undefined) started.push(replay);
    }
    if (started.length > 0) await recordAudit(ctx, tx, 'event.replayed', { id });
    return started;
  });
  for (const replay of replays) tellOfReplay(event, replay);
  if (replays[0] !== undefined) return getEvent(ctx, { id: replays[0] });
  await assertWorkflowRuns(ctx, first.workflow_id);
  throw changedMeanwhile();
}

/** Another version was published while a run was started. */
export const changedMeanwhile = (): AppError =>
  new AppError('conflict', 'The workflow was changed at the same time. Try again.');

function tellOfReplay({ id, headers, replay_of: replayOf }: Event, replay: string): void {
  telemetry.event.tell({
    event: { id: replay, isReplay: true, headers },
    origin: 'replay',
    original: { id, isReplay: replayOf !== null, headers },
  });
}

async function assertNeverRan(ctx: ActorContext, id: string): Promise<void> {
  const { events, messages } = await planReplay(ctx, { ids: [id] });
  if (events === 0) return;
  const sentAgain = messages === 1 ? '1 message is' : `${messages} messages are`;
  throw new AppError(
    'conflict',
    `This event already ran: if you replay it, ${sentAgain} sent again. Send {"repeat":true} to replay it.`,
  );
}

/** What replaying events would repeat. */
export interface ReplayPlan {
  /** Number of events that ran before. */
  events: number;
  /** Number of messages that their last runs sent. */
  messages: number;
}

/** Replays are collected before they are sorted: sorted by id, the planner could read all events instead. */
const PLAN = `
select count(*)::int as events, coalesce(sum(sent.messages), 0)::int as messages
from (
  select coalesce(
    (select (array_agg(replay.run_id order by replay.id desc))[1] from events replay where replay.replay_of = e.id),
    e.run_id) as run_id
  from events e where e.id = any($1::uuid[]) and e.workspace_id = $2
) last
cross join lateral (
  select count(*) as messages from sent_messages m where m.run_id = last.run_id and m.workspace_id = $2
) sent
where last.run_id is not null`;

/** Counts what replaying events would repeat. Events that never ran repeat nothing. */
export async function planReplay(ctx: Context, { ids }: { ids: readonly string[] }): Promise<ReplayPlan> {
  const { rows } = await ctx.db.$client.query<ReplayPlan>(PLAN, [ids.filter(isId), ctx.workspaceId]);
  return rows[0] ?? { events: 0, messages: 0 };
}

const bodyRemoved = (): AppError =>
  new AppError('conflict', `${BODY_REMOVED} No workflow can run with it again.`);

/** @throws AppError `conflict` when retention removed an event's body; `not_found` */
export async function assertBodyIsStored(ctx: Context, id: string): Promise<void> {
  if ((await getEvent(ctx, { id })).body_removed_at !== null) throw bodyRemoved();
}

/** @throws AppError `workflow_not_active`, with the reason why runs of the workflow cannot be started now */
export async function assertWorkflowRuns(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db
    .select()
    .from(workflows)
    .where(and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId)));
  if (!row || row.deletedAt !== null)
    throw new AppError('workflow_not_active', 'The workflow was deleted. Restore it first.');
  if (row.publishedVersion === null)
    throw new AppError('workflow_not_active', 'The workflow is not published. Publish it first.');
  if (!row.active) throw new AppError('workflow_not_active', 'The workflow is paused. Activate it first.');
}
