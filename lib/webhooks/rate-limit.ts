/** A token bucket a workspace: `rate` requests a second, bursts of one second. It counts the requests of this process. */
export class RateLimit {
  readonly #buckets = new Map<string, { left: number; at: number }>();

  /** @returns whether the request may pass; `rate` 0 means no limit. `nowMs` only grows. */
  tryTake(key: string, rate: number, nowMs: number): boolean {
    if (rate === 0) return true;
    const bucket = this.#buckets.get(key) ?? { left: rate, at: nowMs };
    bucket.left = Math.min(rate, bucket.left + ((nowMs - bucket.at) / 1000) * rate);
    bucket.at = nowMs;
    this.#buckets.set(key, bucket);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }
}
