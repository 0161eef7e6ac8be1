// Sends the product several times its capacity, and far more connections than it needs, and measures the effect.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, callFor, Callers } from './callers.ts';
import type { Acknowledged, Sent } from './flood.ts';
import type { Target } from './target.ts';
import { flood, openSlowSockets } from './threads.ts';

const CALL_EVERY_MS = 100;
/** Number of consecutive requests that have to be answered as usual. */
const NORMAL_CALLS = 10;
const NORMAL_PATIENCE_MS = 60_000;
const DRAIN_PATIENCE_MS = 300_000;
/** Responses and runs below these times never count as late. */
const LEAST_BOUND_MS = { answer: 100, run: 1000 };

export interface Overload {
  name: string;
  url: string;
  sent: Sent;
  /** Multiple of its capacity. */
  times: number;
  seconds: number;
  /** Capacity in requests a second; left out: it is measured. */
  capacityPerSecond?: number;
}

export interface Overloaded {
  name: string;
  capacityPerSecond: number;
  /** Requests sent a second, and requests due a second. */
  sentPerSecond: number;
  duePerSecond: number;
  statuses: Record<number, number>;
  /** Errors of connections that broke without a response. */
  breaks: Record<string, number>;
  withoutRetryAfter: number;
  unanswered: number;
  /** Acknowledged requests without a run that succeeded. */
  missing: number;
  /** Response times of other callers of the same server, before and during the flood. */
  usualMs: Quantiles;
  meanwhileMs: Quantiles;
  /** From the last request of the flood until ten consecutive requests were answered as usual and their runs had ended. */
  normalAfterMs: number;
  isAlive: boolean;
}

export interface Quantiles {
  p50: number;
  p99: number;
}

const MOST_CONNECTIONS = 8000;
const MEASURING = { connections: 64, seconds: 4 };

export async function playOverload(target: Target, overload: Overload, call: string): Promise<Overloaded> {
  const { name, url, times, seconds } = overload;
  const usual = await callFor(target.urls.five, call, { everyMs: CALL_EVERY_MS / 2, seconds: 4 });
  await settledMissing(target, { eventIds: idsOf(usual), messageIds: [] });
  const usualRuns = await target.runMs(idsOf(usual));
  const capacityPerSecond = overload.capacityPerSecond ?? (await measureCapacity(target, url, overload.sent));
  const callers = new Callers(target.urls.five, call, CALL_EVERY_MS);
  let sentAt = Infinity;
  const flooding = flood(
    {
      url,
      sent: overload.sent,
      ratePerSecond: capacityPerSecond * times,
      seconds,
      maxConnections: MOST_CONNECTIONS,
    },
    () => (sentAt = performance.now()),
  );
  while (sentAt === Infinity) await sleep(20);
  const normalAfterMs = await untilNormal(target, callers, sentAt, {
    answer: Math.max(LEAST_BOUND_MS.answer, 2 * quantilesOf(usual.map(({ answerMs }) => answerMs)).p99),
    run: Math.max(LEAST_BOUND_MS.run, 2 * quantilesOf(usualRuns).p99),
  });
  const called = await callers.stop();
  const { due, sent, statuses, breaks, withoutRetryAfter, unanswered, ...acknowledged } = await flooding;
  const eventIds = [...acknowledged.eventIds, ...idsOf(called)];
  return {
    name,
    capacityPerSecond: Math.round(capacityPerSecond),
    sentPerSecond: Math.round(sent / seconds),
    duePerSecond: Math.round(due / seconds),
    statuses,
    breaks,
    withoutRetryAfter,
    unanswered,
    missing: await settledMissing(target, { ...acknowledged, eventIds }),
    usualMs: quantilesOf(usual.map(({ answerMs }) => answerMs)),
    meanwhileMs: quantilesOf(called.filter((each) => each.sentAt < sentAt).map(({ answerMs }) => answerMs)),
    normalAfterMs: Math.round(normalAfterMs),
    isAlive: target.isAlive,
  };
}

export interface SlowSockets {
  sockets: number;
  withoutMs: Quantiles;
  /** While they are opened, which is a load: a third of them send a request that is answered at once. */
  openingMs: Quantiles;
  withMs: Quantiles;
  /** Processor time that the web process needs a second, independent of the machine's other load. */
  webMs: { without: number; with: number };
  /** Responses to other callers that were not 200. */
  refused: number;
  isAlive: boolean;
}

/** Requests alternating without and with the slow sockets. */
export async function playSlowSockets(
  target: Target,
  call: string,
  { sockets, rounds, seconds }: { sockets: number; rounds: number; seconds: number },
): Promise<SlowSockets> {
  const without: Answered[] = [];
  const opening: Answered[] = [];
  const meanwhile: Answered[] = [];
  const webSeconds = { without: 0, with: 0 };
  const { five: url, echo: echoUrl } = target.urls;
  const everyMs = CALL_EVERY_MS / 10;
  const callAs = async (which: 'without' | 'with'): Promise<readonly Answered[]> => {
    const before = target.webSeconds;
    const answered = await callFor(url, call, { everyMs, seconds });
    webSeconds[which] += target.webSeconds - before;
    return answered;
  };
  for (let round = 0; round < rounds; round += 1) {
    without.push(...(await callAs('without')));
    const callers = new Callers(url, call, everyMs);
    const slow = await openSlowSockets({ count: sockets, echoUrl });
    opening.push(...(await callers.stop()));
    await target.untilIdle();
    meanwhile.push(...(await callAs('with')));
    await slow.close();
    await target.untilIdle();
  }
  return {
    sockets,
    withoutMs: quantilesOf(without.map(({ answerMs }) => answerMs)),
    openingMs: quantilesOf(opening.map(({ answerMs }) => answerMs)),
    withMs: quantilesOf(meanwhile.map(({ answerMs }) => answerMs)),
    webMs: {
      without: Math.round((webSeconds.without * 1000) / (rounds * seconds)),
      with: Math.round((webSeconds.with * 1000) / (rounds * seconds)),
    },
    refused: [...without, ...opening, ...meanwhile].filter(({ status }) => status !== 200).length,
    isAlive: target.isAlive,
  };
}

/** Requests a second that are acknowledged when callers send the next one after each response. */
async function measureCapacity(target: Target, url: string, sent: Sent): Promise<number> {
  const { connections, seconds } = MEASURING;
  const acknowledged = await flood({
    url,
    sent,
    ratePerSecond: Infinity,
    seconds,
    maxConnections: connections,
  });
  await settledMissing(target, acknowledged);
  const messages = 'body' in sent ? 1 : sent.messages;
  return (acknowledged.eventIds.length + acknowledged.messageIds.length / messages) / seconds;
}

const idsOf = (answered: readonly Answered[]): string[] =>
  answered.flatMap(({ status, eventId }) => (status === 200 && eventId !== undefined ? [eventId] : []));

/** Number of these events and messages without a succeeded run, once it no longer changes. */
export const settledMissing = (target: Target, acknowledged: Acknowledged): Promise<number> =>
  settles(() => target.countMissing(acknowledged));

/** @returns the time after that instant until requests are answered, and their runs end, within the limits again */
async function untilNormal(
  target: Target,
  callers: Callers,
  since: number,
  bound: { answer: number; run: number },
): Promise<number> {
  for (
    const deadline = since + NORMAL_PATIENCE_MS;
    performance.now() < deadline;
    await sleep(CALL_EVERY_MS)
  ) {
    const last = callers.answered.toSorted((a, b) => a.sentAt - b.sentAt).slice(-NORMAL_CALLS);
    const [first] = last;
    if (!first || last.length < NORMAL_CALLS || first.sentAt < since) continue;
    if (last.some(({ status, answerMs }) => status !== 200 || answerMs > bound.answer)) continue;
    const runs = await target.runMs(idsOf(last)).catch(() => [Infinity]);
    if (runs.every((ms) => ms <= bound.run)) return first.sentAt - since;
  }
  return Infinity;
}

/** Waits until the number is zero, or the timeout. @returns the number */
async function settles(measure: () => Promise<number>): Promise<number> {
  for (const deadline = performance.now() + DRAIN_PATIENCE_MS; ; await sleep(250)) {
    const number = await measure();
    if (number === 0 || performance.now() > deadline) return number;
  }
}

function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}
