// What /hooks/messaging does: the handshake of the app, and notifications of all its accounts, each of which goes to the
// connections that have the account (`entry.id`).
import type { Pool } from '#lib/core/db/client.ts';
import type { Change } from './notification-types.ts';
import {
  answerChallenge,
  type ReceiverAnswer,
  type ReceiverDeps,
  RECEIVED,
  UNCHECKED,
  UNSIGNED,
} from './receiver-answers.ts';
import type { ChangeOwner } from './record-change.ts';
import { readChanges, storeChanges } from './store-notification.ts';
import { isSignedBy } from './verify-signature.ts';
import { appVerifyToken } from '#lib/messaging/connections/app-receiver.ts';
import { noteUnrouted } from './unrouted-notifications.ts';

/** `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` wants the challenge back. */
export const answerAppHandshake = ({ appSecret }: ReceiverDeps, query: URLSearchParams): ReceiverAnswer =>
  appSecret === undefined ? UNCHECKED : answerChallenge(query, appVerifyToken(appSecret));

/** Stores what a notification says with every connection that has the account; of an account that nobody connected, that it came. */
export async function receiveAppNotification(
  { pool, appSecret, logger }: ReceiverDeps,
  { rawBody, signature }: { rawBody: Uint8Array; signature: string | null },
): Promise<ReceiverAnswer> {
  if (appSecret === undefined) {
    logger.error('A notification cannot be checked: set MESSAGING_APP_SECRET.');
    return UNCHECKED;
  }
  if (!isSignedBy(appSecret, rawBody, signature)) {
    await noteUnrouted(pool, { reason: 'signature', businessAccountId: '', fields: [] });
    return UNSIGNED;
  }
  const changes = readChanges(rawBody);
  if ('problem' in changes) {
    await noteUnrouted(pool, { reason: 'account', businessAccountId: '', fields: [] });
    return RECEIVED;
  }
  for (const [accountId, ofAccount] of Map.groupBy(changes, (change) => change.businessAccountId))
    await route(pool, accountId, ofAccount);
  return RECEIVED;
}

async function route(pool: Pool, businessAccountId: string, changes: readonly Change[]): Promise<void> {
  const owners = await findOwners(pool, businessAccountId);
  for (const owner of owners) await storeChanges(pool, owner, changes);
  if (owners.length === 0)
    await noteUnrouted(pool, { reason: 'account', businessAccountId, fields: changes.map(fieldOf) });
}

const OWNERS = {
  name: 'find_connections_of_account',
  text: 'select workspace_id, id from connections where business_account_id = $1 order by id',
};

async function findOwners(pool: Pool, businessAccountId: string): Promise<ChangeOwner[]> {
  const { rows } = await pool.query<{ workspace_id: string; id: string }>({
    ...OWNERS,
    values: [businessAccountId],
  });
  return rows.map(({ workspace_id: workspaceId, id: connectionId }) => ({ workspaceId, connectionId }));
}

/** The platform's name of what a change is about. */
const fieldOf = (change: Change): string =>
  change.kind === 'other' || change.kind === 'echo' ? change.field : FIELD_OF_KIND[change.kind];

const FIELD_OF_KIND = {
  message: 'messages',
  status: 'messages',
  template: 'message_template_status_update',
  preference: 'user_preferences',
} as const satisfies Record<Exclude<Change['kind'], 'echo' | 'other'>, string>;
