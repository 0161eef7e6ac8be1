import type { Context } from '#lib/identity/context.ts';
import type { CustomerWindow } from '#lib/messaging/schema/window-types.ts';
import { findWindow, isWindowClosed } from './find-window.ts';
import { readRecipient } from './recipient.ts';

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
