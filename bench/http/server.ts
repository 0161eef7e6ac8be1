// A server that answers every request with 200 and JSON.
import { createServer, type Server } from 'node:net';
import { endsConnection, readMessages } from './messages.ts';

export interface Request {
  method: string;
  /** Path and query. */
  url: string;
  body: string;
}

const KEPT = 'Connection: keep-alive\r\nKeep-Alive: timeout=60\r\n';
const CLOSED = 'Connection: close\r\n';

/** @param answer returns the JSON of the response */
export const createJsonServer = (answer: (request: Request) => string | Promise<string>): Server =>
  createServer({ noDelay: true }, (socket) => {
    readMessages(socket, ({ head, body }) => {
      const [method = '', url = ''] = head.slice(0, head.indexOf('\r\n')).split(' ');
      const isLast = endsConnection(head);
      const send = (json: string): void => {
        const length = Buffer.byteLength(json);
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${isLast ? CLOSED : KEPT}\r\n${json}`,
        );
        if (isLast) socket.end();
      };
      const answered = answer({ method, url, body });
      if (typeof answered === 'string') send(answered);
      else void answered.then(send);
    });
    // A client that breaks off is no failure of the server.
    socket.on('error', () => socket.destroy());
  });
