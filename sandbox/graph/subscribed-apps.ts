import { z } from 'zod';
import { HandshakeFailed, subscribe } from '../delivery/subscribe.ts';
import type { Account, Subscription } from '../model.ts';
import { ACCOUNT_OBJECT, API_DATA, MANAGEMENT_SCOPE } from '../product.ts';
import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { parseBody } from './parse-body.ts';

const schema = z.strictObject({
  override_callback_uri: z.string().optional(),
  verify_token: z.string().optional(),
});

/** `GET /{waba}/subscribed_apps`: this app, and those of others. */
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
  const { override_callback_uri: callbackUrl, verify_token: verifyToken } = parseBody(schema, given);
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
export async function subscribeVerified(
  world: World,
  input: Omit<Subscription, 'id'>,
): Promise<Subscription> {
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
