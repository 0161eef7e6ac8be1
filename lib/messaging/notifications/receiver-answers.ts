// What the receivers of the app and of connections have in common.
import type { Logger } from 'pino';
import { isSameSecret } from '#lib/core/crypto/token.ts';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool } from '#lib/core/db/client.ts';

export interface ReceiverDeps {
  /** A pool whose clients may run the intake. */
  pool: Pool;
  secrets: SecretBox;
  appSecret: string | undefined;
  logger: Logger;
}

export interface ReceiverAnswer {
  status: 200 | 403 | 404 | 503;
  /** Plain text. */
  body: string;
}

export const RECEIVED: ReceiverAnswer = { status: 200, body: 'EVENT_RECEIVED' };
export const UNSIGNED: ReceiverAnswer = { status: 403, body: 'The signature is not valid for this app.' };
export const UNCHECKED: ReceiverAnswer = { status: 503, body: 'Notifications cannot be checked here yet.' };

/** The handshake: the challenge comes back for the verify token of the receiver. */
export function answerChallenge(query: URLSearchParams, verifyToken: string): ReceiverAnswer {
  const isExpected =
    query.get('hub.mode') === 'subscribe' && isSameSecret(query.get('hub.verify_token') ?? '', verifyToken);
  if (!isExpected)
    return { status: 403, body: 'The verify token does not belong to this receiver. Copy it again.' };
  return { status: 200, body: query.get('hub.challenge') ?? '' };
}
