// After a load V8 keeps up to 200 MB of memory for new objects until a full garbage collection shows that little is used; then
// it releases it in small steps. So a process requests such a collection once it is idle after a load, or after its start.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 10_000;
/** Share of the time since the last check. */
const BUSY = 0.1;
const QUIET = 0.05;

/**
 * Checks every few seconds whether this process is idle after its start or a load, and then makes V8 release unused memory. @param
 * countCallers number of callers so far who must not wait: the process is not idle while new ones arrive
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
 * @param rest called once between two loads, of which the start is the first @returns a function that takes the utilization since the last check, from 0 to 1,
 * and the number of new callers
 */
export function createLook(rest: () => void): (utilization: number, callers: number) => void {
  let wasBusy = true;
  return (utilization, callers) => {
    if (utilization >= BUSY) wasBusy = true;
    if (!wasBusy || utilization >= QUIET || callers > 0) return;
    wasBusy = false;
    rest();
  };
}

/** Takes 20 to 50 ms; V8 releases the memory about ten seconds later, without a pause. */
export function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  gc({ type: 'major', execution: 'sync', flavor: 'regular' });
}
