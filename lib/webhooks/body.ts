import { AppError } from '#lib/core/errors.ts';
import type { WebhookRequest } from './types.ts';

/** A larger body has its own limit, turn and lane, so that the others need not wait for it. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** Of the bytes in flight, what is left to small bodies and to the copies that are made of those worked with. */
const RESERVED_SHARE = 0.25;

/** The server's bytes in flight: bodies that are being read or written, over all requests of the process. */
export class BytesInFlight {
  readonly #limit: number;
  readonly #largeLimit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#largeLimit = limit * (1 - RESERVED_SHARE);
  }

  /** Counts more bytes of a body, of which `counted` are in flight by now. @returns false when they are too many. */
  tryAdd(bytes: number, counted: number): boolean {
    const limit = counted + bytes > LARGE_BODY_BYTES ? this.#largeLimit : this.#limit;
    if (this.#bytes + bytes > limit) return false;
    this.#bytes += bytes;
    return true;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}

const MIN_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

/**
 * A body as it arrives. The first chunk, most often the only one, stays as it is; the others are copied into blocks,
 * because a caller may send chunks of one byte, of which each would take hundreds of bytes of memory.
 */
export class ArrivingBody {
  #blocks: Uint8Array[] = [];
  #freeBytes = 0;
  byteLength = 0;

  add(chunk: Uint8Array): void {
    if (this.#blocks.length === 0) this.#blocks.push(chunk);
    else this.#copy(chunk);
    this.byteLength += chunk.byteLength;
  }

  #copy(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.byteLength;) {
      if (this.#freeBytes === 0) {
        this.#freeBytes = Math.min(Math.max(this.byteLength, MIN_BLOCK_BYTES), MAX_BLOCK_BYTES);
        this.#blocks.push(Buffer.allocUnsafeSlow(this.#freeBytes));
      }
      const block = this.#blocks.at(-1) as Uint8Array;
      const part = chunk.subarray(at, at + this.#freeBytes);
      block.set(part, block.byteLength - this.#freeBytes);
      this.#freeBytes -= part.byteLength;
      at += part.byteLength;
    }
  }

  /** All bytes in one piece, which is the memory that is given if some is. The body holds them no longer. */
  take(memory?: SharedArrayBuffer): Buffer {
    const blocks = this.#blocks;
    this.#blocks = [];
    const [first] = blocks;
    if (!memory && first?.byteLength === this.byteLength)
      return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
    return copyBlocks(blocks, memory ? Buffer.from(memory) : Buffer.allocUnsafe(this.byteLength));
  }

  /** As `take`, but no more than the first `maxBytes`. */
  takeStart(maxBytes: number): Buffer {
    const blocks = this.#blocks;
    this.#blocks = [];
    return copyBlocks(blocks, Buffer.allocUnsafe(Math.min(maxBytes, this.byteLength)));
  }
}

function copyBlocks(blocks: readonly Uint8Array[], into: Buffer): Buffer {
  let at = 0;
  for (const block of blocks) {
    const part = block.subarray(0, into.byteLength - at);
    into.set(part, at);
    at += part.byteLength;
  }
  return into;
}

export type ReadBody = { kind: 'read'; body: ArrivingBody } | { kind: 'too_large' } | { kind: 'aborted' };

/**
 * Reads a body up to a limit, counting its bytes as in flight; the caller gives them back (`taken.bytes`) when it is
 * done with them. Reading stops at the limit, whatever Content-Length says.
 * @throws AppError `overloaded` when the server holds too many bytes already.
 */
export async function readLimitedBody(
  request: WebhookRequest,
  limitBytes: number,
  inFlight: BytesInFlight,
  taken: { bytes: number },
): Promise<ReadBody> {
  if ((request.declaredBytes ?? 0) > limitBytes) return { kind: 'too_large' };
  const body = new ArrivingBody();
  let refusal: 'too_large' | 'overloaded' | undefined;
  const ended = await request.readBody((chunk) => {
    if (body.byteLength + chunk.byteLength > limitBytes) refusal = 'too_large';
    else if (!inFlight.tryAdd(chunk.byteLength, taken.bytes)) refusal = 'overloaded';
    else {
      taken.bytes += chunk.byteLength;
      body.add(chunk);
    }
    return refusal === undefined;
  });
  if (refusal === 'too_large') return { kind: 'too_large' };
  if (refusal === 'overloaded') {
    throw new AppError('overloaded', 'The server is overloaded. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }
  return ended ? { kind: 'read', body } : { kind: 'aborted' };
}
