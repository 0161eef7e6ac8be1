import { TaskError } from '#lib/engine/task-executor.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { findWindow, isWindowClosed } from '#lib/messaging/sending/find-window.ts';

/** Spec, Errors: "Window expired". @param fix what to do about it */
export const windowExpired = (lastMessageAt: Date, fix: string): TaskError =>
  new TaskError(
    'window_expired',
    `Window expired: the customer last wrote at ${lastMessageAt.toISOString()}, more than 24 hours ago. ${fix}`,
    { details: { last_message_at: lastMessageAt.toISOString() } },
  );

/**
 * Where the customer's last message is known from notifications, it decides; otherwise the platform does.
 * @throws TaskError `window_expired`
 */
export async function assertWindow(
  ctx: MessagingContext,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: string },
  now: Date,
): Promise<void> {
  const window = await findWindow(ctx, { phoneNumberId, customer: recipient });
  if (window && isWindowClosed(window, now)) throw windowExpired(window.lastMessageAt, 'Use send_template.');
}
