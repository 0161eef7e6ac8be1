// What /hooks/messaging/<token> does: the handshake, and notifications. A notification is answered with 200 only after
// everything it says is committed; anything else makes the platform send it again.
import type { Logger } from 'pino';
import { verifyTokenOf, sealedFor, sha256 } from '#lib/connections/sealing.ts';
import type { SecretBox } from '#lib/crypto/secret-box.ts';
import type { Pool } from '#lib/db/client.ts';
import { JsonSyntaxError } from '#lib/json/json-syntax-error.ts';
import { parseJsonBytes } from '#lib/json/parse-json.ts';
import type { JsonValue } from '#lib/json/value.ts';
import { handOn } from './hand-on.ts';
import { type Change, parseNotification } from './parse-notification.ts';
import { claimChanges, openWindow, recordStatus } from './record-change.ts';
import { isSignedBy } from './verify-signature.ts';

export interface ReceiverDeps {
  /** A pool whose clients may run the intake. */
  pool: Pool;
  secrets: SecretBox;
  appSecret: string | undefined;
  logger: Logger;
}

export interface ReceiverAnswer {
  status: 200 | 400 | 403 | 404 | 503;
  /** Plain text. */
  body: string;
}

/** The platform batches up to a thousand changes. */
export const MAX_NOTIFICATION_BYTES = 5_000_000;

interface ReceiverRow {
  id: string;
  workspace_id: string;
  receiver_token_encrypted: string;
}

const UNKNOWN: ReceiverAnswer = { status: 404, body: 'There is no receiver at this address.' };

async function findReceiver(pool: Pool, token: string): Promise<ReceiverRow | undefined> {
  const { rows } = await pool.query<ReceiverRow>({
    name: 'find_receiver',
    text: 'select id, workspace_id, receiver_token_encrypted from connections where receiver_token_hash = $1',
    values: [sha256(token)],
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
  const expected = sha256(verifyTokenOf(deps.secrets.open(receiver.receiver_token_encrypted, binding)));
  const isExpected =
    query.get('hub.mode') === 'subscribe' && sha256(query.get('hub.verify_token') ?? '').equals(expected);
  if (!isExpected)
    return { status: 403, body: 'The verify token is not the one of this connection: copy it again.' };
  return { status: 200, body: query.get('hub.challenge') ?? '' };
}

/** Takes a notification in: windows, statuses, and one event for each workflow that wants it. */
export async function receiveNotification(
  deps: ReceiverDeps,
  { token, rawBody, signature }: { token: string; rawBody: Uint8Array; signature: string | null },
): Promise<ReceiverAnswer> {
  const receiver = await findReceiver(deps.pool, token);
  if (!receiver) return UNKNOWN;
  if (deps.appSecret === undefined) {
    deps.logger.error('A notification cannot be checked: set MESSAGING_APP_SECRET.');
    return { status: 503, body: 'Notifications cannot be checked here yet.' };
  }
  if (!isSignedBy(deps.appSecret, rawBody, signature))
    return { status: 403, body: 'The signature is not that of the app.' };
  const body = readBody(rawBody);
  if (body === undefined) return { status: 400, body: 'The body is not JSON.' };
  const count = await takeIn(deps, receiver, parseNotification(body));
  deps.logger.debug({ connectionId: receiver.id, ...count }, 'notification taken in');
  return { status: 200, body: 'EVENT_RECEIVED' };
}

function readBody(rawBody: Uint8Array): JsonValue | undefined {
  try {
    return parseJsonBytes(rawBody);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const NOTE_ARRIVAL = `
update connections set last_notification_at = now()
where id = $1 and (last_notification_at is null or last_notification_at < now() - interval '1 minute')`;

async function takeIn(
  { pool }: ReceiverDeps,
  receiver: ReceiverRow,
  changes: readonly Change[],
): Promise<{ changes: number; events: number }> {
  const owner = { workspaceId: receiver.workspace_id, connectionId: receiver.id };
  const client = await pool.connect();
  try {
    await client.query('begin');
    const fresh = await claimChanges(
      client,
      receiver.id,
      changes.map(({ key }) => key),
    );
    const first = changes.filter(
      (change, index) =>
        fresh.has(change.key) && changes.findIndex(({ key }) => key === change.key) === index,
    );
    for (const change of [...first].sort((a, b) => (a.key < b.key ? -1 : 1))) {
      if (change.kind === 'message') await openWindow(client, owner, change);
      else if (change.kind === 'status') await recordStatus(client, owner, change);
    }
    const events = await handOn(client, receiver.id, first, new Date());
    await client.query(NOTE_ARRIVAL, [receiver.id]);
    await client.query('commit');
    client.release();
    return { changes: first.length, events };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(true);
    throw error;
  }
}
