import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { readUpTo } from '#lib/core/http/read-up-to.ts';
import {
  answerHandshake,
  MAX_NOTIFICATION_BYTES,
  receiveNotification,
  type ReceiverAnswer,
} from './receive-notification.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';

/** Answers `/hooks/messaging/<token>`: GET is the handshake, POST a notification. Never throws. */
export async function handleHookRequest(
  runtime: Pick<MessagingRuntime, 'hot' | 'secrets' | 'platform' | 'logger'>,
  token: string,
  request: Request,
): Promise<Response> {
  const { hot: pool, secrets, platform, logger } = runtime;
  const deps = { pool, secrets, appSecret: platform.appSecret, logger };
  try {
    if (request.method === 'GET')
      return toResponse(await answerHandshake(deps, token, new URL(request.url).searchParams));
    const rawBody = await readUpTo(request.body, MAX_NOTIFICATION_BYTES);
    if (!rawBody)
      return toResponse({ status: 413, body: `A notification has at most ${MAX_NOTIFICATION_BYTES} bytes.` });
    const signature = request.headers.get('x-hub-signature-256');
    return toResponse(await receiveNotification(deps, { token, rawBody, signature }));
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
