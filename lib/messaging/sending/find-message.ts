import { and, asc, eq } from 'drizzle-orm';
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

const toKnown = (row: typeof sentMessages.$inferSelect): KnownMessage => ({
  messageId: row.messageId,
  kind: row.kind,
  templateName: row.templateName,
  phoneNumberId: row.phoneNumberId,
  recipient: row.recipient,
  taskId: row.taskId,
  iteration: row.iteration,
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
