import { and, eq, max, sql } from 'drizzle-orm';
import { namesOfCustomer } from '#lib/messaging/customers/names-of-customer.ts';
import { conversationWindows } from '#lib/messaging/schema/messaging.ts';
import type { Context } from '#lib/identity/context.ts';

const WINDOW_MS = 24 * 3_600_000;

/** A window as known from notifications: when it closes or closed. */
export interface ConversationWindow {
  lastMessageAt: Date;
  closesAt: Date;
}

/** Whether free texts are refused by now: only message templates can be sent. */
export const isWindowClosed = ({ closesAt }: ConversationWindow, now: Date): boolean => closesAt <= now;

/**
 * The 24-hour window between a number and a customer, under any of their names. Undefined: no message of the customer was
 * ever reported; then only the platform knows whether there is a window.
 */
export async function findWindow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { phoneNumberId, customer }: { phoneNumberId: string; customer: string },
): Promise<ConversationWindow | undefined> {
  const [row] = await ctx.db
    .select({ lastMessageAt: max(conversationWindows.lastMessageAt) })
    .from(conversationWindows)
    .where(
      and(
        eq(conversationWindows.workspaceId, ctx.workspaceId),
        eq(conversationWindows.phoneNumberId, phoneNumberId),
        sql`${conversationWindows.customer} in (${namesOfCustomer(ctx.workspaceId, customer)})`,
      ),
    );
  const lastMessageAt = row?.lastMessageAt;
  return lastMessageAt
    ? { lastMessageAt, closesAt: new Date(lastMessageAt.getTime() + WINDOW_MS) }
    : undefined;
}
