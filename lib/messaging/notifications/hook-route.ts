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
    const rawBody = await readBody(request);
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
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  return new Response(body, { status, headers });
}

/** Undefined when it is too large; reading stops there, whatever Content-Length says. */
async function readBody(request: Request): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_NOTIFICATION_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
