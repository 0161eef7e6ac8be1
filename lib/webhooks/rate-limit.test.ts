import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RateLeases } from './rate-leases.ts';
import { RateLimit } from './rate-limit.ts';

const WORKSPACE = 'workspace';

let nowMs: number;
let rate: number;
let leases: number;
let limits: RateLimit[];

beforeEach(() => {
  nowMs = 0;
  leases = 0;
  limits = [];
});
afterEach(() => {
  for (const limit of limits) limit.close();
  vi.useRealTimers();
});

/** This many processes, which share a bucket like the one in the database. */
function start(ratePerSecond: number, processes = 1): RateLimit[] {
  rate = ratePerSecond;
  let bucket = { available: ratePerSecond, at: 0 };
  const shared: RateLeases = {
    async lease({ wanted }) {
      leases += 1;
      const full = Math.min(rate, bucket.available + ((nowMs - bucket.at) / 1000) * rate);
      const granted = Math.floor(Math.min(full, wanted));
      bucket = { available: full - granted, at: nowMs };
      return Promise.resolve({ ratePerSecond: rate, granted, available: bucket.available });
    },
    readRates: (ids) => Promise.resolve(new Map(ids.map((id) => [id, rate]))),
  };
  limits = Array.from({ length: processes }, () => new RateLimit(shared, () => nowMs));
  return limits;
}

async function burst(limit: RateLimit, count: number): Promise<number> {
  const take = async () => limit.tryTake(WORKSPACE, rate);
  return (await Promise.all(Array.from({ length: count }, take))).filter(Boolean).length;
}

/** Requests at an even pace to all processes in turn. */
async function flow(processes: RateLimit[], perSecond: number, seconds: number): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < perSecond * seconds; n += 1) {
    nowMs += 1000 / perSecond;
    const limit = processes[n % processes.length];
    if (limit && (await limit.tryTake(WORKSPACE, rate))) allowed += 1;
  }
  return allowed;
}

test('without a limit nobody is asked', () => {
  const [limit] = start(0);
  expect(limit?.tryTake(WORKSPACE, 0)).toBe(true);
  expect(leases).toBe(0);
});

describe('with a limit', () => {
  test('a burst gets what a second allows, and what comes after it asks nobody', async () => {
    const [limit] = start(100) as [RateLimit];
    expect(await burst(limit, 1000)).toBe(100);
    expect(leases).toBe(1);
    expect(await burst(limit, 1000)).toBe(0);
    expect(leases).toBe(1);
    nowMs += 500;
    expect(await burst(limit, 1000)).toBe(50);
  });

  test.each([1, 2, 5])(
    '%i processes let pass together what is allowed, and hardly less',
    async (processes) => {
      const all = start(100, processes);
      const seconds = 10;
      const allowed = await flow(all, 1000, seconds);
      expect(allowed).toBeLessThanOrEqual(100 * (seconds + 2));
      expect(allowed).toBeGreaterThanOrEqual(100 * seconds);
      expect(leases).toBeLessThan(25 * processes * seconds);
    },
  );

  test.each([1, 2, 10])(
    'traffic below it is not refused, over %i processes, and seldom asks',
    async (processes) => {
      const all = start(100, processes);
      expect(await flow(all, 80, 20)).toBe(80 * 20);
      expect(leases).toBeLessThanOrEqual(5 * 20 * processes);
    },
  );

  test('what a process leased and did not use ends after a second', async () => {
    const [one, two] = start(100, 2) as [RateLimit, RateLimit];
    await flow([one], 80, 2);
    nowMs += 60_000;
    expect((await burst(one, 1000)) + (await burst(two, 1000))).toBe(100);
  });

  test('one request a second is one a second', async () => {
    const all = start(1, 3);
    const allowed = await flow(all, 20, 30);
    expect(allowed).toBeGreaterThanOrEqual(28);
    expect(allowed).toBeLessThanOrEqual(32);
  });
});

test('changed settings are found out within a second, in both directions', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [limit] = start(0) as [RateLimit];
  expect(await burst(limit, 1000)).toBe(1000);
  rate = 10;
  nowMs += 1000;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await burst(limit, 100)).toBe(10);
  rate = 0;
  nowMs += 1000;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await burst(limit, 1000)).toBe(1000);
});

test('a request that needs a lease is told when the database cannot be reached', async () => {
  const away: RateLeases = {
    lease: () => Promise.reject(new Error('away')),
    readRates: () => Promise.reject(new Error('away')),
  };
  limits = [new RateLimit(away, () => nowMs)];
  await expect(limits[0]?.tryTake(WORKSPACE, 5)).rejects.toThrow('away');
  await expect(limits[0]?.tryTake(WORKSPACE, 5)).rejects.toThrow('away');
});
