// What the app itself is subscribed to: one URL for all its accounts, read and set with its own token.
import * as z from 'zod';
import { objectsOf, text } from '#lib/messaging/platform-fields.ts';
import { asApp } from './app-token.ts';
import { callGraph } from './graph.ts';
import { readAll } from './pages.ts';
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
  const ours = all.find(({ object }) => object === objectOf(settings));
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
    object: objectOf(settings),
    callback_url: callbackUrl,
    verify_token: verifyToken,
    fields: fields.join(),
  };
  await asApp(settings, (access, appId) =>
    callGraph(access, { method: 'POST', path: [appId, 'subscriptions'], body, secrets: [verifyToken] }),
  );
}

const objectOf = ({ product }: PlatformSettings): string => `${product}_business_account`;
