// V8 keeps the room that new objects had under load, 200 MB of it, and gives it back on its own only now and then. So a process
// that was busy asks for it once nothing happens any more.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 10_000;
/** Of the time since the last look. */
const BUSY = 0.1;
const QUIET = 0.05;

/** Looks every few seconds whether this process is at rest after it was busy, and then gives back the memory that it does not use. */
export function giveMemoryBack(): { close(): void } {
  const look = createLook(collect);
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    look(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  }, LOOK_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}

/**
 * @param rest called once between two busy times
 * @returns takes how busy the process was since the last look, from 0 to 1
 */
export function createLook(rest: () => void): (utilization: number) => void {
  let wasBusy = false;
  return (utilization) => {
    if (utilization >= BUSY) wasBusy = true;
    if (!wasBusy || utilization >= QUIET) return;
    wasBusy = false;
    rest();
  };
}

/** Takes some tenths of a second. */
export function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
