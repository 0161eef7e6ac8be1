import { setTimeout as wait } from 'node:timers/promises';
import { listProcesses } from '#lib/testing/process-list.ts';
import { postOnce } from './start-product.ts';

const REQUEST_EVERY_MS = 20;

export interface KillFigures {
  kills: number;
  requests: number;
  /** Answered with 2xx. */
  answeredShare: number;
  /** From a kill to the first 2xx of a request that was sent after it. */
  recoveryMs: { median: number; p99: number };
}

/** Posts steadily and kills the web process (kill -9) at every interval. */
export async function killWeb(
  npmPid: number,
  url: string,
  { kills, everyMs }: { kills: number; everyMs: number },
): Promise<KillFigures> {
  const requests: Promise<{ sentAt: number; answeredAt: number; ok: boolean }>[] = [];
  const timer = setInterval(() => {
    const sentAt = performance.now();
    requests.push(
      postOnce(url).then((status) => ({
        sentAt,
        answeredAt: performance.now(),
        ok: status >= 200 && status < 300,
      })),
    );
  }, REQUEST_EVERY_MS);
  const killedAt: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await wait(everyMs);
    const web = listProcesses().find(
      ({ ancestors, command }) => ancestors.includes(npmPid) && command.includes('/web.mjs'),
    );
    killedAt.push(performance.now());
    if (web) process.kill(web.pid, 'SIGKILL');
  }
  await wait(everyMs);
  clearInterval(timer);
  const answers = await Promise.all(requests);
  const recoveries = killedAt
    .map(
      (at) =>
        Math.min(
          ...answers.filter(({ ok, sentAt }) => ok && sentAt > at).map(({ answeredAt }) => answeredAt),
        ) - at,
    )
    .sort((a, b) => a - b);
  return {
    kills,
    requests: answers.length,
    answeredShare: answers.filter(({ ok }) => ok).length / answers.length,
    recoveryMs: {
      median: Math.round(recoveries[Math.floor(recoveries.length / 2)] ?? 0),
      p99: Math.round(recoveries[Math.ceil(recoveries.length * 0.99) - 1] ?? 0),
    },
  };
}
