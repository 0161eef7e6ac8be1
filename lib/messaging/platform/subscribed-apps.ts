import * as z from 'zod';
import { objectOf, text } from '#lib/messaging/platform-fields.ts';
import { callGraph, type GraphAccess } from './graph.ts';
import { readAll } from './pages.ts';

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
