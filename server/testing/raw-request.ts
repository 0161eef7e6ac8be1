// A client as simple as Python's http.client: it writes the whole request, and only then reads the response.
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

interface Target {
  hostname: string;
  port: string;
}

/** The request's bytes; `Content-Length` is added to the header lines. */
export function rawRequest(
  requestLine: string,
  lines: readonly string[],
  body: string | Buffer = '',
): Buffer {
  const head = [requestLine, 'Host: localhost', ...lines, `Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/**
 * Writes all bytes, then reads one response. @throws Error when the connection breaks before, which simple clients report as a
 * broken pipe.
 */
export async function writeThenRead({ hostname, port }: Target, bytes: Buffer): Promise<RawAnswer> {
  const socket = connect(Number(port), hostname).pause();
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    return await readAnswer(socket);
  } finally {
    socket.destroy();
  }
}

function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (): void => {
      const answer = parseAnswer(text);
      if (answer) resolve(answer);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      settle();
    });
    socket.once('error', reject);
    socket.once('end', () => reject(new Error(`The connection ended after ${JSON.stringify(text)}.`)));
    socket.resume();
  });
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const sent = text.slice(end + 4);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  const isWhole = length === undefined ? sent.endsWith('0\r\n\r\n') : sent.length >= Number(length);
  if (!isWhole) return undefined;
  return {
    status: Number(head.split(' ', 2)[1]),
    head,
    body: length === undefined ? joinChunks(sent) : sent,
  };
}

function joinChunks(sent: string): string {
  let body = '';
  for (let at = 0; at < sent.length;) {
    const start = sent.indexOf('\r\n', at) + 2;
    const length = parseInt(sent.slice(at, start), 16);
    body += sent.slice(start, start + length);
    at = start + length + 2;
  }
  return body;
}
