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
