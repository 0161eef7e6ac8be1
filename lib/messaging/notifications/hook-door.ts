// The plain Node http door for notifications: answers them before Next sees them, as webhooks are (docs/decisions/two-doors.md).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { BytesLease, readLimitedBody } from '#lib/webhooks/body.ts';
import { declaredBytes, readBody } from '#lib/webhooks/node-door.ts';
import { bodiesInFlight } from '#lib/webhooks/runtime.ts';
import { answerHook, MAX_NOTIFICATION_BYTES } from './hook-route.ts';
import { BUSY, type ReceiverAnswer, type ReceiverDeps } from './receiver-answers.ts';

/** What the route handlers match. Any other spelling is left to Next, which redirects or refuses it. */
const HOOK_PATH = /^\/hooks\/messaging(?:\/([\w-]+))?(?:\?([^#]*))?$/;

/** Memory of the parsed changes of a notification, in its bytes: while 2,700 of 45 KB waited, the process had 910 MB. */
const PARSED_TIMES = 5;

/**
 * Creates a handler that returns whether the request is for a receiver of notifications and is being answered here; none is
 * when route handlers answer (`WEBHOOK_DOOR=next`).
 */
export function openHookDoor(
  runtime: ProcessRuntime,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { settings, hot: pool, logger } = runtime;
  const deps: ReceiverDeps = {
    pool,
    appSecret: platformSettingsOf(settings).appSecret,
    logger,
    // Opened with the first handshake: a process without encryption keys serves everything else.
    get secrets() {
      return runtime.secrets;
    },
  };
  return (req, res) => {
    const match = settings.WEBHOOK_DOOR === 'node' ? HOOK_PATH.exec(req.url ?? '') : null;
    if (!match || (req.method !== 'POST' && req.method !== 'GET')) return false;
    const [, token, query] = match;
    void answer(req, runtime, deps, { token, query }).then(({ status, body }) => {
      res.writeHead(status, {
        ...ANSWER_HEADERS,
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
      });
      res.end(body);
    });
    return true;
  };
}

/** A notification's bytes, and its parsed changes, count as in flight until it is stored. */
async function answer(
  req: IncomingMessage,
  runtime: ProcessRuntime,
  deps: ReceiverDeps,
  { token, query }: { token: string | undefined; query: string | undefined },
): Promise<ReceiverAnswer> {
  using lease = new BytesLease(bodiesInFlight(runtime));
  const signature = req.headers['x-hub-signature-256'];
  try {
    return await answerHook(deps, {
      token,
      method: req.method ?? 'GET',
      query: new URLSearchParams(query),
      signature: typeof signature === 'string' ? signature : null,
      readBody: () => readNotification(req, lease),
    });
  } catch {
    // Too many bytes are in flight, or the body ended early.
    return BUSY;
  }
}

/**
 * @returns undefined when it is too large
 * @throws Error when too many bytes are in flight, and some of them are others': alone it is stored, however small the limit is
 */
async function readNotification(req: IncomingMessage, lease: BytesLease): Promise<Buffer | undefined> {
  const body = (await readLimitedBody(requestOf(req), MAX_NOTIFICATION_BYTES, lease))?.take();
  if (body && !lease.tryAdd(PARSED_TIMES * body.byteLength) && !lease.isAlone)
    throw new Error('Too many bytes are in flight.');
  return body;
}

const requestOf = (req: IncomingMessage): Parameters<typeof readLimitedBody>[0] => ({
  declaredBytes: declaredBytes(req),
  readBody: (collect) => readBody(req, collect),
});
