// Reading large bodies in turns. Node reads from a connection as long as there is something to read, up to 2 MB; a
// hundred callers who send as fast as the machine can read would keep everyone else waiting for seconds.

/** Callers read from in one turn of the event loop; each gives 64 to 128 KB. */
const READERS_PER_TURN = 8;
/** A body's first bytes need no turn. */
const FREE_BYTES = 64 * 1024;

const waiting: (() => void)[] = [];
let isScheduled = false;

/** @returns when to read on after `bytes` of a body have been read; undefined: at once. */
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
