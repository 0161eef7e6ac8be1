import { AppError } from '#lib/core/errors.ts';
import { ensureAppSubscription, isAppHere } from './subscribe-app.ts';
import { knowsApp } from '#lib/messaging/platform/app-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import {
  listCallbacks,
  removeCallback,
  removeSubscription,
  subscribeCallback,
} from '#lib/messaging/platform/subscribed-apps.ts';
import { toAppError } from '#lib/messaging/platform/to-app-error.ts';
import { callForScreen } from './call-for-screen.ts';
import type { MessagingActorContext } from './context.ts';
import type { AccountChoice } from './schema.ts';
import { getReceiver } from './get-receiver.ts';
import { chooseAccountId } from './list-phone-numbers.ts';
import { recordUse } from './record-use.ts';

/** Subscribes the connection's receiver to the account's notifications. @throws AppError */
export async function subscribeNotifications(
  ctx: MessagingActorContext,
  { id, business_account_id: asked }: { id: string } & AccountChoice,
): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, asked);
  const { url, verifyToken } = await getReceiver(ctx, { id });
  const doing = 'The platform could not be subscribed to';
  const appProblem = await subscribeAppIfNeeded(ctx);
  try {
    await callForScreen(ctx, id, doing, (access) =>
      subscribeCallback(access, accountId, { url, verifyToken }),
    );
  } catch (error) {
    throw appProblem && isRefusedCallback(error) ? toAppError(appProblem, doing) : error;
  }
  await ctx.db.transaction((tx) => recordUse(ctx, tx, id, 'connection.subscribed'));
}

/** The platform takes a callback of an account only once the app itself is subscribed. @returns why it could not be */
async function subscribeAppIfNeeded(ctx: MessagingActorContext): Promise<PlatformError | undefined> {
  if (!knowsApp(ctx.platform)) return undefined;
  try {
    await ensureAppSubscription(ctx);
    return undefined;
  } catch (error) {
    // Settings → Health shows the problem; messages of the account may still arrive.
    if (error instanceof PlatformError) return error;
    throw error;
  }
}

const isRefusedCallback = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof PlatformError && error.cause.kind === 'parameters';

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
  // Without its own callback the account's messages would go to the app's receiver, and from there still to the connection.
  const end = (await isAppHere(ctx)) ? removeSubscription : removeCallback;
  await callForScreen(ctx, id, undefined, (access) => end(access, accountId));
  await ctx.db.transaction((tx) => recordUse(ctx, tx, id, 'connection.unsubscribed'));
}
