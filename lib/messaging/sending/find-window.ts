import { and, eq } from 'drizzle-orm';
import { conversationWindows } from '#lib/messaging/schema/messaging.ts';
import type { Context } from '#lib/identity/context.ts';

const WINDOW_MS = 24 * 3_600_000;

/** A window as far as notifications told: when it closes or closed. */
export interface ConversationWindow {
  lastMessageAt: Date;
  closesAt: Date;
}

/**
 * The 24-hour window between a number and a customer. Undefined: no message of the customer was ever told of; whether
 * there is a window is then for the platform to say.
 */
export async function findWindow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { phoneNumberId, customer }: { phoneNumberId: string; customer: string },
): Promise<ConversationWindow | undefined> {
  const [row] = await ctx.db
    .select({ lastMessageAt: conversationWindows.lastMessageAt })
    .from(conversationWindows)
    .where(
      and(
        eq(conversationWindows.workspaceId, ctx.workspaceId),
        eq(conversationWindows.phoneNumberId, phoneNumberId),
        eq(conversationWindows.customer, customer),
      ),
    );
  return (
    row && { lastMessageAt: row.lastMessageAt, closesAt: new Date(row.lastMessageAt.getTime() + WINDOW_MS) }
  );
}
