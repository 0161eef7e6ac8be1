// What the app itself is subscribed to: one URL for all its accounts, read and set with its own token.
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
 * Sets the app's URL, which the platform asks for the handshake first; another one is replaced, and so are its fields.
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
 * The callback URLs of this app's subscription to an account; an empty text is the app's own URL, none: it is not subscribed.
 * The account may be subscribed to apps of others, too: their entries do not count.
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
 * Sends an account's notifications to a URL, which is asked for the handshake first. The platform takes the URL only for an
 * account that the app is subscribed to.
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

/** Ends that; the app stays subscribed, as others of its notifications may be needed. @throws PlatformError */
export async function removeCallback(access: GraphAccess, businessAccountId: string): Promise<void> {
  const callbacks = await listCallbacks(access, businessAccountId);
  if (callbacks.some((callback) => callback !== '')) await post(access, businessAccountId);
}

/** Ends the subscription of the app to the account altogether. @throws PlatformError */
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
