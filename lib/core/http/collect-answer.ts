import type { IncomingMessage } from 'node:http';
import { type Writable, pipeline, Transform } from 'node:stream';

export interface AnswerHandlers {
  whole: (body: Buffer) => void;
  /** May be called again with each further chunk: the callee destroys the request. */
  tooLarge: () => void;
  /** The connection ended before the answer did. */
  broken: (cause?: unknown) => void;
}

/** Reads the body of a response, up to `maxBytes`, and reports the outcome. */
export function collectAnswer(
  response: IncomingMessage,
  maxBytes: number,
  { whole, tooLarge, broken }: AnswerHandlers,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) tooLarge();
    else chunks.push(chunk);
  });
  response.on('error', broken);
  response.on('end', () => {
    if (response.complete) whole(Buffer.concat(chunks));
    else broken();
  });
}

/** Streams the body of a response to `sink`, up to `maxBytes`, and reports the outcome: `whole` gets no bytes. */
export function pourAnswer(
  response: IncomingMessage,
  sink: Writable,
  maxBytes: number,
  { whole, tooLarge, broken }: AnswerHandlers,
): void {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) return done(null, chunk);
      tooLarge();
      done(new Error('Too large.'));
    },
  });
  pipeline(response, counted, sink, (error) => {
    if (!error && response.complete) whole(Buffer.alloc(0));
    else broken(error);
  });
}
