// For users who enter the URL of a workflow in the messaging platform's dashboard: its handshake, and its notifications.
import { isSameSecret } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { CheckedBody } from './check-body.ts';
import { toObjectBody } from './object-body.ts';
import type { Tokens } from './tokens.ts';
import type { NotificationReader, WebhookAnswer, WebhookRequest } from './types.ts';

/**
 * Answers `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` with the challenge; nothing is stored.
 * @returns undefined for any other request, and for a wrong verify token: GET is not accepted then
 */
export async function answerHandshake(
  { search = '', token }: WebhookRequest,
  tokens: Tokens,
  { verifyTokenOf }: NotificationReader,
): Promise<WebhookAnswer | undefined> {
  const query = new URLSearchParams(search);
  const verifyToken = query.get('hub.verify_token');
  if (query.get('hub.mode') !== 'subscribe' || verifyToken === null) return undefined;
  const known = await tokens.find(token);
  if (!known || !isSameSecret(verifyToken, verifyTokenOf(token))) return undefined;
  const headers = { ...ANSWER_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
  return { status: 200, headers, body: query.get('hub.challenge') ?? '' };
}

/** A notification with its fields; any other body unchanged. A body in another thread is too large for one. */
export async function readNotification(
  checked: CheckedBody,
  { headers }: WebhookRequest,
  workspaceId: string,
  notifications: NotificationReader,
): Promise<CheckedBody> {
  if (!('object' in checked) || !checked.object.value) return checked;
  const { bytes } = checked;
  const signature = headers['x-hub-signature-256'] ?? null;
  const read = await notifications.read(checked.object.value, { bytes, signature, workspaceId });
  if (!read) return checked;
  if ('problem' in read) return { refusal: new AppError('forbidden', read.problem), bytes };
  return { object: toObjectBody(read.body), bytes: Buffer.from(stringifyJson(read.body)) };
}
