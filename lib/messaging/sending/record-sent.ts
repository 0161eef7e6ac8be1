import { sql } from 'drizzle-orm';
import { sentMessages, type SentKind } from '#lib/messaging/schema/messaging.ts';
import type { Context } from '#lib/identity/context.ts';

export interface SentMessage {
  messageId: string;
  connectionId: string;
  phoneNumberId: string;
  recipient: string;
  kind: SentKind;
  templateName?: string | undefined;
  /** Null: it was sent by hand. */
  taskRun: { runId: string; taskId: number; iteration: string } | null;
}

/** Remembers a message that the platform accepted; its first status may have arrived before. */
export async function recordSent(
  ctx: Pick<Context, 'workspaceId'> & { db: Pick<Context['db'], 'insert'> },
  message: SentMessage,
): Promise<void> {
  const { taskRun, templateName = null, ...known } = message;
  const about = {
    ...known,
    templateName,
    runId: taskRun?.runId ?? null,
    taskId: taskRun?.taskId ?? null,
    iteration: taskRun?.iteration ?? null,
  };
  const now = new Date();
  await ctx.db
    .insert(sentMessages)
    .values({
      ...about,
      workspaceId: ctx.workspaceId,
      status: 'accepted',
      statusAt: now,
      timeline: [{ status: 'accepted', at: now.toISOString() }],
    })
    .onConflictDoUpdate({
      target: [sentMessages.workspaceId, sentMessages.messageId],
      set: { ...about, timeline: sql`(excluded.timeline::jsonb || ${sentMessages.timeline}::jsonb)::json` },
    });
}
