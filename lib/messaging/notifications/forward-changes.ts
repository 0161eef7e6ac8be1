// Forwards changes to the workflows that subscribe to them, through the same intake as any webhook. A change without a workflow
// is stored as a separate event, unless it is a status that is stored with its message.
import type { Queryable } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { EventOutcome } from '#lib/engine/event-types.ts';
import { lockLines } from '#lib/engine/store/run-lines.ts';
import { findMarksOfBody, type RunMarks } from '#lib/webhooks/find-line.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import type { Change, ChangeOwner, Owned } from './notification-types.ts';
import { ECHO_REASONS, REASONS, STATUS_REASONS } from './outcome-reasons.ts';
import { listSubscribersOf, selectSubscribers, type Subscriber } from './subscribers.ts';
import type { TakenBy } from './notify-waiting-runs.ts';

export interface FlatChange<Kind extends Change = Change> extends Owned<Kind> {
  /** It, as workflows receive it; made when it is first asked for. */
  fields: () => JsonObject;
}

/** A recorded change, and the runs that used it. */
export interface RecordedChange extends FlatChange {
  takenBy: readonly TakenBy[];
  /** A status that is stored with its message: it is an event only where a workflow or a run gets it. */
  isWithMessage: boolean;
}

/** An event of a change, and the run that it started or that took it. */
export interface ChangeEvent {
  id: string;
  runId: string | null;
}

export interface Forwarded {
  /** Events of workflows. */
  forwarded: number;
  /** Whether it is an event without a workflow. */
  isKept: boolean;
  /** Of workflows, or the one without. */
  events: readonly ChangeEvent[];
}

/**
 * A message that a run used is only for that run, except for workflows whose trigger also takes those; a status also goes to other
 * workflows. Neither starts the run's own workflow.
 */
function isForRunsOnly(
  change: Change,
  takenBy: readonly TakenBy[],
  { workflow_id: id, trigger }: Subscriber,
): boolean {
  const isShared = change.kind !== 'message' || trigger?.isAlsoInConversations;
  return isShared ? takenBy.some(({ workflowId }) => workflowId === id) : takenBy.length > 0;
}

/**
 * Makes one event of each change for each workflow that wants it, and one without a workflow of each that none gets and that is
 * not stored with its message.
 * A message that a run took as its answer starts no workflow, unless its trigger also takes those: the customer is answered by one
 * voice.
 * @param client of the transaction in which the changes are marked as received: either both are committed or none.
 * @returns the events of each change
 */
export async function forwardChanges(
  client: Queryable,
  recorded: readonly RecordedChange[],
  receivedAt: Date,
): Promise<Map<Change, Forwarded>> {
  if (recorded.length === 0) return new Map();
  const subscribers = await listSubscribersOf(client, [
    ...new Set(recorded.map(({ owner }) => owner.connectionId)),
  ]);
  const intake = createIntake(client);
  const forward = async (
    body: Buffer,
    { connectionId }: ChangeOwner,
    { subscriber, marks }: Wanting,
  ): Promise<ChangeEvent[]> => {
    const [id, runId] = [newId(), newId()];
    const about = { kind: 'notification' as const, receivedAt, headers: NOTIFICATION_HEADERS, refusal: null };
    const tokenHash = subscriber.token_hash;
    const admission = await intake({ eventId: id, runId, tokenHash, body, connectionId, ...marks, ...about });
    if (admission?.outcome === 'collected') return [{ id, runId: admission.runId }];
    return admission ? [{ id, runId: admission.outcome === 'triggered' ? runId : null }] : [];
  };
  const wantingOf = ({ owner, change, fields, takenBy }: RecordedChange): readonly Subscriber[] =>
    selectSubscribers(
      (subscribers.get(owner.connectionId) ?? []).filter((row) => !isForRunsOnly(change, takenBy, row)),
      fields,
    );
  const prepared: Prepared[] = [];
  for (const each of recorded) {
    const found = wantingOf(each);
    const body = found.length > 0 ? bodyOf(each) : undefined;
    const wanting: Wanting[] = [];
    for (const subscriber of found)
      wanting.push({
        subscriber,
        marks: body ? await findMarksOf(client, subscriber, body, receivedAt) : {},
      });
    prepared.push({ each, body, wanting });
  }
  // All at once: what is forwarded may take several statements. Bursts are locked before lines.
  await lockLines(
    client,
    prepared.flatMap(({ wanting }) => wanting.map(({ marks }) => marks.burst?.key)),
  );
  await lockLines(
    client,
    prepared.flatMap(({ wanting }) =>
      wanting.flatMap(({ marks, subscriber }) => [
        marks.line,
        subscriber.has_gate ? subscriber.workflow_id : undefined,
      ]),
    ),
  );
  const forwarded = await Promise.all(
    prepared.map(async ({ each, body, wanting }) => {
      const { takenBy, isWithMessage } = each;
      const stored = await Promise.all(body ? wanting.map((row) => forward(body, each.owner, row)) : []);
      const events = stored.flat();
      return { each, body, events, isKept: events.length === 0 && (!isWithMessage || takenBy.length > 0) };
    }),
  );
  const withoutWorkflow = forwarded.filter(({ isKept }) => isKept);
  const kept = withoutWorkflow.map(({ each, body = bodyOf(each) }) => {
    const { owner, change, takenBy } = each;
    return { owner, ...describeOutcome(change, takenBy), body };
  });
  const ids = await keepNotifications(client, kept, receivedAt);
  const keptAs = new Map(
    withoutWorkflow.map(({ each }, index): [Change, ChangeEvent] => [
      each.change,
      { id: ids[index] ?? '', runId: kept[index]?.runId ?? null },
    ]),
  );
  return new Map(
    forwarded.map(({ each: { change }, events, isKept }) => {
      const own = keptAs.get(change);
      return [change, { forwarded: events.length, isKept, events: own ? [own] : events }] as const;
    }),
  );
}

/** A workflow that gets a change. */
interface Wanting {
  subscriber: Subscriber;
  marks: RunMarks;
}

interface Prepared {
  each: RecordedChange;
  body: Buffer | undefined;
  wanting: Wanting[];
}

async function findMarksOf(
  client: Queryable,
  { workflow_id: workflowId, published_version: version }: Subscriber,
  body: Buffer,
  receivedAt: Date,
): Promise<RunMarks> {
  if (version === null) return {};
  const received = { headers: NOTIFICATION_HEADERS, receivedAt };
  return findMarksOfBody(client, { workflowId, version }, () => body, received);
}

const bodyOf = ({ fields }: FlatChange): Buffer => Buffer.from(stringifyJson(fields()));

/** The outcome of a change without a workflow, and the reason. */
function describeOutcome(
  change: Change,
  takenBy: readonly TakenBy[],
): Pick<KeptNotification, 'outcome' | 'reason' | 'runId'> {
  const [first] = takenBy;
  if (first) return { outcome: 'recorded', reason: REASONS.awaited, runId: first.runId };
  switch (change.kind) {
    case 'message':
      return { outcome: 'not_forwarded', reason: REASONS.message };
    case 'status':
      return { outcome: 'recorded', reason: STATUS_REASONS[change.status] };
    case 'template':
      return { outcome: 'not_forwarded', reason: REASONS.template };
    case 'preference':
      return {
        outcome: 'recorded',
        reason: `${REASONS.preference} ${change.category || 'messages'}: ${change.preference || 'unknown'}.`,
      };
    case 'echo':
      return { outcome: 'recorded', reason: ECHO_REASONS[change.field] };
    case 'other':
      return { outcome: change.isKnown ? 'recorded' : 'ignored', reason: change.reason };
  }
}

const NOTIFICATION_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'patchbay-messaging',
};

interface KeptNotification {
  owner: ChangeOwner;
  outcome: Extract<EventOutcome, 'not_forwarded' | 'recorded' | 'ignored' | 'rejected'>;
  /** Why no workflow received it. */
  reason: string;
  /** The run that used it as its answer. */
  runId?: string | undefined;
  body: Buffer;
}

const TYPES = {
  id: 'uuid',
  workspace_id: 'uuid',
  connection_id: 'uuid',
  outcome: 'text',
  reason: 'text',
  body: 'bytea',
  run_id: 'uuid',
} as const;

const KEEP = `
insert into events (id, workspace_id, connection_id, kind, outcome, reason, received_at, headers, body, run_id)
select id, workspace_id, connection_id, 'notification', outcome, reason, $1, $2::json, body, run_id
from ${unnest(TYPES, 3)} as kept(${namesOf(TYPES)})`;

/** Below the maximum size of a statement's parameter. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Stores notifications without a workflow as events. @returns their ids, in the same order */
export async function keepNotifications(
  client: Queryable,
  kept: readonly KeptNotification[],
  receivedAt: Date,
): Promise<string[]> {
  let bytes = 0;
  const named = kept.map((each) => ({ ...each, id: newId() }));
  const parts = Map.groupBy(named, ({ body }) => Math.floor((bytes += body.byteLength) / MAX_BYTES));
  for (const part of parts.values()) {
    const columns = new Columns(TYPES);
    for (const { id, owner, outcome, reason, body, runId } of part)
      columns.add([id, owner.workspaceId, owner.connectionId, outcome, reason, body, runId]);
    const values = [receivedAt, JSON.stringify(NOTIFICATION_HEADERS), ...columns.parameters];
    await client.query({ name: 'keep_notifications', text: KEEP, values });
  }
  return named.map(({ id }) => id);
}
