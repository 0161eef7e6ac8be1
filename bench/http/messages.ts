// Messages of HTTP/1.1 on a plain socket, as far as measurements need them: each has a Content-Length or no body. Generator and called
// service share the measured machine, and on node:http they need two to four times as much of it.
import type { Socket } from 'node:net';

export interface HttpMessage {
  /** First line and headers. */
  head: string;
  body: string;
}

const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** Calls `take` with each message that arrives. One that is sent in chunks ends the connection with an error. */
export function readMessages(socket: Socket, take: (message: HttpMessage) => void): void {
  let rest: Buffer = NOTHING;
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf(HEAD_END); at >= 0; at = rest.indexOf(HEAD_END)) {
      const head = rest.toString('latin1', 0, at);
      const length = lengthOf(head);
      if (Number.isNaN(length)) return socket.destroy(new Error('A message without a Content-Length.'));
      const bodyAt = at + HEAD_END.length;
      if (rest.length < bodyAt + length) return;
      const body = rest.toString('utf8', bodyAt, bodyAt + length);
      rest = rest.length === bodyAt + length ? NOTHING : rest.subarray(bodyAt + length);
      take({ head, body });
    }
  });
}

/** Of the body. NaN: it is sent in chunks. */
function lengthOf(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /\r\ntransfer-encoding:/i.test(head) ? NaN : 0;
}

/** Whether the connection is closed after this message. */
export const endsConnection = (head: string): boolean => /\r\nconnection: *close/i.test(head);
