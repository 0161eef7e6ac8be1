import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { readUpTo } from '#lib/core/http/read-up-to.ts';
import { answerAppHandshake, receiveAppNotification } from './receive-app-notification.ts';
import { answerHandshake, MAX_NOTIFICATION_BYTES, receiveNotification } from './receive-notification.ts';
import type { ReceiverAnswer, ReceiverDeps } from './receiver-answers.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';

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
