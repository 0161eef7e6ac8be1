/** A body's bytes; undefined when it has more than `maxBytes`: reading stops there, whatever Content-Length says. */
export async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Large bodies are read in turns. Node reads from a connection while there is data, up to 2 MB; a hundred fast senders would
// delay all other requests for seconds.

/** Callers read from per turn of the event loop; each gives 64 to 128 KB. */
const READERS_PER_TURN = 8;
/** The first bytes of a body need no turn. */
const FREE_BYTES = 64 * 1024;

const waiting: (() => void)[] = [];
let isScheduled = false;

/** @returns when to continue after `bytes` of a body were read; undefined: at once */
export function nextReadTurn(bytes: number): Promise<void> | undefined {
  if (bytes <= FREE_BYTES) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    for (const resolve of waiting.splice(0, READERS_PER_TURN)) resolve();
    if (waiting.length > 0) schedule();
  });
}
