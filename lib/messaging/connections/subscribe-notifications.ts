import { AppError } from '#lib/core/errors.ts';
import {
  type AppSubscription,
  findAppSubscription,
  listCallbacks,
  putAppSubscription,
  removeCallback,
  removeSubscription,
  subscribeCallback,
} from '#lib/messaging/platform/subscriptions.ts';
import { knowsApp } from '#lib/messaging/platform/graph.ts';
import { PlatformError, toAppError } from '#lib/messaging/platform/platform-error.ts';
import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import { callForScreen } from './call-for-screen.ts';
import { recordUse } from './connection-rows.ts';
import type { MessagingActorContext } from './context.ts';
import { chooseAccountId } from './list-accounts.ts';
import { APP_FIELDS, appReceiverUrl, appVerifyToken, getReceiver } from './receivers.ts';
import type { AccountChoice } from './schema.ts';

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

/** The platform accepts an account's callback only after the app itself is subscribed. @returns why it could not be */
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

/** The same, unless the platform already sends them there. @throws AppError */
export async function ensureNotifications(ctx: MessagingActorContext, { id }: { id: string }): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, undefined);
  const { url } = await getReceiver(ctx, { id });
  const callbacks = await callForScreen(ctx, id, undefined, (access) => listCallbacks(access, accountId));
  if (!callbacks.includes(url)) await subscribeNotifications(ctx, { id });
}

/** Unsubscribes it. @throws AppError */
export async function unsubscribeNotifications(
  ctx: MessagingActorContext,
  { id, business_account_id: asked }: { id: string } & AccountChoice,
): Promise<void> {
  const accountId = await chooseAccountId(ctx, id, asked);
  // Without its own callback the account's messages would go to the app's receiver, and from there to the connection anyway.
  const end = (await isAppHere(ctx)) ? removeSubscription : removeCallback;
  await callForScreen(ctx, id, undefined, (access) => end(access, accountId));
  await ctx.db.transaction((tx) => recordUse(ctx, tx, id, 'connection.unsubscribed'));
}

// The platform sends the notifications of all accounts of the app to one URL.

export interface AppContext {
  platform: PlatformSettings;
  /** The product's own address without a trailing slash. */
  baseUrl: string;
}

/** Sets the app's one URL to this installation's receiver, whatever it was. @throws PlatformError */
export async function subscribeApp(
  { platform, baseUrl }: AppContext,
  fields: readonly string[] = [],
): Promise<void> {
  if (platform.appSecret === undefined) throw new PlatformError('not_configured');
  await putAppSubscription(platform, {
    callbackUrl: appReceiverUrl({ baseUrl }),
    verifyToken: appVerifyToken(platform.appSecret),
    fields: [...new Set([...fields, ...APP_FIELDS])],
  });
}

/** The same, unless it is already set, or the app's URL belongs to another system: that one stays. @throws PlatformError */
async function ensureAppSubscription(ctx: AppContext): Promise<void> {
  const now = await findAppSubscription(ctx.platform);
  if (now === null) await subscribeApp(ctx);
  else if (isOfInstallation(ctx, now) && !isComplete(ctx, now)) await subscribeApp(ctx, now.fields);
}

/** Whether the app's URL is a receiver of this installation: the app's, or that of a connection, entered by an operator. */
export const isOfInstallation = (ctx: AppContext, { callbackUrl }: AppSubscription): boolean =>
  callbackUrl === appReceiverUrl(ctx) || callbackUrl.startsWith(`${appReceiverUrl(ctx)}/`);

/** Whether the notifications of all the app's accounts arrive at the app's receiver. */
const isComplete = (ctx: AppContext, { callbackUrl, fields }: AppSubscription): boolean =>
  callbackUrl === appReceiverUrl(ctx) && APP_FIELDS.every((field) => fields.includes(field));

/** Whether notifications of the app go to this installation; false where the platform does not report it. */
async function isAppHere(ctx: AppContext): Promise<boolean> {
  if (!knowsApp(ctx.platform)) return false;
  try {
    const now = await findAppSubscription(ctx.platform);
    return now !== null && isOfInstallation(ctx, now);
  } catch (error) {
    if (error instanceof PlatformError) return false;
    throw error;
  }
}
