// The plain Node http door: answers webhook paths before Next sees them (design section 2).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReceiveWebhook } from './receive.ts';
import type { WebhookAnswer, WebhookRequest } from './types.ts';
import { matchWebhookPath } from './webhook-path.ts';

/** After an answer to a body that was not read: how long the caller gets to read it before the connection is cut. */
const LINGER_MS = 2000;

/** @returns whether the request was for a webhook path and is being answered. */
export function handleWebhook(receive: ReceiveWebhook, req: IncomingMessage, res: ServerResponse): boolean {
  const match = matchWebhookPath(req.url ?? '');
  if (!match) return false;
  void receive({
    ...match,
    method: req.method ?? 'GET',
    headers: toHeaders(req),
    declaredBytes: declaredBytes(req),
    readBody: (collect) => readBody(req, collect),
  }).then((answer) => send(req, res, answer));
  return true;
}

function toHeaders(req: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}

function declaredBytes(req: IncomingMessage): number | undefined {
  const declared = req.headers['content-length'];
  return declared === undefined ? undefined : Number(declared);
}

function readBody(
  req: IncomingMessage,
  collect: Parameters<WebhookRequest['readBody']>[0],
): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = (complete: boolean): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(complete);
    };
    const onData = (chunk: Buffer): void => {
      if (collect(chunk)) return;
      req.pause();
      stop(false);
    };
    const onEnd = (): void => stop(true);
    const onClose = (): void => stop(req.complete);
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body, closesConnection }: WebhookAnswer,
): void {
  const cutsOff = closesConnection && !req.complete;
  res.writeHead(status, {
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    ...(cutsOff ? { Connection: 'close' } : {}),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
  if (cutsOff) {
    req.pause();
    setTimeout(() => req.destroy(), LINGER_MS).unref();
  }
}
