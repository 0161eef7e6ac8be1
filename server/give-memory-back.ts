// V8 keeps the room that new objects had under load, 200 MB of it, until a full collection has shown that little is used; then it
// gives it back in small steps. So a process that was busy asks for such a collection once nothing happens any more.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 10_000;
/** Of the time since the last look. */
const BUSY = 0.1;
const QUIET = 0.05;

/**
 * Looks every few seconds whether this process is at rest after it was busy, and then has V8 give back the memory that it does not use.
 * @param countCallers how many callers who must not wait have come so far: it is not at rest while some come
 */
export function giveMemoryBack(countCallers: () => number = () => 0): { close(): void } {
  const look = createLook(collect);
  let last = performance.eventLoopUtilization();
  let lastCallers = countCallers();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const callers = countCallers();
    look(performance.eventLoopUtilization(now, last).utilization, callers - lastCallers);
    last = now;
    lastCallers = callers;
  }, LOOK_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}

/**
 * @param rest called once between two busy times
 * @returns takes how busy the process was since the last look, from 0 to 1, and how many callers came
 */
export function createLook(rest: () => void): (utilization: number, callers: number) => void {
  let wasBusy = false;
  return (utilization, callers) => {
    if (utilization >= BUSY) wasBusy = true;
    if (!wasBusy || utilization >= QUIET || callers > 0) return;
    wasBusy = false;
    rest();
  };
}

/** Takes 20 to 50 ms; V8 gives back what it found some ten seconds later, without a pause. */
export function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  gc({ type: 'major', execution: 'sync', flavor: 'regular' });
}
