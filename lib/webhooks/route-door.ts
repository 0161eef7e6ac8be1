// The door of the route handlers in app/: the same webhook as the web's Request and Response.
import { forwardedAddress } from '#lib/core/http/caller-address.ts';
import { nextReadTurn } from '#lib/core/http/read-body.ts';
import type { ReceiveWebhook } from './receive.ts';
import type { CollectChunk, WebhookKind } from './types.ts';

/** Receives a webhook from a `Request`; the response equals the Node door's, header for header. */
export async function receiveRequest(
  receive: ReceiveWebhook,
  kind: WebhookKind,
  token: string,
  request: Request,
): Promise<Response> {
  const declared = request.headers.get('content-length');
  const answer = await receive({
    kind,
    token,
    method: request.method,
    search: request.url.split('?', 2)[1],
    headers: Object.fromEntries(request.headers),
    // Set by the server in front of Next (server/web.ts).
    address: () => forwardedAddress(request.headers.get('x-forwarded-for')),
    declaredBytes: declared === null ? undefined : Number(declared),
    readBody: (collect) => readBody(request, collect),
  });
  const hasBody = request.method !== 'HEAD' && answer.body !== '';
  return new Response(hasBody ? answer.body : null, { status: answer.status, headers: answer.headers });
}

async function readBody(request: Request, collect: CollectChunk): Promise<boolean> {
  if (!request.body) return true;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  let bytes = 0;
  try {
    for (;;) {
      await nextReadTurn(bytes);
      const { done, value } = await reader.read();
      if (done) return true;
      bytes += value.byteLength;
      const isWanted = collect(value);
      if (!(typeof isWanted === 'boolean' ? isWanted : await isWanted)) {
        // Not awaited: it settles when the sender has sent the rest, and until then these bytes would count as in flight.
        void reader.cancel().catch(() => undefined);
        return false;
      }
    }
  } catch {
    return false;
  }
}
