import { sql, type SQL } from 'drizzle-orm';
import { type Database, databaseOver, type Pool } from '#lib/core/db/client.ts';
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import type { Context } from '#lib/identity/context.ts';
import { learnAlias, rememberNumbers } from '#lib/messaging/customers/customer-names.ts';
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
  { db, workspaceId }: Pick<Context, 'workspaceId'> & { db: Pick<Database, 'execute'> },
  message: SentMessage,
): Promise<void> => recordAll(db, [{ ...message, workspaceId }]);

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
    await recordAll(databaseOver(pool), messages);
    return messages.map(() => undefined);
  },
  { splitsFailed: (error) => !isDatabaseUnavailable(error) },
);

/**
 * One statement and one commit, which is planned at each execution, for all messages of a group: a plan that was kept from when the
 * tables were empty reads all of them, 60 seconds for 50 messages with 20,000 customers.
 */
async function recordAll(db: Pick<Database, 'execute'>, messages: readonly OwnedMessage[]): Promise<void> {
  await db.execute(insertSent(messages, new Date()));
  for (const { workspaceId, recipient: entered, number = '' } of messages)
    if (number !== '' && number !== entered && !isUserId(entered))
      await db.execute(learnAlias(workspaceId, { entered, number }));
}

const COUNT = countMessages(`(select * from stored where kind = 'template' and status <> 'failed')`);

/** Rows are written in the order of their keys, as those of statuses are, so that statements cannot deadlock. */
function insertSent(messages: readonly OwnedMessage[], now: Date): SQL {
  const column = (type: string, of: (message: OwnedMessage) => string | number | boolean | null): SQL =>
    sql`${sql.param(messages.map(of))}::${sql.raw(type)}[]`;
  const timelineOf = ({ messageStatus = '' }: SentMessage): string => {
    const withheld = readWithheld(messageStatus);
    const accepted: StatusStep = { status: 'accepted', at: now.toISOString(), ...(withheld && { withheld }) };
    return JSON.stringify([accepted]);
  };
  const columns = [
    column('uuid', ({ workspaceId }) => workspaceId),
    column('text', ({ messageId }) => messageId),
    column('uuid', ({ connectionId }) => connectionId),
    column('text', ({ phoneNumberId }) => phoneNumberId),
    column('text', ({ recipient }) => recipient),
    column('text', ({ kind }) => kind),
    column('text', ({ templateName = null }) => templateName),
    column('uuid', ({ taskRun }) => taskRun?.runId ?? null),
    column('uuid', ({ taskRun }) => taskRun?.workflowId ?? null),
    column('int', ({ taskRun }) => taskRun?.taskId ?? null),
    column('text', ({ taskRun }) => taskRun?.iteration ?? null),
    column('boolean', ({ isByPerson }) => isByPerson ?? null),
    column('text', timelineOf),
  ];
  // A status that arrived before the response could not say whose message failed. Tables are reached in the order in which
  // notifications reach them, so that statements wait for each other and do not deadlock: messages, counts, names.
  const numbers = messages
    .filter(({ recipient }) => isPhoneNumber(recipient))
    .map(({ workspaceId, recipient: number }) => ({ workspaceId, number }));
  return sql`
    with stored as (insert into sent_messages as known (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, template_name,
      run_id, workflow_id, task_id, iteration, is_by_person, status, status_at, timeline)
    select workspace_id, message_id, connection_id, phone_number_id, recipient, kind, template_name, run_id, workflow_id, task_id,
      iteration, is_by_person, 'accepted', ${now.toISOString()}::timestamptz, timeline::json
    from unnest(${sql.join(columns, sql`, `)}) as sent(workspace_id, message_id, connection_id, phone_number_id, recipient, kind,
      template_name, run_id, workflow_id, task_id, iteration, is_by_person, timeline)
    order by workspace_id, message_id
    on conflict (workspace_id, message_id) do update set
      connection_id = excluded.connection_id, phone_number_id = excluded.phone_number_id, recipient = excluded.recipient,
      kind = excluded.kind, template_name = excluded.template_name, run_id = excluded.run_id,
      workflow_id = excluded.workflow_id, task_id = excluded.task_id, iteration = excluded.iteration,
      is_by_person = excluded.is_by_person, timeline = (excluded.timeline::jsonb || known.timeline::jsonb)::json
    returning workspace_id, message_id, phone_number_id, recipient, kind, run_id, status),
    failed as (select run_id, message_id from stored where status = 'failed'),
    counted as (${sql.raw(COUNT)} returning message_id),
    remembered as (${rememberNumbers(numbers, sql`select count(*) from counted`)})
    ${sql.raw(markUndelivered('failed'))}`;
}
