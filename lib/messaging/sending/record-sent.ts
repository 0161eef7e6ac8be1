import { databaseOn, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { Columns, namesOf, unnest } from '#lib/core/db/columns.ts';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import type { Context } from '#lib/identity/context.ts';
import { learnAlias, numbersToRemember, rememberNumbers } from '#lib/messaging/customers/customer-names.ts';
import { countMessages } from '#lib/messaging/limits/count-customers.ts';
import { isPhoneNumber, isUserId } from '#lib/messaging/platform/ids.ts';
import type { SentKind } from '#lib/messaging/schema/messaging.ts';
import { readWithheld, type StatusStep } from '#lib/messaging/schema/message-statuses.ts';

export interface SentMessage {
  messageId: string;
  /** The platform's value; left out or empty: not returned. */
  messageStatus?: string | undefined;
  connectionId: string;
  phoneNumberId: string;
  recipient: string;
  /** The recipient's number on the platform; left out or empty: not returned. */
  number?: string | undefined;
  kind: SentKind;
  templateName?: string | undefined;
  /** A person wrote it: it was sent although the customer may be on hold. */
  isByPerson?: boolean | undefined;
  /** Null: sent manually. */
  taskRun: {
    runId: string;
    /** Left out: reports find it by the run while there is one. */
    workflowId?: string;
    taskId: number;
    iteration: string;
  } | null;
}

type OwnedMessage = SentMessage & Pick<Context, 'workspaceId'>;

/**
 * Records a message that the platform accepted; its first status may have arrived before. For some countries the platform
 * returns another number than the entered one: both belong to one customer from now on.
 * @param ctx of a transaction, if it has to be recorded in one
 */
export const recordSent = (
  { db, workspaceId }: Pick<Context, 'workspaceId'> & { db: { $client: Queryable } },
  message: SentMessage,
): Promise<void> => recordAll(db.$client, { text: RECORD }, [{ ...message, workspaceId }]);

/** The same, in one statement with the other messages that this process sends at the same time. */
export const recordSentTogether = (
  { pool, workspaceId }: Pick<Context, 'workspaceId'> & { pool: Pool },
  message: SentMessage,
): Promise<void> => sentTogether(pool).add({ ...message, workspaceId });

/**
 * SQL that marks the runs of failed messages, in the order of their ids, so that statements cannot deadlock. A removed run gets no mark.
 * @param failed a table, or a query in parentheses, of `run_id` and `message_id`
 */
export const markUndelivered = (failed: string): string => `
insert into undelivered_runs (run_id, workspace_id, workflow_id, message_id, is_reported)
select r.id, r.workspace_id, r.workflow_id, failed.message_id, r.version < 0
from ${failed} cross join lateral (
  select id, workspace_id, workflow_id, version from runs where id = failed.run_id limit 1
) r
order by r.id on conflict do nothing`;

const sentTogether = groupByPool(
  async (pool, messages: OwnedMessage[]): Promise<void[]> => {
    await recordAll(pool, { name: 'record_sent', text: RECORD }, messages);
    return messages.map(() => undefined);
  },
  { splitsFailed: (error) => !isDatabaseUnavailable(error) },
);

/** One statement and one commit for all messages of a group. @param statement named, where connections keep plans (docs/decisions/kept-plans.md) */
async function recordAll(
  client: Queryable,
  statement: { name?: string; text: string },
  messages: readonly OwnedMessage[],
): Promise<void> {
  await client.query({ ...statement, values: toParameters(messages, new Date()) });
  for (const { workspaceId, recipient: entered, number = '' } of messages)
    if (number !== '' && number !== entered && !isUserId(entered))
      await databaseOn(client).execute(learnAlias(workspaceId, { entered, number }));
}

const SENT = {
  workspace_id: 'uuid',
  message_id: 'text',
  connection_id: 'uuid',
  phone_number_id: 'text',
  recipient: 'text',
  kind: 'text',
  template_name: 'text',
  run_id: 'uuid',
  workflow_id: 'uuid',
  task_id: 'int',
  iteration: 'text',
  is_by_person: 'text',
  timeline: 'text',
} as const;
const NAMES = namesOf(SENT);
const STORED = NAMES.replace('is_by_person', 'is_by_person::boolean').replace('timeline', 'timeline::json');
const COUNT = countMessages(`(select * from stored where kind = 'template' and status <> 'failed')`);

// A status that arrived before the response could not say whose message failed. Tables are reached in the order in which
// notifications reach them, so that statements wait for each other and do not deadlock: messages, counts, names. Rows are written in
// the order of their keys for the same reason.
const RECORD = `
with stored as (
  insert into sent_messages as known (${NAMES}, status, status_at)
  select ${STORED}, 'accepted', $1::timestamptz from ${unnest(SENT, 2)} as sent(${NAMES})
  order by workspace_id, message_id
  on conflict (workspace_id, message_id) do update set
    connection_id = excluded.connection_id, phone_number_id = excluded.phone_number_id, recipient = excluded.recipient,
    kind = excluded.kind, template_name = excluded.template_name, run_id = excluded.run_id,
    workflow_id = excluded.workflow_id, task_id = excluded.task_id, iteration = excluded.iteration,
    is_by_person = excluded.is_by_person, timeline = (excluded.timeline::jsonb || known.timeline::jsonb)::json
  returning workspace_id, message_id, phone_number_id, recipient, kind, run_id, status
),
failed as (select run_id, message_id from stored where status = 'failed'),
counted as (${COUNT} returning message_id),
remembered as (${rememberNumbers(2 + Object.keys(SENT).length, 'select count(*) from counted')})
${markUndelivered('failed')}`;

function toParameters(messages: readonly OwnedMessage[], now: Date): unknown[] {
  const at = now.toISOString();
  const sent = new Columns(SENT);
  for (const { taskRun, messageStatus = '', ...message } of messages) {
    const withheld = readWithheld(messageStatus);
    const accepted: StatusStep = { status: 'accepted', at, ...(withheld && { withheld }) };
    sent.add([
      message.workspaceId,
      message.messageId,
      message.connectionId,
      message.phoneNumberId,
      message.recipient,
      message.kind,
      message.templateName,
      taskRun?.runId,
      taskRun?.workflowId,
      taskRun?.taskId,
      taskRun?.iteration,
      message.isByPerson?.toString(),
      JSON.stringify([accepted]),
    ]);
  }
  const numbers = messages
    .filter(({ recipient }) => isPhoneNumber(recipient))
    .map(({ workspaceId, recipient: number }) => ({ workspaceId, number }));
  return [at, ...sent.parameters, ...numbersToRemember(numbers)];
}
