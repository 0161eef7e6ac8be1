import { z } from 'zod';
import { HandshakeFailed, subscribe } from '../delivery/subscribe.ts';
import type { Account } from '../model.ts';
import { API_DATA, MANAGEMENT_SCOPE } from '../product.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { parseBody } from './parse-body.ts';

const schema = z.strictObject({
  override_callback_uri: z.string().optional(),
  verify_token: z.string().optional(),
});

/** `GET /{waba}/subscribed_apps`. */
export function listSubscribedApps(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const { world } = call;
  const app = { id: world.options.client.id, name: 'Sandbox app', link: world.options.publicUrl };
  const own = [...world.subscriptions.values()].filter(({ accountId }) => accountId === account.id);
  return { data: own.map(({ callbackUrl }) => ({ [API_DATA]: app, override_callback_uri: callbackUrl })) };
}

/** `POST /{waba}/subscribed_apps` with `override_callback_uri` and `verify_token`; one callback an account. */
export async function subscribeApp(call: GraphCall, account: Account): Promise<GraphAnswer> {
  assertScope(call, MANAGEMENT_SCOPE);
  const given = {
    ...Object.fromEntries([...call.query].filter(([name]) => name !== 'access_token')),
    ...call.body,
  };
  const { override_callback_uri: callbackUrl, verify_token: verifyToken } = parseBody(schema, given);
  if (callbackUrl === undefined) return { success: true };
  if (verifyToken === undefined)
    throw invalidParameter('The parameter verify_token is required with override_callback_uri.');
  try {
    const { id } = await subscribe(call.world, { callbackUrl, verifyToken, accountId: account.id });
    for (const other of call.world.subscriptions.values()) {
      if (other.accountId === account.id && other.id !== id) call.world.subscriptions.delete(other.id);
    }
  } catch (error) {
    if (!(error instanceof HandshakeFailed)) throw error;
    const message = `(#2200) Callback verification failed with the following errors: ${error.message}`;
    throw new GraphError(2200, '', { message });
  }
  return { success: true };
}

/** `DELETE /{waba}/subscribed_apps`. */
export function unsubscribeApp(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  for (const { id, accountId } of call.world.subscriptions.values()) {
    if (accountId === account.id) call.world.subscriptions.delete(id);
  }
  return { success: true };
}
