import { AppError } from '../errors.ts';
import type { WebhookRequest } from './types.ts';

/** The server's bytes in flight: bodies that are being read or written, over all requests of the process. */
export class BytesInFlight {
  readonly limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  tryAdd(bytes: number): boolean {
    if (this.#bytes + bytes > this.limit) return false;
    this.#bytes += bytes;
    return true;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}

export type ReadBody = { kind: 'read'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'aborted' };

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
  const chunks: Uint8Array[] = [];
  let total = 0;
  let refusal: 'too_large' | 'overloaded' | undefined;
  const ended = await request.readBody((chunk) => {
    total += chunk.byteLength;
    if (total > limitBytes) refusal = 'too_large';
    else if (!inFlight.tryAdd(chunk.byteLength)) refusal = 'overloaded';
    else {
      taken.bytes += chunk.byteLength;
      chunks.push(chunk);
    }
    return refusal === undefined;
  });
  if (refusal === 'too_large') return { kind: 'too_large' };
  if (refusal === 'overloaded') {
    throw new AppError(
      'overloaded',
      'The server is receiving more than it can hold: send the request again.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  if (!ended) return { kind: 'aborted' };
  const [only] = chunks;
  const bytes =
    chunks.length === 1 && only
      ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
      : Buffer.concat(chunks);
  return { kind: 'read', bytes };
}
