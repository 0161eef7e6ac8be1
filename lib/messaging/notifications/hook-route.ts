import { hashToken } from '#lib/core/crypto/token.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { readUpTo } from '#lib/core/http/read-body.ts';
import { about } from '#lib/core/log-fields.ts';
import { appVerifyToken } from '#lib/messaging/connections/receivers.ts';
import { sealedFor, verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { Change } from './notification-types.ts';
import {
  answerChallenge,
  isSignedBy,
  RECEIVED,
  type ReceiverAnswer,
  type ReceiverDeps,
  UNCHECKED,
  UNSIGNED,
} from './receiver-answers.ts';
import type { ChangeOwner } from './record-change.ts';
import { readChanges, storeChanges, storeNotification } from './store-notification.ts';
import { noteUnrouted } from './unrouted-notifications.ts';

type HookRuntime = Pick<MessagingRuntime, 'hot' | 'secrets' | 'platform' | 'logger'>;

/** One address at which notifications arrive. */
interface Receiver {
  answerHandshake: (query: URLSearchParams) => ReceiverAnswer | Promise<ReceiverAnswer>;
  receive: (input: { rawBody: Uint8Array; signature: string | null }) => Promise<ReceiverAnswer>;
}

/** Answers `/hooks/messaging/<token>`, of a connection: GET is the handshake, POST a notification. Never throws. */
export const handleHookRequest = (runtime: HookRuntime, token: string, request: Request): Promise<Response> =>
  handle(runtime, request, (deps) => ({
    answerHandshake: (query) => answerHandshake(deps, token, query),
    receive: (input) => receiveNotification(deps, { token, ...input }),
  }));

/** Answers `/hooks/messaging`, of the app, in the same way. Never throws. */
export const handleAppHookRequest = (runtime: HookRuntime, request: Request): Promise<Response> =>
  handle(runtime, request, (deps) => ({
    answerHandshake: (query) => answerAppHandshake(deps, query),
    receive: (input) => receiveAppNotification(deps, input),
  }));

async function handle(
  runtime: HookRuntime,
  request: Request,
  receiverOf: (deps: ReceiverDeps) => Receiver,
): Promise<Response> {
  const { hot: pool, secrets, platform, logger } = runtime;
  const receiver = receiverOf({ pool, secrets, appSecret: platform.appSecret, logger });
  try {
    if (request.method === 'GET')
      return toResponse(await receiver.answerHandshake(new URL(request.url).searchParams));
    const rawBody = await readUpTo(request.body, MAX_NOTIFICATION_BYTES);
    if (!rawBody)
      return toResponse({ status: 413, body: `A notification has at most ${MAX_NOTIFICATION_BYTES} bytes.` });
    const signature = request.headers.get('x-hub-signature-256');
    return toResponse(await receiver.receive({ rawBody, signature }));
  } catch (error) {
    logger.error({ err: error }, 'a notification could not be stored; the platform sends it again');
    return toResponse({
      status: 503,
      body: 'The notification could not be stored right now. Send it again.',
    });
  }
}

function toResponse({ status, body }: Omit<ReceiverAnswer, 'status'> & { status: number }): Response {
  const headers = { ...ANSWER_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response(body, { status, headers });
}

// What /hooks/messaging/<token> does: the handshake, and notifications. A notification is answered with 200 only after
// everything it says is committed; anything else makes the platform send it again.

/** The platform batches up to a thousand changes. */
const MAX_NOTIFICATION_BYTES = 5_000_000;

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

// What /hooks/messaging does: the handshake of the app, and notifications of all its accounts, each of which goes to the
// connections that have the account (`entry.id`).

/** `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` wants the challenge back. */
const answerAppHandshake = ({ appSecret }: ReceiverDeps, query: URLSearchParams): ReceiverAnswer =>
  appSecret === undefined ? UNCHECKED : answerChallenge(query, appVerifyToken(appSecret));

/** Stores a notification with every connection that has the account; without one, records only that it arrived. */
async function receiveAppNotification(
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
