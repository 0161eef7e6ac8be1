import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { UNCOUNT_MESSAGES } from '#lib/messaging/limits/count-customers.ts';
import { labelOfCode } from '#lib/messaging/platform/error-table.ts';
import {
  MESSAGE_STATUSES,
  type MessageStatus,
  type StatusError,
  type StatusStep,
} from '#lib/messaging/schema/message-statuses.ts';
import { markUndelivered } from '#lib/messaging/sending/record-sent.ts';
import type { ConversationChange, EchoChange, Owned, StatusChange } from './notification-types.ts';

/** Columns of a status. */
export const STATUS_TYPES = {
  workspace_id: 'uuid',
  message_id: 'text',
  connection_id: 'uuid',
  phone_number_id: 'text',
  recipient: 'text',
  status: 'text',
  status_at: 'timestamptz',
  errors: 'text',
  timeline: 'text',
} as const;
const NAMES = namesOf(STATUS_TYPES);

/** The rows of the parameters, in the order of their keys. */
const REPORTED = `
select workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, errors::json, timeline::json
from ${unnest(STATUS_TYPES, 1)} as reported(${NAMES}) order by workspace_id, message_id`;

const RANK = (column: string): string =>
  `array_position(array[${MESSAGE_STATUSES.map((status) => `'${status}'`).join()}], ${column})`;

/** The steps of a timeline that another one has not: two receivers may get the same status. */
const NEW_STEPS = `(select jsonb_agg(step) from jsonb_array_elements(excluded.timeline::jsonb) step
  where not known.timeline::jsonb @> jsonb_build_array(step))`;

/** SQL that stores statuses with their messages. @param reported a query of rows with these columns, in the order of their keys */
export const recordStatusesOf = (reported: string): string => `
insert into sent_messages as known (${NAMES}) ${reported}
on conflict (workspace_id, message_id) do update set
  timeline = (known.timeline::jsonb || coalesce(${NEW_STEPS}, '[]'))::json,
  status = case when ${RANK('excluded.status')} > ${RANK('known.status')} then excluded.status else known.status end,
  status_at = case when ${RANK('excluded.status')} > ${RANK('known.status')} then excluded.status_at else known.status_at end,
  recipient = coalesce(nullif(known.recipient, ''), excluded.recipient),
  errors = coalesce(excluded.errors, known.errors)
returning workspace_id, message_id, recipient, status, run_id, task_id, iteration`;

/**
 * SQL of the first message, in the order of their ids, that has the id of a row or a later one: compare its `message_id`. Only the primary key
 * has that order; with `=` alone, a plan that was made while there were no messages may read all of a workspace's.
 * @param row alias of a row with `workspace_id` and `message_id`
 */
export const firstMessageFrom = (row: string): string => `
select n.workspace_id, n.message_id, n.recipient, n.run_id from sent_messages n
where n.workspace_id = ${row}.workspace_id and n.message_id >= ${row}.message_id order by n.message_id limit 1`;

const RECORD_STATUSES = recordStatusesOf(REPORTED);

const RECORD_ECHOES = `insert into sent_messages (${NAMES}) ${REPORTED} on conflict do nothing`;

/** All statuses of a message that a batch has. */
interface Reported {
  owner: Owned<StatusChange>['owner'];
  messageId: string;
  phoneNumberId: string;
  recipient: string;
  /** The furthest. */
  status: MessageStatus;
  at: Date;
  /** The last that are not empty. */
  errors: readonly StatusError[];
  timeline: StatusStep[];
}

/** A message with its status. */
export interface SentRow {
  workspace_id: string;
  message_id: string;
  recipient: string;
  status: MessageStatus;
  run_id: string | null;
  task_id: number | null;
  iteration: string | null;
}

/** What is known of the message of a status. */
export interface StatusMessage {
  /** Whom it was sent to; empty: unknown. */
  recipient: string;
  /** Whether a run sent it: then the run's page shows all of the status. */
  isOfRun: boolean;
}

/** Statuses arrive in any order and never go back; a late one is only added to the timeline, each once. @returns the message of each */
export async function recordStatuses(
  client: Queryable,
  statuses: readonly Owned<StatusChange>[],
): Promise<Map<ConversationChange, StatusMessage>> {
  if (statuses.length === 0) return new Map();
  const reported = new Map<string, Reported>();
  for (const status of statuses) {
    const key = keyOf(status);
    const before = reported.get(key);
    reported.set(key, before ? merge(before, status) : toReported(status));
  }
  const columns = columnsOf([...reported.values()]);
  const { rows } = await client.query<SentRow>({
    name: 'record_statuses',
    text: RECORD_STATUSES,
    values: columns.parameters,
  });
  await uncountFailed(client, statuses);
  await markRuns(client, rows);
  const sent = new Map(rows.map((row) => [`${row.workspace_id} ${row.message_id}`, row]));
  return new Map(
    statuses.map((status) => {
      const row = sent.get(keyOf(status));
      tellOfStatus(status.change, row);
      return [status.change, { recipient: row?.recipient ?? '', isOfRun: typeof row?.run_id === 'string' }];
    }),
  );
}

const keyOf = ({ owner: { workspaceId }, change: { messageId } }: Owned<StatusChange>): string =>
  `${workspaceId} ${messageId}`;

function toReported({ owner, change }: Owned<StatusChange>): Reported {
  const { messageId, phoneNumberId, recipient, status, at, errors } = change;
  return { owner, messageId, phoneNumberId, recipient, status, at, errors, timeline: [toStep(change)] };
}

/** As if one were stored after the other. */
function merge(before: Reported, { change }: Owned<StatusChange>): Reported {
  const isFurther = rankOf(change.status) > rankOf(before.status);
  const step = toStep(change);
  const isKnown = before.timeline.some((each) => isDeepStrictEqual(each, step));
  return {
    ...before,
    ...(isFurther ? { status: change.status, at: change.at } : {}),
    recipient: before.recipient || change.recipient,
    errors: change.errors.length > 0 ? change.errors : before.errors,
    timeline: isKnown ? before.timeline : [...before.timeline, step],
  };
}

const rankOf = (status: MessageStatus): number => MESSAGE_STATUSES.indexOf(status);

export const toStep = ({ status, at, errors, pricing }: StatusChange): StatusStep => ({
  status,
  at: at.toISOString(),
  ...(errors.length > 0 ? { errors } : {}),
  ...(pricing === null ? {} : { pricing }),
});

function columnsOf(messages: readonly Reported[]): Columns {
  const columns = new Columns(STATUS_TYPES);
  for (const { owner, messageId, phoneNumberId, recipient, status, at, errors, timeline } of messages)
    columns.add([
      owner.workspaceId,
      messageId,
      owner.connectionId,
      phoneNumberId,
      recipient,
      status,
      at.getTime(),
      errors.length > 0 ? JSON.stringify(errors) : null,
      JSON.stringify(timeline),
    ]);
  return columns;
}

async function uncountFailed(client: Queryable, statuses: readonly Owned<StatusChange>[]): Promise<void> {
  const failed = statuses.filter(({ change }) => change.status === 'failed');
  if (failed.length === 0) return;
  await client.query(UNCOUNT_MESSAGES, [
    failed.map(({ owner }) => owner.workspaceId),
    failed.map(({ change }) => change.messageId),
  ]);
}

const MARK_RUNS = markUndelivered('unnest($1::uuid[], $2::text[]) as failed(run_id, message_id)');

/** Most batches have no failed message, and need no statement. */
async function markRuns(client: Queryable, rows: readonly SentRow[]): Promise<void> {
  const failed = rows.filter(({ status, run_id: runId }) => status === 'failed' && runId !== null);
  if (failed.length === 0) return;
  await client.query({
    name: 'mark_undelivered',
    text: MARK_RUNS,
    values: [failed.map((row) => row.run_id), failed.map((row) => row.message_id)],
  });
}

export function tellOfStatus({ status, errors }: StatusChange, sent: SentRow | undefined): void {
  const { run_id: id, task_id: taskId, iteration } = sent ?? {};
  const run = id && typeof taskId === 'number' ? { id, taskId, iteration: iteration ?? '' } : undefined;
  const error = status === 'failed' ? labelOfCode(errors[0]?.code) : 'none';
  telemetry.messageStatus.tell({ status, error, run });
}

/**
 * What the business wrote outside of the API is a message of its number to the customer: replies to it are matched by it. It
 * opens no window.
 */
export async function recordEchoes(client: Queryable, echoes: readonly Owned<EchoChange>[]): Promise<void> {
  if (echoes.length === 0) return;
  const messages = echoes.map(({ owner, change: { messageId, phoneNumberId, recipient, at } }): Reported => {
    const timeline: StatusStep[] = [{ status: 'sent', at: at.toISOString() }];
    return { owner, messageId, phoneNumberId, recipient, status: 'sent', at, errors: [], timeline };
  });
  await client.query({ name: 'record_echoes', text: RECORD_ECHOES, values: columnsOf(messages).parameters });
}
