import { type IncomingMessage, type ServerResponse as NodeResponse, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './lingering-close.ts';

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
