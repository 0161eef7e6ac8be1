// `npm run bench:start`: the time from `npm start` to the first answered webhook, the memory of all its processes when idle,
// and the effect of repeated kills of its web process (see bench/README.md). Linux only.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { killWeb } from './start/kill-web.ts';
import { measureMemory } from './start/memory.ts';
import { makeInstallation, publishWorkflow, untilAnswered } from './start/start-product.ts';
import { describeMachine } from './machine.ts';

const STARTS = Number(process.env.BENCH_STARTS ?? 5);
const KILLS = Number(process.env.BENCH_KILLS ?? 20);
const KILL_EVERY_MS = 3000;
const SETTLE_MS = 10_000;
const PAGES = ['/sign-in', '/api/v1/openapi.json', '/api/v1/workflows'];
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const installation = await makeInstallation();
const machine = describeMachine();
try {
  const first = await installation.start();
  const url = await publishWorkflow(installation.base);
  await first.stop();

  const startSeconds: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const answered = untilAnswered(url);
    const running = await installation.start();
    startSeconds.push(Math.round((await answered) - running.startedAt) / 1000);
    await running.stop();
  }
  startSeconds.sort((a, b) => a - b);
  const median = startSeconds[Math.floor(STARTS / 2)];
  say(`npm start to the first answered webhook: ${median} s (median of ${startSeconds.join(', ')})`);

  const running = await installation.start();
  await wait(SETTLE_MS);
  const idle = measureMemory(running.pid, installation.folder);
  say(`idle: ${idle.totalMegabytes} MB in ${idle.processes} processes ${JSON.stringify(idle.megabytes)}`);
  for (const page of PAGES) await (await fetch(installation.base + page)).arrayBuffer();
  await wait(SETTLE_MS);
  const used = measureMemory(running.pid, installation.folder);
  say(`after pages and API were used: ${used.totalMegabytes} MB ${JSON.stringify(used.megabytes)}`);

  const killed = await killWeb(running.pid, url, { kills: KILLS, everyMs: KILL_EVERY_MS });
  await running.stop();
  say(
    `web killed ${killed.kills} times, every ${KILL_EVERY_MS / 1000} s: ${(killed.answeredShare * 100).toFixed(1)} % of ` +
      `${killed.requests} requests answered, recovery median ${killed.recoveryMs.median} ms, p99 ${killed.recoveryMs.p99} ms`,
  );
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const written = { at: new Date().toISOString(), machine, startSeconds, idle, used, killed };
  writeFileSync(join(root, 'bench/results/start.json'), `${JSON.stringify(written, null, 2)}\n`);
  say('written to bench/results/start.json');
} finally {
  installation.remove();
}
