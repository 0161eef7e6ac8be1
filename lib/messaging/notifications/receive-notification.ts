// What /hooks/messaging/<token> does: the handshake, and notifications. A notification is answered with 200 only after
// everything it says is committed; anything else makes the platform send it again.
import { hashToken } from '#lib/core/crypto/token.ts';
import { about } from '#lib/core/log-fields.ts';
import { verifyTokenOf, sealedFor } from '#lib/messaging/connections/sealing.ts';
import type { Pool } from '#lib/core/db/client.ts';
import {
  answerChallenge,
  type ReceiverAnswer,
  type ReceiverDeps,
  RECEIVED,
  UNCHECKED,
  UNSIGNED,
} from './receiver-answers.ts';
import { storeNotification } from './store-notification.ts';
import { isSignedBy } from './verify-signature.ts';

/** The platform batches up to a thousand changes. */
export const MAX_NOTIFICATION_BYTES = 5_000_000;

interface ReceiverRow {
  id: string;
  workspace_id: string;
  receiver_token_encrypted: string;
}

const UNKNOWN: ReceiverAnswer = { status: 404, body: 'No receiver exists at this address.' };

async function findReceiver(pool: Pool, token: string): Promise<ReceiverRow | undefined> {
  const { rows } = await pool.query<ReceiverRow>({
    name: 'find_receiver',
    text: 'select id, workspace_id, receiver_token_encrypted from connections where receiver_token_hash = $1',
    values: [hashToken(token)],
  });
  return rows[0];
}

/** `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` wants the challenge back. */
export async function answerHandshake(
  deps: ReceiverDeps,
  token: string,
  query: URLSearchParams,
): Promise<ReceiverAnswer> {
  const receiver = await findReceiver(deps.pool, token);
  if (!receiver) return UNKNOWN;
  const binding = sealedFor(receiver.workspace_id, 'receiver_token', receiver.id);
  return answerChallenge(query, verifyTokenOf(deps.secrets.open(receiver.receiver_token_encrypted, binding)));
}

/** Stores all that a notification says: windows, statuses, and an event of everything else. */
export async function receiveNotification(
  deps: ReceiverDeps,
  { token, rawBody, signature }: { token: string; rawBody: Uint8Array; signature: string | null },
): Promise<ReceiverAnswer> {
  const receiver = await findReceiver(deps.pool, token);
  if (!receiver) return UNKNOWN;
  if (deps.appSecret === undefined) {
    deps.logger.error('A notification cannot be checked: set MESSAGING_APP_SECRET.');
    return UNCHECKED;
  }
  if (!isSignedBy(deps.appSecret, rawBody, signature)) {
    await deps.pool.query(COUNT_REFUSAL, [receiver.id]);
    return UNSIGNED;
  }
  const owner = { workspaceId: receiver.workspace_id, connectionId: receiver.id };
  const count = await storeNotification(deps.pool, owner, rawBody);
  deps.logger.debug({ ...about({ connectionId: receiver.id }), ...count }, 'notification stored');
  return RECEIVED;
}

const COUNT_REFUSAL = `
update connections set refused_notifications = refused_notifications + 1, last_refused_at = now() where id = $1`;
