// The plain Node http door: answers webhook paths before Next sees them (docs/webhooks.md).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '#lib/core/env.ts';
import { callerAddress, countProxies } from '#lib/core/http/caller-address.ts';
import { nextReadTurn } from '#lib/core/http/read-body.ts';
import type { ReceiveWebhook } from './receive.ts';
import type { CollectChunk, WebhookAnswer } from './types.ts';
import { matchWebhookPath, webhookPath } from './webhook-path.ts';

/** Tokens that reach a route handler unchanged: Next redirects double slashes and decodes percent-encoding. */
const ROUTABLE_TOKEN = /^[\w-]+$/;

/**
 * Creates a handler that returns whether the request is for a webhook and is being answered here; when route handlers answer
 * webhooks (`next`), those are only the requests that cannot reach one.
 */
export function openNodeDoor(
  { WEBHOOK_DOOR: door, TRUST_PROXY }: Pick<Settings, 'WEBHOOK_DOOR' | 'TRUST_PROXY'>,
  receive: ReceiveWebhook,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const proxies = countProxies({ TRUST_PROXY });
  return (req, res) => {
    const match = matchWebhookPath(req.url ?? '');
    if (!match) return false;
    if (door === 'next' && ROUTABLE_TOKEN.test(match.token)) {
      req.url = webhookPath(match);
      return false;
    }
    void receive({
      ...match,
      method: req.method ?? 'GET',
      search: req.url?.split('?', 2)[1],
      headers: toHeaders(req),
      address: () => callerAddress(req, proxies),
      declaredBytes: declaredBytes(req),
      readBody: (collect) => readBody(req, collect),
    }).then((answer) => send(req, res, answer));
    return true;
  };
}

function toHeaders(req: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}

/** Content-Length; undefined for chunked bodies. */
export function declaredBytes(req: IncomingMessage): number | undefined {
  const declared = req.headers['content-length'];
  return declared === undefined ? undefined : Number(declared);
}

/** As `WebhookRequest.readBody`. */
export function readBody(req: IncomingMessage, collect: CollectChunk): Promise<boolean> {
  // It emitted its last event before this: none would end the promise.
  if (req.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    let bytes = 0;
    let isReading = true;
    const stop = (complete: boolean): void => {
      isReading = false;
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(complete);
    };
    const readOn = (): void => {
      if (isReading) req.resume();
    };
    const readWhenWanted = (isWanted: Promise<boolean>): void => {
      req.pause();
      void isWanted.then((more) => (more ? readOn() : stop(false)));
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      const isWanted = collect(chunk);
      if (isWanted === false) {
        req.pause();
        return stop(false);
      }
      if (isWanted !== true) return readWhenWanted(isWanted);
      const turn = nextReadTurn(bytes);
      if (!turn) return;
      req.pause();
      void turn.then(readOn);
    };
    const onEnd = (): void => stop(true);
    const onClose = (): void => stop(req.complete);
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function send(req: IncomingMessage, res: ServerResponse, { status, headers, body }: WebhookAnswer): void {
  const length = status === 204 ? undefined : { 'Content-Length': Buffer.byteLength(body) };
  res.writeHead(status, { ...headers, ...length });
  res.end(req.method === 'HEAD' ? undefined : body);
}
