import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestFailures, type FailureState, NOTHING_REPORTED, weighFailures } from './weigh-failures.ts';

const MINUTE = 60_000;
const cooldownMs = 60 * MINUTE;
const at = (minute: number) => ({ nowMs: minute * MINUTE, cooldownMs });
const failed = (minute: number, count = 1) => ({ count, firstAtMs: minute * MINUTE });

test('the first failure is told at once', () => {
  const { tell, state } = weighFailures(NOTHING_REPORTED, failed(1), at(1));
  expect(tell).toEqual({ count: 1, sinceMs: MINUTE, isDigest: false });
  expect(state).toEqual({ ...NOTHING_REPORTED, reportedAtMs: MINUTE });
});

test('what follows within the cool-down is told together at its end', () => {
  const first = weighFailures(NOTHING_REPORTED, failed(1), at(1));
  const second = weighFailures(first.state, failed(5, 3), at(6));
  const third = weighFailures(second.state, failed(9, 2), at(10));
  expect([second.tell, third.tell]).toEqual([null, null]);
  expect(digestFailures(third.state, 60 * MINUTE).tell).toBeNull();
  const digest = digestFailures(third.state, 61 * MINUTE);
  expect(digest.tell).toEqual({ count: 5, sinceMs: 5 * MINUTE, isDigest: true });
  expect(digest.state).toEqual({ ...NOTHING_REPORTED, reportedAtMs: 61 * MINUTE });
});

test('after a digest the cool-down begins again; a failure after a quiet one is told at once', () => {
  const told: FailureState = { ...NOTHING_REPORTED, reportedAtMs: 61 * MINUTE };
  expect(weighFailures(told, failed(70), at(70)).tell).toBeNull();
  expect(weighFailures(told, failed(121), at(121)).tell).toMatchObject({ isDigest: false });
});

test('failures that wait for their digest keep waiting when more come late', () => {
  const late: FailureState = { reportedAtMs: 0, waitingCount: 2, waitingSinceMs: 0, digestAtMs: 60 * MINUTE };
  const { tell, state } = weighFailures(late, failed(90), at(90));
  expect(tell).toBeNull();
  expect(digestFailures(state, 90 * MINUTE).tell).toEqual({ count: 3, sinceMs: 0, isDigest: true });
});

test('whatever comes and whenever is looked, every failure is told once, and no two alerts are closer than the cool-down', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 5 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (given) => {
      let [state, minute, came, told] = [NOTHING_REPORTED, 0, 0, 0];
      const tellings: number[] = [];
      const take = ({ tell, state: next }: ReturnType<typeof digestFailures>) => {
        state = next;
        if (!tell) return;
        told += tell.count;
        tellings.push(minute);
      };
      for (const [pause, count] of given) {
        minute += pause;
        take(digestFailures(state, minute * MINUTE));
        if (count > 0) take(weighFailures(state, failed(minute, count), at(minute)));
        came += count;
      }
      minute += 60;
      take(digestFailures(state, minute * MINUTE));
      expect(told).toBe(came);
      for (const [index, telling] of tellings.slice(1).entries())
        expect(telling - (tellings[index] ?? 0)).toBeGreaterThanOrEqual(60);
    }),
  );
});
