// What the app itself is subscribed to: one URL for all accounts, set with the app token.
import { z } from 'zod';
import { GraphError, invalidParameter } from '../graph-error.ts';
import type { Subscription } from '../model.ts';
import { ACCOUNT_OBJECT } from '../product.ts';
import type { World } from '../world.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { parseBody } from './parse-body.ts';
import { subscribeVerified } from './subscribed-apps.ts';

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

/** The app has one URL: another takes its place. */
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
