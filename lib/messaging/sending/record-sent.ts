import { sql } from 'drizzle-orm';
import { type SentKind, sentMessages } from '#lib/messaging/schema/messaging.ts';
import { readWithheld, type StatusStep } from '#lib/messaging/schema/message-statuses.ts';
import type { Context } from '#lib/identity/context.ts';
import { learnAlias } from '#lib/messaging/customers/customer-names.ts';
import { countMessage } from '#lib/messaging/limits/count-customers.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';

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
  /** Null: sent manually. */
  taskRun: { runId: string; taskId: number; iteration: string } | null;
}

/**
 * Records a message that the platform accepted; its first status may have arrived before. For some countries the platform
 * returns another number than the entered one: both belong to one customer from now on.
 */
export async function recordSent(
  ctx: Pick<Context, 'workspaceId'> & { db: Pick<Context['db'], 'insert' | 'execute'> },
  message: SentMessage,
): Promise<void> {
  const { taskRun, templateName = null, number = '', messageStatus = '', ...known } = message;
  const about = {
    ...known,
    templateName,
    runId: taskRun?.runId ?? null,
    taskId: taskRun?.taskId ?? null,
    iteration: taskRun?.iteration ?? null,
  };
  if (message.kind === 'template') await ctx.db.execute(countMessage(ctx.workspaceId, message));
  const now = new Date();
  const withheld = readWithheld(messageStatus);
  const accepted: StatusStep = { status: 'accepted', at: now.toISOString(), ...(withheld && { withheld }) };
  await ctx.db
    .insert(sentMessages)
    .values({
      ...about,
      workspaceId: ctx.workspaceId,
      status: 'accepted',
      statusAt: now,
      timeline: [accepted],
    })
    .onConflictDoUpdate({
      target: [sentMessages.workspaceId, sentMessages.messageId],
      set: { ...about, timeline: sql`(excluded.timeline::jsonb || ${sentMessages.timeline}::jsonb)::json` },
    });
  if (number !== '' && number !== message.recipient && !isUserId(message.recipient))
    await ctx.db.execute(learnAlias(ctx.workspaceId, { entered: message.recipient, number }));
}
