// One measurement: load, then waiting until everything is executed; and the cost per process.
import { performance } from 'node:perf_hooks';
import { readFamilySeconds, readMachineTimes, readProcessTimes } from '#lib/testing/process-times.ts';
import { driveFast, type LoadResult } from '../load.ts';
import type { System } from './system.ts';

const WARM_UP_SECONDS = 1;

export interface Load {
  flow: string;
  connections: number;
  seconds: number;
  body?: string;
  headers?: Record<string, string>;
}

export interface Measurement {
  requestsPerSecond: number;
  /** Webhooks whose flow ended, over the time from the first request to the end of the last flow. */
  executedPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  /** Webhooks whose flow failed, or did not end within a minute after the load: rates are only valid without any. */
  left: number;
  /** From the end of the load to the end of the last flow. */
  drainSeconds: number;
  /** Processor time for a webhook, by process. */
  microseconds: Record<string, number>;
  totalMicroseconds: number;
  generatorMicroseconds: number;
  /** Cores used by other processes, or by other guests of the host: an idle machine has almost none. */
  coresOfOthers: number;
}

/** Measures one flow of a system, after a second of the same load that does not count. */
export async function measure(system: System, load: Load): Promise<Measurement> {
  const { connections, seconds, body, headers } = load;
  const urls = system.urlsOf(load.flow);
  await driveFast(urls, connections, WARM_UP_SECONDS, body, headers);
  await system.settle();
  await system.prepare();
  const before = readCosts(system);
  const startedAt = Date.now();
  const driven = await driveFast(urls, connections, seconds, body, headers);
  const settled = await system.settle();
  const after = readCosts(system);
  return summarize(driven, { ...settled, startedAt }, before, after);
}

/** Processor seconds so far. */
export interface Costs {
  parts: Record<string, number>;
  /** The load generator is this process or a child of it that has ended. */
  generator: number;
  machine: number;
  wallSeconds: number;
}

function readCosts(system: System): Costs {
  const { busySeconds, stolenSeconds } = readMachineTimes();
  const own = readProcessTimes(process.pid);
  return {
    parts: Object.fromEntries(
      Object.entries(system.parts).map(([name, { pid, without }]) => [name, readFamilySeconds(pid, without)]),
    ),
    generator: own.ownSeconds + own.endedChildrenSeconds,
    machine: busySeconds + stolenSeconds,
    wallSeconds: performance.now() / 1000,
  };
}

/** Combines the figures of a measurement. */
export function summarize(
  load: LoadResult,
  run: { executed?: number; startedAt: number; endedAt: number; left: number },
  before: Costs,
  after: Costs,
): Measurement {
  // Requests in progress at the end of the load are executed, too, but get no response.
  const executed = run.executed ?? load.requests;
  const loadSeconds = load.requests / Math.max(load.requestsPerSecond, Number.EPSILON);
  const seconds = Math.max(loadSeconds, (run.endedAt - run.startedAt) / 1000);
  const perWebhook = (used: number): number => (used * 1e6) / Math.max(executed, 1);
  const used = Object.entries(after.parts).map(
    ([name, value]) => [name, value - (before.parts[name] ?? 0)] as const,
  );
  const ownSeconds = used.reduce((sum, [, value]) => sum + value, 0);
  const generatorSeconds = after.generator - before.generator;
  const ofOthers = after.machine - before.machine - ownSeconds - generatorSeconds;
  return {
    requestsPerSecond: load.requestsPerSecond,
    executedPerSecond: executed / seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    errors: load.errors,
    left: run.left,
    drainSeconds: seconds - loadSeconds,
    microseconds: Object.fromEntries(used.map(([name, value]) => [name, perWebhook(value)])),
    totalMicroseconds: perWebhook(ownSeconds),
    generatorMicroseconds: perWebhook(generatorSeconds),
    coresOfOthers: Math.max(0, ofOthers / (after.wallSeconds - before.wallSeconds)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (at(sorted, Math.floor(middle)) + at(sorted, Math.ceil(middle) - 1)) / 2;
}

const at = (values: readonly number[], index: number): number => values[index] ?? NaN;

/** The median of each figure over several rounds of one measurement. */
export function medianOf(rounds: readonly Measurement[]): Measurement {
  const [first] = rounds;
  if (!first) throw new Error('There is no median of nothing.');
  const figures = Object.keys(first).filter(isFigure);
  return {
    ...first,
    ...Object.fromEntries(figures.map((figure) => [figure, median(rounds.map((round) => round[figure]))])),
    errors: Math.max(...rounds.map(({ errors }) => errors)),
    left: Math.max(...rounds.map(({ left }) => left)),
    microseconds: Object.fromEntries(
      Object.keys(first.microseconds).map((part) => [
        part,
        median(rounds.map(({ microseconds }) => microseconds[part] ?? NaN)),
      ]),
    ),
  };
}

type Figure = Exclude<keyof Measurement, 'microseconds'>;
const isFigure = (name: string): name is Figure => name !== 'microseconds';
