import { hashToken } from '#lib/core/crypto/token.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { WaitedTooLong } from '#lib/core/db/group-commit.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { readUpTo } from '#lib/core/http/read-body.ts';
import { about } from '#lib/core/log-fields.ts';
import { appVerifyToken } from '#lib/messaging/connections/receivers.ts';
import { sealedFor, verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import type { Change } from './notification-types.ts';
import {
  answerChallenge,
  BUSY,
  isSignedBy,
  RECEIVED,
  type ReceiverAnswer,
  type ReceiverDeps,
  UNCHECKED,
  UNSIGNED,
} from './receiver-answers.ts';
import { receiversOf } from './known-receivers.ts';
import { readChanges, storeChanges, storeNotification } from './store-notification.ts';
import { noteUnrouted } from './unrouted-notifications.ts';

type HookRuntime = Pick<MessagingRuntime, 'hot' | 'secrets' | 'platform' | 'logger'>;

/** A request to a receiver, whichever of the two doors it came through. */
export interface HookRequest {
  /** Of a connection; undefined: of the app. */
  token: string | undefined;
  method: string;
  query: URLSearchParams;
  signature: string | null;
  /** Undefined: it has more than `MAX_NOTIFICATION_BYTES`. */
  readBody: () => Promise<Uint8Array | undefined>;
}

/** The platform batches up to a thousand changes. */
export const MAX_NOTIFICATION_BYTES = 5_000_000;

const TOO_LARGE: ReceiverAnswer = {
  status: 413,
  body: `A notification has at most ${MAX_NOTIFICATION_BYTES} bytes.`,
};

/**
 * Answers `/hooks/messaging/<token>`, of a connection, and `/hooks/messaging`, of the app: GET is the handshake, POST a
 * notification.
 * @throws what reading the body threw; nothing else
 */
export async function answerHook(deps: ReceiverDeps, request: HookRequest): Promise<ReceiverAnswer> {
  const { token, method, query, signature } = request;
  const rawBody = method === 'GET' ? undefined : await request.readBody();
  try {
    if (method === 'GET')
      return token === undefined
        ? answerAppHandshake(deps, query)
        : await answerHandshake(deps, token, query);
    if (!rawBody) return TOO_LARGE;
    return token === undefined
      ? await receiveAppNotification(deps, { rawBody, signature })
      : await receiveNotification(deps, { token, rawBody, signature });
  } catch (error) {
    if (error instanceof WaitedTooLong)
      deps.logger.warn('notifications arrive faster than they are stored; the platform sends them again');
    else deps.logger.error({ err: error }, 'a notification could not be stored; the platform sends it again');
    return BUSY;
  }
}

/** Answers a connection's receiver behind Next. Never throws. */
export const handleHookRequest = (runtime: HookRuntime, token: string, request: Request): Promise<Response> =>
  handle(runtime, token, request);

/** Answers the app's receiver behind Next. Never throws. */
export const handleAppHookRequest = (runtime: HookRuntime, request: Request): Promise<Response> =>
  handle(runtime, undefined, request);

async function handle(
  { hot: pool, secrets, platform, logger }: HookRuntime,
  token: string | undefined,
  request: Request,
): Promise<Response> {
  const deps = { pool, secrets, appSecret: platform.appSecret, logger };
  const asked: HookRequest = {
    token,
    method: request.method,
    query: new URL(request.url).searchParams,
    signature: request.headers.get('x-hub-signature-256'),
    readBody: () => readUpTo(request.body, MAX_NOTIFICATION_BYTES),
  };
  // After a body that ended early no client reads the answer.
  const { status, body } = await answerHook(deps, asked).catch(() => BUSY);
  const headers = { ...ANSWER_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
  return new Response(body, { status, headers });
}

// The handshake and notifications of /hooks/messaging/<token>. A notification is answered with 200 only after all its changes
// are committed; anything else makes the platform send it again.

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

/** `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` expects the challenge as the response. */
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

interface Sent {
  rawBody: Uint8Array;
  signature: string | null;
}

/** Whether the platform signed it; undefined without an app secret, which is logged. */
function isFromPlatform(
  { appSecret, logger }: ReceiverDeps,
  { rawBody, signature }: Sent,
): boolean | undefined {
  if (appSecret !== undefined) return isSignedBy(appSecret, rawBody, signature);
  logger.error('A notification cannot be checked: set MESSAGING_APP_SECRET.');
  return undefined;
}

/** Stores the content of a notification: windows, statuses, and events for everything else. */
export async function receiveNotification(
  deps: ReceiverDeps,
  { token, ...sent }: Sent & { token: string },
): Promise<ReceiverAnswer> {
  const { pool, logger } = deps;
  const receivers = receiversOf(pool);
  const owner = await receivers.find(token);
  if (!owner) return UNKNOWN;
  const { connectionId } = owner;
  const isSigned = isFromPlatform(deps, sent);
  if (isSigned === undefined) return UNCHECKED;
  const forgotten = (): ReceiverAnswer => {
    receivers.forget(token);
    return UNKNOWN;
  };
  if (!isSigned) {
    const { rowCount } = await pool.query(COUNT_REFUSAL, [connectionId]);
    return rowCount === 0 ? forgotten() : UNSIGNED;
  }
  const stored = await storeNotification(pool, owner, sent.rawBody);
  if (!stored) return forgotten();
  logger.debug({ ...about({ connectionId }), ...stored }, 'notification stored');
  return RECEIVED;
}

const COUNT_REFUSAL = `
update connections set refused_notifications = refused_notifications + 1, last_refused_at = now() where id = $1`;

// The app's handshake and notifications at /hooks/messaging: those of each account go to the connections of that account
// (`entry.id`).

/** `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` expects the challenge as the response. */
const answerAppHandshake = ({ appSecret }: ReceiverDeps, query: URLSearchParams): ReceiverAnswer =>
  appSecret === undefined ? UNCHECKED : answerChallenge(query, appVerifyToken(appSecret));

/** Stores a notification for every connection of the account; without one, records only that it arrived. */
async function receiveAppNotification(deps: ReceiverDeps, sent: Sent): Promise<ReceiverAnswer> {
  const { pool } = deps;
  const isSigned = isFromPlatform(deps, sent);
  if (isSigned === undefined) return UNCHECKED;
  if (!isSigned) {
    await noteUnrouted(pool, { reason: 'signature', businessAccountId: '', fields: [] });
    return UNSIGNED;
  }
  const changes = readChanges(sent.rawBody);
  if ('problem' in changes) {
    await noteUnrouted(pool, { reason: 'account', businessAccountId: '', fields: [] });
    return RECEIVED;
  }
  for (const [accountId, ofAccount] of Map.groupBy(changes, (change) => change.businessAccountId))
    await route(pool, accountId, ofAccount);
  return RECEIVED;
}

async function route(pool: Pool, businessAccountId: string, changes: readonly Change[]): Promise<void> {
  const owners = await receiversOf(pool).findOwners(businessAccountId);
  const stored = await Promise.all(owners.map((owner) => storeChanges(pool, owner, changes)));
  if (stored.every((count) => !count))
    await noteUnrouted(pool, { reason: 'account', businessAccountId, fields: changes.map(fieldOf) });
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
