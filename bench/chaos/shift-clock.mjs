// Preloaded into the product's processes: on SIGUSR2, a process shifts its clock by the milliseconds in the file
// CHAOS_CLOCK_FILE.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const RealDate = globalThis.Date;
const realNow = RealDate.now;
let offsetMs = 0;

RealDate.now = () => realNow() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [target.now()] : values, newTarget),
});
if (isMainThread)
  process.on('SIGUSR2', () => {
    offsetMs = Number(readFileSync(process.env.CHAOS_CLOCK_FILE ?? '', 'utf8'));
  });
