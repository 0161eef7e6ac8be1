// A workflow's production URL may be entered in the platform's dashboard (spec, Incoming messages): such a request is an
// ordinary webhook, and its body gets the fields that subscribed workflows receive.
import { isJsonObject, type JsonObject } from '#lib/core/json/value.ts';
import type { NotificationReader } from '#lib/webhooks/types.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import { flattenChange } from './flatten-change.ts';
import { parseNotification } from './parse-notification.ts';
import { readId, readList, readObject } from './read-field.ts';
import { isSignedBy } from './receiver-answers.ts';

const CONNECTION =
  'select id from connections where workspace_id = $1 and business_account_id = any($2::text[]) limit 1';

/** Recognizes the platform's notifications among the requests to workflows' URLs. */
export const createNotificationReader = (pool: Pool, appSecret: string | undefined): NotificationReader => ({
  verifyTokenOf,
  async read(body, { bytes, signature, workspaceId }) {
    if (!isNotification(body)) return undefined;
    const accountIds = readList(body['entry']).map((entry) => readId(readObject(entry)['id']));
    const { rows } = await pool.query<{ id: string }>(CONNECTION, [workspaceId, accountIds]);
    const connectionId = rows[0]?.id ?? '';
    // Only with a connection to the account is it known which app signs its notifications.
    const isKnown = connectionId !== '' && appSecret !== undefined && signature !== null;
    const isVerified = isKnown && isSignedBy(appSecret, bytes, signature);
    if (isKnown && !isVerified)
      return { problem: 'The signature of the notification is not valid for the app of the connection.' };
    return { body: withFields(body, connectionId, isVerified) };
  },
});

/** `{object, entry:[{changes:[…]}]}` */
const isNotification = (body: JsonObject): boolean =>
  typeof body['object'] === 'string' &&
  Array.isArray(body['entry']) &&
  body['entry'].some((entry) => isJsonObject(entry) && Array.isArray(entry['changes']));

/** Adds the first change's fields to the body, and all changes as `notifications`. Fields of the body are never replaced. */
function withFields(body: JsonObject, connectionId: string, isVerified: boolean): JsonObject {
  const changes = parseNotification(body).map((change) => flattenChange(change, connectionId));
  const { raw: _, ...first } = changes[0] ?? {};
  return { ...first, is_verified: isVerified, notifications: changes, ...body };
}
