// The platform sends what concerns all accounts of the app to one URL.
import {
  type AppSubscription,
  findAppSubscription,
  putAppSubscription,
} from '#lib/messaging/platform/app-subscription.ts';
import { knowsApp } from '#lib/messaging/platform/app-token.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { PlatformSettings } from '#lib/messaging/platform/settings.ts';
import { APP_FIELDS, appReceiverUrl, appVerifyToken } from './app-receiver.ts';

export interface AppContext {
  platform: PlatformSettings;
  /** The product's own address without a slash at its end. */
  baseUrl: string;
}

/** Makes this installation's receiver the app's one URL, whatever it was. @throws PlatformError */
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

/** The same, unless it is so already, or the app's URL is somebody else's: that one stays. @throws PlatformError */
export async function ensureAppSubscription(ctx: AppContext): Promise<void> {
  const now = await findAppSubscription(ctx.platform);
  if (now === null) await subscribeApp(ctx);
  else if (isOfInstallation(ctx, now) && !isComplete(ctx, now)) await subscribeApp(ctx, now.fields);
}

/** Whether the app's URL is a receiver of this installation: the app's, or one of a connection, which an operator entered. */
export const isOfInstallation = (ctx: AppContext, { callbackUrl }: AppSubscription): boolean =>
  callbackUrl === appReceiverUrl(ctx) || callbackUrl.startsWith(`${appReceiverUrl(ctx)}/`);

/** Whether all that concerns the app's accounts arrives at the app's receiver. */
const isComplete = (ctx: AppContext, { callbackUrl, fields }: AppSubscription): boolean =>
  callbackUrl === appReceiverUrl(ctx) && APP_FIELDS.every((field) => fields.includes(field));

/** Whether notifications of the app come to this installation; where the platform does not say, they do not. */
export async function isAppHere(ctx: AppContext): Promise<boolean> {
  if (!knowsApp(ctx.platform)) return false;
  try {
    const now = await findAppSubscription(ctx.platform);
    return now !== null && isOfInstallation(ctx, now);
  } catch (error) {
    if (error instanceof PlatformError) return false;
    throw error;
  }
}
