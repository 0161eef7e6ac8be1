/** A token bucket on a clock that others move. `take` answers 0, or the seconds until a token is there. */
export class Buckets {
  #levels = new Map<string, { tokens: number; atMs: number }>();

  /** Takes one token of `key`; nothing is taken when none is left. */
  take(key: string, capacity: number, refillPerSecond: number, nowMs: number): number {
    const level = this.#levels.get(key) ?? { tokens: capacity, atMs: nowMs };
    const refilled = level.tokens + (Math.max(0, nowMs - level.atMs) / 1000) * refillPerSecond;
    const tokens = Math.min(capacity, refilled);
    const enough = tokens >= 1;
    this.#levels.set(key, { tokens: enough ? tokens - 1 : tokens, atMs: nowMs });
    return enough ? 0 : (1 - tokens) / refillPerSecond;
  }
}
