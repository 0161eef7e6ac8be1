// Shared by the receivers of the app and of connections.
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { isSameSecret } from '#lib/core/crypto/token.ts';
import type { Pool } from '#lib/core/db/client.ts';

export interface ReceiverDeps {
  /** A pool whose clients may run the intake. */
  pool: Pool;
  secrets: SecretBox;
  appSecret: string | undefined;
  logger: Logger;
}

export interface ReceiverAnswer {
  status: 200 | 403 | 404 | 413 | 503;
  /** Plain text. */
  body: string;
}

export const RECEIVED: ReceiverAnswer = { status: 200, body: 'EVENT_RECEIVED' };
export const UNSIGNED: ReceiverAnswer = { status: 403, body: 'The signature is not valid for this app.' };
export const UNCHECKED: ReceiverAnswer = { status: 503, body: 'Notifications cannot be checked here yet.' };
export const BUSY: ReceiverAnswer = {
  status: 503,
  body: 'The notification could not be stored right now. Send it again.',
};

/** The handshake: returns the challenge for the verify token of the receiver. */
export function answerChallenge(query: URLSearchParams, verifyToken: string): ReceiverAnswer {
  const isExpected =
    query.get('hub.mode') === 'subscribe' && isSameSecret(query.get('hub.verify_token') ?? '', verifyToken);
  if (!isExpected)
    return { status: 403, body: 'The verify token does not belong to this receiver. Copy it again.' };
  return { status: 200, body: query.get('hub.challenge') ?? '' };
}

/** Whether `X-Hub-Signature-256` matches the raw body: `sha256=<HMAC-SHA256 with the app secret, in hex>`. */
export function isSignedBy(appSecret: string, rawBody: Uint8Array, signature: string | null): boolean {
  const match = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '');
  if (!match?.[1]) return false;
  const expected = createHmac('sha256', appSecret).update(rawBody).digest();
  return isSameSecret(Buffer.from(match[1], 'hex'), expected);
}
