import { and, eq, max, sql } from 'drizzle-orm';
import type { Context } from '#lib/identity/context.ts';
import { namesOfCustomer } from '#lib/messaging/customers/customer-names.ts';
import { conversationWindows, WINDOW_HOURS } from '#lib/messaging/schema/messaging.ts';
import { readRecipient } from './recipient.ts';

/** The state of the customer service window between a number and a customer, for screens. */
export interface CustomerWindow {
  /** The recipient for messages: digits only, or a user id. */
  customer: string;
  /** `unknown`: no message of theirs was ever reported; the platform decides. */
  state: 'open' | 'closed' | 'unknown';
  /** ISO 8601. */
  lastMessageAt: string | null;
  closesAt: string | null;
}

const WINDOW_MS = WINDOW_HOURS * 3_600_000;

/** A window known from notifications: when it closes or closed. */
export interface ConversationWindow {
  lastMessageAt: Date;
  closesAt: Date;
}

/** Whether the window is closed, so that only message templates can be sent. */
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

/** The state of the 24-hour window for a typed recipient; null where it is invalid. */
export async function describeWindow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: string },
  now = new Date(),
): Promise<CustomerWindow | null> {
  const read = readRecipient(recipient.trim());
  if (!read.value) return null;
  const customer = read.value.id;
  const window = await findWindow(ctx, { phoneNumberId, customer });
  if (!window) return { customer, state: 'unknown', lastMessageAt: null, closesAt: null };
  return {
    customer,
    state: isWindowClosed(window, now) ? 'closed' : 'open',
    lastMessageAt: window.lastMessageAt.toISOString(),
    closesAt: window.closesAt.toISOString(),
  };
}
