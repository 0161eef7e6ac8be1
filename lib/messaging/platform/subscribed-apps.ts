import * as z from 'zod';
import { text } from '#lib/messaging/platform-fields.ts';
import { callGraph, type GraphAccess } from './graph.ts';
import { readAll } from './pages.ts';

const appSchema = z.object({ override_callback_uri: text });

/** The callback URLs that an account's notifications go to; an empty text is the app's own. @throws PlatformError */
export async function listCallbacks(access: GraphAccess, businessAccountId: string): Promise<string[]> {
  const apps = await readAll(access, { path: [businessAccountId, 'subscribed_apps'] }, appSchema);
  return apps.map((app) => app.override_callback_uri);
}

/** Sends an account's notifications to a URL, which is asked for the handshake first. @throws PlatformError */
export async function subscribeCallback(
  access: GraphAccess,
  businessAccountId: string,
  { url, verifyToken }: { url: string; verifyToken: string },
): Promise<void> {
  const body = { override_callback_uri: url, verify_token: verifyToken };
  await callGraph(access, { method: 'POST', path: [businessAccountId, 'subscribed_apps'], body });
}

/** Ends the notifications of an account. @throws PlatformError */
export async function unsubscribeCallback(access: GraphAccess, businessAccountId: string): Promise<void> {
  await callGraph(access, { method: 'DELETE', path: [businessAccountId, 'subscribed_apps'] });
}
