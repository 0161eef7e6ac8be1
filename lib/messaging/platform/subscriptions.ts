// The app's own subscription: one URL for all its accounts, read and set with the app's token.
import * as z from 'zod';
import { objectOf, objectsOf, text } from '#lib/messaging/platform-fields.ts';
import { asApp, callGraph, type GraphAccess, readAll } from './graph.ts';
import type { PlatformSettings } from './settings.ts';

export interface AppSubscription {
  callbackUrl: string;
  /** The platform's names, such as `messages`. */
  fields: string[];
}

const subscriptionSchema = z.object({
  object: text,
  callback_url: text,
  fields: objectsOf({ name: text }),
});

/** The app's subscription to accounts; null: it has none. @throws PlatformError */
export async function findAppSubscription(settings: PlatformSettings): Promise<AppSubscription | null> {
  const all = await asApp(settings, (access, appId) =>
    readAll(access, { path: [appId, 'subscriptions'] }, subscriptionSchema),
  );
  const ours = all.find(({ object }) => object === subscribedObject(settings));
  return ours ? { callbackUrl: ours.callback_url, fields: ours.fields.map(({ name }) => name) } : null;
}

/**
 * Sets the app's URL, with which the platform performs the handshake first; an earlier one and its fields are replaced.
 * @throws PlatformError
 */
export async function putAppSubscription(
  settings: PlatformSettings,
  { callbackUrl, fields, verifyToken }: AppSubscription & { verifyToken: string },
): Promise<void> {
  const body = {
    object: subscribedObject(settings),
    callback_url: callbackUrl,
    verify_token: verifyToken,
    fields: fields.join(),
  };
  await asApp(settings, (access, appId) =>
    callGraph(access, { method: 'POST', path: [appId, 'subscriptions'], body, secrets: [verifyToken] }),
  );
}

const subscribedObject = ({ product }: PlatformSettings): string => `${product}_business_account`;

const entrySchema = z.looseObject({ override_callback_uri: text });
const appSchema = objectOf({ id: text });

/**
 * The callback URLs of this app's subscription to an account; an empty text is the app's own URL, an empty list: not
 * subscribed. Entries of other apps are ignored.
 * @throws PlatformError
 */
export async function listCallbacks(access: GraphAccess, businessAccountId: string): Promise<string[]> {
  const { product, clientId } = access.settings;
  const call = { path: [businessAccountId, 'subscribed_apps'] };
  const entries = await readAll(access, call, entrySchema);
  return entries.flatMap((entry) => {
    const app = appSchema.parse(entry[`${product}_business_api_data`]);
    return clientId === undefined || app.id === clientId ? [entry.override_callback_uri] : [];
  });
}

/**
 * Sends an account's notifications to a URL, after the handshake. The platform accepts the URL only for an account that the app
 * is subscribed to.
 * @throws PlatformError
 */
export async function subscribeCallback(
  access: GraphAccess,
  businessAccountId: string,
  { url, verifyToken }: { url: string; verifyToken: string },
): Promise<void> {
  const callbacks = await listCallbacks(access, businessAccountId);
  if (callbacks.length === 0) await post(access, businessAccountId);
  await post(access, businessAccountId, { override_callback_uri: url, verify_token: verifyToken });
}

/** Removes that URL; the app stays subscribed, because other notifications may be needed. @throws PlatformError */
export async function removeCallback(access: GraphAccess, businessAccountId: string): Promise<void> {
  const callbacks = await listCallbacks(access, businessAccountId);
  if (callbacks.some((callback) => callback !== '')) await post(access, businessAccountId);
}

/** Removes the app's subscription to the account completely. @throws PlatformError */
export async function removeSubscription(access: GraphAccess, businessAccountId: string): Promise<void> {
  const callbacks = await listCallbacks(access, businessAccountId);
  if (callbacks.length > 0)
    await callGraph(access, { method: 'DELETE', path: [businessAccountId, 'subscribed_apps'] });
}

/** Without a body it subscribes the app, and removes its callback for this account. */
async function post(
  access: GraphAccess,
  businessAccountId: string,
  body?: Record<string, string>,
): Promise<void> {
  const call = { method: 'POST', path: [businessAccountId, 'subscribed_apps'] } as const;
  await callGraph(access, body ? { ...call, body } : call);
}
