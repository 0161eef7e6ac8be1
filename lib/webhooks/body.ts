import { AppError } from '#lib/core/errors.ts';
import type { WebhookRequest } from './types.ts';

/** Larger bodies have their own limit, turn and lane, so that the others need not wait for them. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** Share of the bytes in flight that is reserved for small bodies and for copies. */
const RESERVED_SHARE = 0.25;

/** The process's bytes in flight: bodies that are being read or written, over all requests. */
export class BytesInFlight {
  readonly #limit: number;
  readonly #largeLimit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#largeLimit = limit * (1 - RESERVED_SHARE);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false when these further bytes, for a body that has `held` already, exceed the limit */
  tryAdd(bytes: number, held: number): boolean {
    const limit = held + bytes > LARGE_BODY_BYTES ? this.#largeLimit : this.#limit;
    if (this.#bytes + bytes > limit) return false;
    this.#bytes += bytes;
    return true;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** The bytes in flight of one body, until it is disposed of. */
export class BytesLease implements Disposable {
  readonly #inFlight: BytesInFlight;
  #bytes = 0;

  constructor(inFlight: BytesInFlight) {
    this.#inFlight = inFlight;
  }

  /** Whether no other body has bytes in flight. */
  get isAlone(): boolean {
    return this.#inFlight.bytes === this.#bytes;
  }

  /** @returns false when the process has too many bytes in flight for these further ones */
  tryAdd(bytes: number): boolean {
    if (!this.#inFlight.tryAdd(bytes, this.#bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  [Symbol.dispose](): void {
    this.#inFlight.remove(this.#bytes);
    this.#bytes = 0;
  }
}

const MIN_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

/**
 * A body as it arrives. The first chunk, usually the only one, is kept as it is; the others are copied into blocks, because a
 * caller may send chunks of one byte, each of which would need hundreds of bytes of memory.
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

  /** All bytes in one buffer, which is the given memory if any. The body is empty afterwards. */
  take(memory?: SharedArrayBuffer): Buffer {
    const blocks = this.#blocks;
    this.#blocks = [];
    const [first] = blocks;
    if (!memory && first?.byteLength === this.byteLength)
      return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
    return copyBlocks(blocks, memory ? Buffer.from(memory) : Buffer.allocUnsafe(this.byteLength));
  }

  /** As `take`, but only the first `maxBytes`. */
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

/**
 * Reads a body up to a limit, and counts its bytes as in flight with a lease that the caller disposes of. Reading stops at the
 * limit, whatever Content-Length says; where that exceeds it, nothing is read.
 * @returns undefined when the body is larger
 * @throws AppError `overloaded` when too many bytes are in flight; `invalid_request` when the body ends early
 */
export async function readLimitedBody(
  request: Pick<WebhookRequest, 'declaredBytes' | 'readBody'>,
  limitBytes: number,
  lease: BytesLease,
): Promise<ArrivingBody | undefined> {
  const fits = (bytes: number): boolean => bytes <= limitBytes;
  if (!fits(request.declaredBytes ?? 0)) return undefined;
  const body = new ArrivingBody();
  let refusal: 'too_large' | 'overloaded' | undefined;
  const ended = await request.readBody((chunk) => {
    if (!fits(body.byteLength + chunk.byteLength)) refusal = 'too_large';
    else if (!lease.tryAdd(chunk.byteLength)) refusal = 'overloaded';
    else body.add(chunk);
    return refusal === undefined;
  });
  if (refusal === 'too_large') return undefined;
  if (refusal === 'overloaded') {
    throw new AppError('overloaded', 'The server is overloaded. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }
  if (!ended) throw new AppError('invalid_request', 'The body ended before it was complete.');
  return body;
}
