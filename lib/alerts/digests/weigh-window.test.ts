import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterDigest,
  DIRECT_ALERTS,
  NOTHING_SENT,
  RECIPIENT,
  WINDOW_MINUTES,
  type WindowState,
  weighNext,
} from './weigh-window.ts';

const MINUTE = 60_000;

function weighMany(state: WindowState, minute: number, count: number) {
  const direct: boolean[] = [];
  for (let n = 0; n < count; n += 1) {
    const weighed = weighNext(state, minute * MINUTE, RECIPIENT);
    direct.push(weighed.isDirect);
    ({ state } = weighed);
  }
  return { state, direct: direct.filter(Boolean).length, held: direct.filter((each) => !each).length };
}

test('of 500 alerts at once the first few go out one by one, the others wait for the end of the window', () => {
  const { state, direct, held } = weighMany(NOTHING_SENT, 3, 500);
  expect([direct, held]).toEqual([DIRECT_ALERTS, 500 - DIRECT_ALERTS]);
  expect(state.digestAtMs).toBe((3 + WINDOW_MINUTES) * MINUTE);
});

test('alerts that come now and then all go out one by one', () => {
  let state = NOTHING_SENT;
  for (let minute = 0; minute < 600; minute += 4) {
    const weighed = weighMany(state, minute, 1);
    expect(weighed.direct).toBe(1);
    ({ state } = weighed);
  }
});

test('what follows a digest comes together again, and one by one after a quiet window', () => {
  const state = afterDigest(13 * MINUTE, RECIPIENT);
  expect(weighMany(state, 14, 1)).toMatchObject({ direct: 0, held: 1 });
  expect(weighMany(state, 13 + WINDOW_MINUTES, 1)).toMatchObject({ direct: 1, held: 0 });
});

test('whatever comes, each alert is sent once, and a recipient gets few messages in any window', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 20 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (given) => {
      let [state, minute, waiting, told, came] = [NOTHING_SENT, 0, 0, 0, 0];
      const sentAt: number[] = [];
      const look = () => {
        if (state.digestAtMs === null || state.digestAtMs > minute * MINUTE) return;
        told += waiting;
        waiting = 0;
        sentAt.push(minute);
        state = afterDigest(minute * MINUTE, RECIPIENT);
      };
      for (const [pause, count] of given) {
        for (let passed = 0; passed < pause; passed += 1) {
          minute += 1;
          look();
        }
        const weighed = weighMany(state, minute, count);
        state = weighed.state;
        for (let n = 0; n < weighed.direct; n += 1) sentAt.push(minute);
        told += weighed.direct;
        waiting += weighed.held;
        came += count;
      }
      minute += WINDOW_MINUTES;
      look();
      expect(told).toBe(came);
      for (const start of sentAt)
        expect(sentAt.filter((at) => at >= start && at < start + WINDOW_MINUTES).length).toBeLessThanOrEqual(
          2 * DIRECT_ALERTS,
        );
    }),
  );
});
