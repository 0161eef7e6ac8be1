// Posts the order to URL at RATE requests a second from the first message of its parent to the second, and reports what it
// measured: a separate process, so that no other load delays it.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openClient } from '../http/client.ts';
import type { SteadyLoad } from '../webhooks/steady.ts';

const CONNECTIONS = 64;
const TICK_MS = 2;

const { URL: url = '', RATE } = process.env;
const body = readFileSync(new URL('../order.json', import.meta.url), 'utf8');
const client = openClient(url, CONNECTIONS);
const latencies: number[] = [];
let errors = 0;
let isStopped = false;

/** Its latency counts from when it was due to be sent, the wait for a free connection included. */
async function postOne(): Promise<void> {
  const startedMs = performance.now();
  const status = await client.post({ body, headers: {} }).catch(() => 0);
  if (status === 200) latencies.push(performance.now() - startedMs);
  else errors += 1;
}

async function drive(): Promise<SteadyLoad> {
  const startedMs = performance.now();
  const open = new Set<Promise<void>>();
  let posted = 0;
  while (!isStopped) {
    for (; posted < ((performance.now() - startedMs) / 1000) * Number(RATE); posted += 1) {
      const one: Promise<void> = postOne().finally(() => open.delete(one));
      open.add(one);
    }
    await wait(TICK_MS);
  }
  await Promise.all(open);
  const seconds = (performance.now() - startedMs) / 1000;
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    accepted: sorted.length,
    perSecond: sorted.length / seconds,
    errors,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}

process.once('message', () => {
  process.once('message', () => (isStopped = true));
  void drive().then((load) => process.send?.(load));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready' });
