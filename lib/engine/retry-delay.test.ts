import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './transitions.ts';

describe('backoff (docs/engine.md)', () => {
  it('honours Retry-After to the second, up to a day', () => {
    expect(retryDelayMs({ kind: 'after', seconds: 7 }, 3, 0.9)).toBe(7000);
    expect(retryDelayMs({ kind: 'after', seconds: 1e9 }, 1, 0)).toBe(86_400_000);
  });

  it('doubles its ceiling with each attempt, up to a quarter of an hour, with full jitter below it', () => {
    const ceilings = [1, 2, 3, 4, 20].map((attempt) => retryDelayMs({ kind: 'backoff' }, attempt, 0.999_999));
    expect(ceilings).toEqual([999, 1999, 3999, 7999, 899_999]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const wait = retryDelayMs({ kind: 'backoff' }, attempt, random);
          expect(wait).toBeGreaterThanOrEqual(100);
          expect(wait).toBeLessThanOrEqual(900_000);
        },
      ),
    );
  });
});
