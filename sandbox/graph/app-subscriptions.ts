// The app's own subscription: one URL for all accounts, set with the app token.
import * as z from 'zod';
import { HandshakeFailed, subscribe } from '../delivery/subscribe.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import type { Account, Subscription } from '../model.ts';
import { ACCOUNT_OBJECT, API_DATA, MANAGEMENT_SCOPE } from '../product.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { parseBody } from './read-input.ts';

const FIELDS = [
  'messages',
  'message_echoes',
  'smb_message_echoes',
  'smb_app_state_sync',
  'history',
  'calls',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_capability_update',
  'account_update',
  'account_alerts',
  'account_review_update',
  'security',
];

const schema = z.strictObject({
  object: z.literal(ACCOUNT_OBJECT),
  callback_url: z.string(),
  verify_token: z.string(),
  fields: z.union([z.string(), z.array(z.string())]),
  include_values: z.union([z.boolean(), z.string()]).optional(),
});

/** Whether a path is the app's own subscriptions. */
export const isAppSubscriptionsPath = ({ world, path }: Pick<GraphCall, 'world' | 'path'>): boolean =>
  path === `${world.options.client.id}/subscriptions`;

/** `GET`, `POST` and `DELETE /{app}/subscriptions`. Throws 15 without the app token. */
export async function handleAppSubscriptions(call: GraphCall): Promise<GraphAnswer> {
  if (call.bearer.kind !== 'app')
    throw new GraphError(15, '', { message: '(#15) This method must be called with an app access_token.' });
  if (call.method === 'POST') return subscribeFields(call);
  if (call.method === 'DELETE') {
    for (const { id } of listOfApp(call.world)) call.world.subscriptions.delete(id);
    return { success: true };
  }
  const data = listOfApp(call.world).map(({ callbackUrl, fields }) => ({
    object: ACCOUNT_OBJECT,
    callback_url: callbackUrl,
    active: true,
    fields: (fields ?? []).map((name) => ({ name, version: call.version })),
  }));
  return { data };
}

/** The app has one URL: a new one replaces it. */
async function subscribeFields({ world, query, body }: GraphCall): Promise<GraphAnswer> {
  const input = parseBody(schema, { ...Object.fromEntries(query), ...body });
  const fields = typeof input.fields === 'string' ? input.fields.split(',') : input.fields;
  const unknown = fields.find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw invalidParameter(`Param fields: "${unknown}" is not a field of it.`);
  const { id } = await subscribeVerified(world, {
    callbackUrl: input.callback_url,
    verifyToken: input.verify_token,
    accountId: null,
    source: 'app',
    fields,
  });
  for (const other of listOfApp(world)) if (other.id !== id) world.subscriptions.delete(other.id);
  return { success: true };
}

const listOfApp = (world: World): Subscription[] =>
  [...world.subscriptions.values()].filter(({ source }) => source === 'app');

const overrideSchema = z.strictObject({
  override_callback_uri: z.string().optional(),
  verify_token: z.string().optional(),
});

/** `GET /{waba}/subscribed_apps`: this app, and other apps. */
export function listSubscribedApps(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const { world } = call;
  const app = { id: world.options.client.id, name: 'Sandbox app', link: world.options.publicUrl };
  const own = listOwn(world, account).map(({ callbackUrl }) => callbackUrl);
  const isPlain = own.length === 0 && world.subscribedAccounts.has(account.id);
  const others = account.otherApps.map(({ id, name, callbackUrl }) =>
    showEntry({ id, name, link: 'https://example.com/' }, callbackUrl),
  );
  return { data: [...(isPlain ? [null] : own).map((callback) => showEntry(app, callback)), ...others] };
}

const showEntry = (app: object, callbackUrl: string | null): object => ({
  [API_DATA]: app,
  ...(callbackUrl === null ? {} : { override_callback_uri: callbackUrl }),
});

/**
 * `POST /{waba}/subscribed_apps`: without a body it subscribes the app and removes the override; with
 * `override_callback_uri` and `verify_token` it sets the account's one override.
 */
export async function subscribeApp(call: GraphCall, account: Account): Promise<GraphAnswer> {
  assertScope(call, MANAGEMENT_SCOPE);
  const { world } = call;
  const given = { ...Object.fromEntries(call.query), ...call.body };
  const { override_callback_uri: callbackUrl, verify_token: verifyToken } = parseBody(overrideSchema, given);
  if (callbackUrl === undefined) {
    world.subscribedAccounts.add(account.id);
    removeOwn(world, account);
    return { success: true };
  }
  if (verifyToken === undefined)
    throw invalidParameter('The parameter verify_token is required with override_callback_uri.');
  if (isStrict(world)) assertSubscribed(world, account);
  const input = {
    callbackUrl,
    verifyToken,
    accountId: account.id,
    source: 'override',
    fields: null,
  } as const;
  const { id } = await subscribeVerified(world, input);
  removeOwn(world, account, id);
  world.subscribedAccounts.add(account.id);
  return { success: true };
}

/** Throws 100 unless the app gets this account's messages: it is subscribed to the account, and to the field. */
function assertSubscribed(world: World, account: Account): void {
  const hasField = [...world.subscriptions.values()].some(
    ({ source, fields }) => source === 'app' && fields?.includes('messages'),
  );
  if (hasField && world.subscribedAccounts.has(account.id)) return;
  throw invalidParameter(
    `Before override the current callback uri, your app must be subscribed to receive messages for ${ACCOUNT_OBJECT}`,
  );
}

/** Registers a URL after its handshake. Throws 2200 if it fails. */
async function subscribeVerified(world: World, input: Omit<Subscription, 'id'>): Promise<Subscription> {
  try {
    return await subscribe(world, input);
  } catch (error) {
    if (!(error instanceof HandshakeFailed)) throw error;
    const message = `(#2200) Callback verification failed with the following errors: ${error.message}`;
    throw new GraphError(2200, '', { message });
  }
}

/** `DELETE /{waba}/subscribed_apps`: the subscription, and with it the override. */
export function unsubscribeApp(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  call.world.subscribedAccounts.delete(account.id);
  removeOwn(call.world, account);
  return { success: true };
}

const listOwn = (world: World, { id }: Account): Subscription[] =>
  [...world.subscriptions.values()].filter(({ accountId }) => accountId === id);

function removeOwn(world: World, account: Account, exceptId?: string): void {
  for (const { id } of listOwn(world, account)) if (id !== exceptId) world.subscriptions.delete(id);
}
