// Whether a request is within its workspace's rate (docs/webhooks.md). A request of a workspace without a limit asks
// nobody; those of limited ones spend a lease, and ask the database only when it is spent.
import type { Lease, RateLeases } from './rate-leases.ts';

/** A lease is for as many requests as arrived in a window before it. */
const WINDOW_MS = 250;
/** What was not spent by then is lost, so that processes that fell silent do not add to the rate later. */
const LEASE_ENDS_MS = 1000;
/** How soon an empty bucket is asked again, at the earliest: a flood that is refused costs no more than this. */
const ASK_AGAIN_MS = 50;
const READ_RATES_MS = 1000;
/** Longer than tokens are remembered: whoever comes after it was looked up just now, together with the rate. */
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
  /** Requests in the window that began at `windowAt`, and in the one before it. */
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

  /** @param now milliseconds that only grow */
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
   * @param ratePerSecond of the workspace as its token was looked up; 0: no limit. Later changes are found out here.
   * @returns whether the request may pass. Rejects when a lease is needed and the database cannot be reached.
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
    // At the end of this turn: requests that arrived together ask together.
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

  /** Finds out about changed settings, also of workspaces that had no limit. */
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
      // The rates stay as they were; while the database is away no request is accepted anyway.
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
