// One request over a connection, and its response within limits.
import { pipeline, Readable, Transform, type Writable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Connection, TimeLimit } from './connections.ts';

export interface OutgoingRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Of a streamed one, `content-length` says the length. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Larger responses are not read. */
  maxResponseBytes: number;
  /**
   * Called once the response begins.
   * @returns what its body is streamed to; undefined: it is kept in memory @throws Error the response is not read
   */
  onHead?: (head: ResponseHead) => Writable | undefined;
}

export interface ResponseHead {
  status: number;
  /** Names in lower case; repeated ones are joined by `, `. */
  headers: Record<string, string>;
}

export interface Answer extends ResponseHead {
  /** Empty where it was streamed. */
  body: Buffer;
}

/** Why there is no complete response. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly reason: 'time_over' | 'too_large' | 'broken';
  /** When false, certainly nothing of the request was written to a connection. */
  readonly isSent: boolean;
  /** Of a response that began. */
  readonly status: number | undefined;

  constructor(reason: NoAnswer['reason'], isSent: boolean, status: number | undefined, cause?: unknown) {
    super(`No complete response: ${reason}.`, { cause });
    this.reason = reason;
    this.isSent = isSent;
    this.status = status;
  }
}

/** Of these, only the first counts where a server repeats one. */
const SINGLE_HEADERS = ['content-length', 'content-type', 'location', 'retry-after'];

/**
 * Sends a request and reads the response, whatever its status. Afterwards the connection can carry another one; where there is no
 * complete response, it is closed.
 * @throws NoAnswer @throws Error that `onHead` throws
 */
export const sendOver = (
  connection: Connection,
  request: OutgoingRequest,
  limit: TimeLimit,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const exchange = new Exchange(connection, request, resolve, reject);
    limit.whenOver(() => exchange.fail('time_over'));
    const { method, path, headers, body } = request;
    const streamed = typeof body === 'object' && Symbol.asyncIterator in body ? Readable.from(body) : body;
    if (!limit.isOver) connection.send({ method, path, headers, body: streamed }, exchange, limit);
  });

class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #request: OutgoingRequest;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: ResponseHead | undefined;
  #isSent = false;
  #isSettled = false;
  /** The body on its way to where it is streamed to. */
  #pouring: Readable | undefined;

  constructor(
    connection: Connection,
    request: OutgoingRequest,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#connection = connection;
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  fail(reason: NoAnswer['reason'], cause?: unknown): void {
    this.#stop(new NoAnswer(reason, this.#isSent, this.#head?.status, cause));
  }

  onRequestStart(): void {
    this.#isSent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An interim response precedes the one to the request.
    if (status < 200 || this.#isSettled) return;
    this.#head = { status, headers: joinHeaders(headers) };
    const { onHead, maxResponseBytes } = this.#request;
    try {
      const sink = onHead?.(this.#head);
      if (sink) this.#pour(controller, sink, maxResponseBytes);
    } catch (error) {
      this.#stop(error as Error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    if (this.#pouring) {
      if (!this.#pouring.push(chunk)) controller.pause();
      return;
    }
    this.#bytes += chunk.length;
    if (this.#bytes > this.#request.maxResponseBytes) this.fail('too_large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#pouring) this.#pouring.push(null);
    else this.#succeed(this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail('broken', error);
  }

  #pour(controller: Dispatcher.DispatchController, sink: Writable, maxBytes: number): void {
    this.#pouring = new Readable({ read: () => controller.resume() });
    pourAnswer(this.#pouring, sink, maxBytes, {
      whole: () => this.#succeed(Buffer.alloc(0)),
      tooLarge: () => this.fail('too_large'),
      broken: (cause) => this.fail('broken', cause),
    });
  }

  #succeed(body: Buffer = Buffer.alloc(0)): void {
    if (this.#isSettled || !this.#head) return;
    this.#isSettled = true;
    this.#connection.markUsed(performance.now());
    this.#resolve({ ...this.#head, body });
  }

  #stop(error: Error): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#connection.destroy(error);
    this.#pouring?.destroy(error);
    this.#reject(error);
  }
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') joined.push([name, value]);
    else if (value) joined.push([name, SINGLE_HEADERS.includes(name) ? (value[0] ?? '') : value.join(', ')]);
  }
  return Object.fromEntries(joined);
}

interface AnswerHandlers {
  whole: () => void;
  tooLarge: () => void;
  /** The body ended before it was complete, or could not be written. */
  broken: (cause?: unknown) => void;
}

/** Streams the body of a response to `sink`, up to `maxBytes`, and reports the outcome. */
function pourAnswer(
  body: Readable,
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
  pipeline(body, counted, sink, (error) => {
    if (error) broken(error);
    else whole();
  });
}
