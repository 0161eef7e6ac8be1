// Whether a request is within its workspace's rate (docs/webhooks.md). Workspaces without a limit cost nothing; the others
// spend a lease, and query the database only when it is used up.
import type { Lease, RateLeases } from './rate-leases.ts';

/** A lease is for as many requests as arrived in the previous window. */
const WINDOW_MS = 250;
/** Unspent requests expire, so that idle processes do not add to the rate later. */
const LEASE_ENDS_MS = 1000;
/** Minimum time between queries of an empty bucket, which bounds the cost of a refused flood. */
const ASK_AGAIN_MS = 50;
const READ_RATES_MS = 1000;
/** Longer than tokens are cached: a later request reads the token again, together with the rate. */
const FORGET_MS = 60_000;

interface Waiting {
  resolve: (isAllowed: boolean) => void;
  reject: (error: unknown) => void;
}

interface Limit {
  ratePerSecond: number;
  usedAt: number;
  leased: number;
  leaseEndsAt: number;
  emptyUntil: number;
  isAsking: boolean;
  waiting: Waiting[];
  /** Requests in the window that began at `windowAt`, and in the previous one. */
  arrived: number;
  arrivedBefore: number;
  windowAt: number;
}

export class RateLimit {
  readonly #leases: RateLeases;
  readonly #now: () => number;
  readonly #limits = new Map<string, Limit>();
  readonly #timer: NodeJS.Timeout;
  #isReading = false;

  /** @param now monotonic milliseconds */
  constructor(leases: RateLeases, now: () => number = () => performance.now()) {
    this.#leases = leases;
    this.#now = now;
    this.#timer = setInterval(() => void this.#readRates(), READ_RATES_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * @param ratePerSecond of the workspace when its token was read; 0: no limit. Later changes are read here.
   * @returns whether the request may pass. Rejects when a lease is needed and the database is unavailable
   */
  tryTake(workspaceId: string, ratePerSecond: number): boolean | Promise<boolean> {
    const now = this.#now();
    let limit = this.#limits.get(workspaceId);
    if (!limit) this.#limits.set(workspaceId, (limit = newLimit(ratePerSecond, now)));
    limit.usedAt = now;
    if (limit.ratePerSecond === 0) return true;
    countArrival(limit, now);
    if (limit.leased > 0 && now < limit.leaseEndsAt) {
      limit.leased -= 1;
      return true;
    }
    if (now < limit.emptyUntil) return false;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    limit.waiting.push({ resolve, reject });
    if (!limit.isAsking) void this.#ask(workspaceId, limit);
    return promise;
  }

  async #ask(workspaceId: string, limit: Limit): Promise<void> {
    limit.isAsking = true;
    // At the end of this turn of the event loop: requests that arrived together share a lease.
    await new Promise((resolve) => setImmediate(resolve));
    while (limit.waiting.length > 0) {
      const wanted = Math.max(limit.waiting.length, limit.arrived, limit.arrivedBefore);
      try {
        this.#spend(limit, await this.#leases.lease({ workspaceId, wanted }), wanted);
      } catch (error) {
        for (const { reject } of limit.waiting.splice(0)) reject(error);
      }
    }
    limit.isAsking = false;
  }

  #spend(limit: Limit, { ratePerSecond, granted, available }: Lease, wanted: number): void {
    const now = this.#now();
    limit.ratePerSecond = ratePerSecond;
    const allowed = ratePerSecond === 0 ? limit.waiting.length : Math.min(granted, limit.waiting.length);
    for (const { resolve } of limit.waiting.splice(0, allowed)) resolve(true);
    limit.leased = granted - Math.min(granted, allowed);
    limit.leaseEndsAt = now + LEASE_ENDS_MS;
    if (ratePerSecond === 0 || granted >= wanted) return;
    limit.emptyUntil = now + Math.max(ASK_AGAIN_MS, ((1 - available) / ratePerSecond) * 1000);
    for (const { resolve } of limit.waiting.splice(0)) resolve(false);
  }

  /** Reads changed limits, also of workspaces that had none. */
  async #readRates(): Promise<void> {
    if (this.#isReading) return;
    const forgetBefore = this.#now() - FORGET_MS;
    for (const [id, { usedAt, isAsking }] of this.#limits)
      if (usedAt < forgetBefore && !isAsking) this.#limits.delete(id);
    if (this.#limits.size === 0) return;
    this.#isReading = true;
    try {
      const rates = await this.#leases.readRates([...this.#limits.keys()]);
      for (const [id, rate] of rates) {
        const limit = this.#limits.get(id);
        if (limit) limit.ratePerSecond = rate;
      }
    } catch {
      // The rates stay unchanged; while the database is unavailable no request is accepted anyway.
    } finally {
      this.#isReading = false;
    }
  }
}

const newLimit = (ratePerSecond: number, now: number): Limit => ({
  ratePerSecond,
  usedAt: now,
  leased: 0,
  leaseEndsAt: 0,
  emptyUntil: 0,
  isAsking: false,
  waiting: [],
  arrived: 0,
  arrivedBefore: 0,
  windowAt: now,
});

function countArrival(limit: Limit, now: number): void {
  const age = now - limit.windowAt;
  if (age >= WINDOW_MS) {
    limit.arrivedBefore = age < 2 * WINDOW_MS ? limit.arrived : 0;
    limit.arrived = 0;
    limit.windowAt = now;
  }
  limit.arrived += 1;
}
