// How a connection is closed while its request's body is still arriving. After an immediate close, the kernel answers the rest of the
// body with a reset, which makes most clients lose the unread response (RFC 9112, 9.6).
import { type IncomingMessage, type ServerResponse as NodeResponse, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextReadTurn } from '#lib/core/http/read-body.ts';

/** Like nginx's `lingering_time` and `lingering_timeout`: maximum time for sending, and for a pause. */
const LINGER_MS = 30_000;
const LINGER_IDLE_MS = 5_000;
/** Maximum number of discarded bytes of a body. */
const LINGER_BYTES = 256 * 1024 * 1024;

/**
 * The server's response class. One that is sent before its request has arrived completely announces that the connection
 * closes, and closes it so that the response can be read; so does every response while the server stops.
 */
export function responseClass(isStopping: () => boolean): typeof NodeResponse<IncomingMessage> {
  return class extends ServerResponse<IncomingMessage> {
    override writeHead(...parameters: unknown[]): this {
      const isEarly = isArriving(this.req);
      if (isEarly || isStopping()) this.setHeader('Connection', 'close');
      if (isEarly) lingerWhenClosed(this.req, this.socket);
      return super.writeHead(...(parameters as Parameters<NodeResponse['writeHead']>));
    }
  };
}

const isArriving = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && ('transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0);

/** After a last response Node calls `destroySoon`, which closes both halves at once. */
function lingerWhenClosed(req: IncomingMessage, socket: Socket | null): void {
  // The caller has disconnected.
  if (!socket) return;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => (req.complete ? destroySoon() : closeLingering(socket));
}

/**
 * Ends our half of the connection, so that the caller gets the complete response, and discards further data until the caller
 * closes its half or a limit of time or bytes is reached.
 */
function closeLingering(socket: Socket): void {
  socket.end();
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(deadline));
  // A connection that times out is destroyed by the HTTP server's own listener.
  socket.setTimeout(LINGER_IDLE_MS);
  if (!socket.isPaused()) return discard(socket);
  // Only the HTTP server, whose listener `discard` detaches, can resume reading that it paused itself.
  socket.once('resume', () => discard(socket)).resume();
}

function discard(socket: Socket): void {
  const parsing = socket.listeners('data') as ((chunk: Buffer) => void)[];
  let bytes = 0;
  // Adding a listener detaches the HTTP parser from the socket's handle.
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > LINGER_BYTES) return void socket.destroy();
    const turn = nextReadTurn(bytes);
    if (!turn) return;
    socket.pause();
    void turn.then(() => socket.resume());
  });
  for (const listener of parsing) socket.off('data', listener);
}
