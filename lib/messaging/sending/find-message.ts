import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/client.ts';
import type { Context } from '#lib/identity/context.ts';
import { classifyError, ERROR_KINDS } from '#lib/messaging/platform/error-table.ts';
import type {
  MessageStatus,
  StatusError,
  StatusStep,
  Withheld,
} from '#lib/messaging/schema/message-statuses.ts';
import { type SentKind, sentMessages } from '#lib/messaging/schema/messaging.ts';

/** A message for screens. */
export interface KnownMessage {
  messageId: string;
  kind: SentKind | null;
  templateName: string | null;
  phoneNumberId: string;
  recipient: string;
  taskId: number | null;
  iteration: string | null;
  /** A person wrote it, and a workflow passed it on. */
  isByPerson: boolean;
  status: MessageStatus;
  /** Why it is not sent; null: it is, or its outcome was reported. */
  withheld: Withheld | null;
  statusAt: Date;
  errors: StatusError[] | null;
  /** In the order of time. */
  timeline: StatusStep[];
}

/** The data about a message from its sending and its notifications; undefined: none. */
export async function findMessage(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  messageId: string,
): Promise<KnownMessage | undefined> {
  const [row] = await ctx.db
    .select()
    .from(sentMessages)
    .where(and(eq(sentMessages.workspaceId, ctx.workspaceId), eq(sentMessages.messageId, messageId)));
  return row && toKnown(row);
}

/** The messages that a run sent, oldest first. */
export async function listMessagesOfRun(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  runId: string,
): Promise<KnownMessage[]> {
  const rows = await ctx.db
    .select()
    .from(sentMessages)
    .where(and(eq(sentMessages.workspaceId, ctx.workspaceId), eq(sentMessages.runId, runId)))
    .orderBy(asc(sentMessages.createdAt));
  return rows.map(toKnown);
}

/** A message of the workspace with what it belongs to. */
export interface ListedMessage extends KnownMessage {
  createdAt: Date;
  connectionId: string;
  runId: string | null;
  /** Null: no run sent it, or the run was removed. */
  workflowId: string | null;
}

type StoredMessage = typeof sentMessages.$inferSelect & Pick<ListedMessage, 'workflowId'>;

const LISTED =
  sql.raw(`message_id as "messageId", connection_id as "connectionId", phone_number_id as "phoneNumberId",
  recipient, kind, template_name as "templateName", run_id as "runId", task_id as "taskId", iteration,
  is_by_person as "isByPerson", status,
  status_at as "statusAt", errors, timeline, created_at as "createdAt",
  (select r.workflow_id from runs r where r.id = sent_messages.run_id) as "workflowId"`);

/**
 * The workspace's messages, newest first: about `rows`, because those of the same millisecond, which share a statement, are
 * listed together. Empty: there are no more.
 * @param from the first instant
 * @param before the `createdAt` of the last message that was listed before; at first the end of the span, which is exclusive
 */
export async function listMessages(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { from, before, rows }: { from: Date; before: Date; rows: number },
): Promise<ListedMessage[]> {
  const { workspaceId, createdAt } = sentMessages;
  // Ids are not in time order here, so no other index could serve this.
  const span = and(eq(workspaceId, ctx.workspaceId), gte(createdAt, from), lt(createdAt, before));
  const found = await queryRows<StoredMessage>(
    ctx.db,
    sql`select ${LISTED} from ${sentMessages} where ${span}
      order by ${createdAt} desc fetch first (${rows}::int) rows with ties`,
  );
  return found.map(toListed);
}

/** Messages of the workspace by their ids, in any order. */
export async function findMessages(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  messageIds: readonly string[],
): Promise<ListedMessage[]> {
  const { workspaceId, messageId } = sentMessages;
  const found = await queryRows<StoredMessage>(
    ctx.db,
    sql`select ${LISTED} from ${sentMessages}
      where ${workspaceId} = ${ctx.workspaceId} and ${messageId} = any(${sql.param(messageIds)}::text[])`,
  );
  return found.map(toListed);
}

const toListed = (row: StoredMessage): ListedMessage => ({
  ...toKnown(row),
  createdAt: row.createdAt,
  connectionId: row.connectionId,
  runId: row.runId,
  workflowId: row.workflowId,
});

const toKnown = (row: typeof sentMessages.$inferSelect): KnownMessage => ({
  messageId: row.messageId,
  kind: row.kind,
  templateName: row.templateName,
  phoneNumberId: row.phoneNumberId,
  recipient: row.recipient,
  taskId: row.taskId,
  iteration: row.iteration,
  isByPerson: row.isByPerson === true,
  status: row.status,
  withheld: row.status === 'accepted' ? findWithheld(row.timeline) : null,
  statusAt: row.statusAt,
  errors: row.errors,
  timeline: [...row.timeline].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
});

const findWithheld = (timeline: readonly StatusStep[]): Withheld | null =>
  timeline.find(({ withheld }) => withheld !== undefined)?.withheld ?? null;

/** Why a message failed, in the platform's words, and the fix where it is known: "Template is paused (132015). Use …" */
export function explainStatusError({ code, title, message }: StatusError): string {
  const kind = classifyError(400, code);
  const said = (title || message || '').replace(/[.\s]+$/, '') || ERROR_KINDS[kind].words;
  return `${said} (${code}).${kind === 'refused' ? '' : ` ${ERROR_KINDS[kind].hint}`}`;
}

/** Why a message was not delivered and what to do. @param errors as the platform reported them; empty or null: it gave no reason */
export const explainUndelivered = (errors: readonly StatusError[] | null): string =>
  errors === null || errors.length === 0
    ? 'The platform gave no reason.'
    : errors.map(explainStatusError).join(' ');

/** Why messages failed, and the fix where it is known, by the platform's code alone. @param code null: it gave none */
export function explainCode(code: string | null): { reason: string; fix: string | null } {
  if (code === null) return { reason: 'The platform gave no reason', fix: null };
  const kind = classifyError(400, Number(code));
  if (kind === 'refused') return { reason: 'Another reason', fix: null };
  const { words, hint } = ERROR_KINDS[kind];
  return { reason: words, fix: hint };
}
