import { listCallbacks, subscribeCallback, removeCallback } from '#lib/messaging/platform/subscribed-apps.ts';
import { callForScreen } from './call-for-screen.ts';
import type { MessagingActorContext } from './context.ts';
import type { AccountChoice } from './schema.ts';
import { getReceiver } from './get-receiver.ts';
import { chooseAccountId } from './list-phone-numbers.ts';
import { recordUse } from './record-use.ts';

/** Tells the platform to send the account's notifications to the connection's receiver. @throws AppError */
export async function subscribeNotifications(
  ctx: MessagingActorContext,
  { id, business_account_id: asked }: { id: string } & AccountChoice,
): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, asked);
  const { url, verifyToken } = await getReceiver(ctx, { id });
  const doing = 'The platform could not be subscribed to';
  await callForScreen(ctx, id, doing, (access) => subscribeCallback(access, accountId, { url, verifyToken }));
  await ctx.db.transaction((tx) => recordUse(ctx, tx, id, 'connection.subscribed'));
}

/** The same, unless the platform sends them there already. @throws AppError */
export async function ensureNotifications(ctx: MessagingActorContext, { id }: { id: string }): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, undefined);
  const { url } = await getReceiver(ctx, { id });
  const callbacks = await callForScreen(ctx, id, undefined, (access) => listCallbacks(access, accountId));
  if (!callbacks.includes(url)) await subscribeNotifications(ctx, { id });
}

/** Ends that. @throws AppError */
export async function unsubscribeNotifications(
  ctx: MessagingActorContext,
  { id, business_account_id: asked }: { id: string } & AccountChoice,
): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, asked);
  await callForScreen(ctx, id, undefined, (access) => removeCallback(access, accountId));
  await ctx.db.transaction((tx) => recordUse(ctx, tx, id, 'connection.unsubscribed'));
}
