import { expect, test } from 'vitest';
import type { Failovers } from './play-failovers.ts';
import type { Kills } from './play-kills.ts';
import { findViolations } from './report.ts';

const VERDICT = {
  acknowledged: 100,
  lost: 0,
  doubled: 0,
  stuck: 0,
  stuckRuns: [],
  contradictions: [],
  flagged: 1,
  needless: 0,
  foreign: 0,
  contradicted: 0,
  succeeded: 99,
  failed: 1,
  messages: 12,
  written: 0,
  ended: 0,
};
const failover = (more: Partial<Failovers['failovers'][number]> = {}): Failovers => ({
  ...VERDICT,
  failovers: [
    {
      fault: 'primary killed',
      refused: 9,
      acceptedAgainMs: 20_000,
      promotedMs: 18_000,
      refusedWhenBack: 0,
      ...more,
    },
  ],
});
const kills = (more: Partial<Kills> = {}): Kills => ({
  ...VERDICT,
  requests: 110,
  killed: { 'web-1': 3 },
  restarted: 4,
  failedOnce: 10,
  failedTwice: 0,
  ...more,
});

test('what was refused in between and cured by a retry is no violation', () => {
  expect(findViolations(failover())).toEqual([]);
  expect(findViolations(kills())).toEqual([]);
});

test.each(['lost', 'doubled', 'stuck', 'foreign', 'contradicted', 'ended'] as const)(
  '%s is a violation',
  (name) => {
    expect(findViolations({ ...kills(), [name]: 2 })).toEqual([`2 ${name}`]);
  },
);

test('so are a retry that failed and an outage of more than 30 seconds', () => {
  expect(findViolations(kills({ failedTwice: 1 }))).toEqual(['1 requests failed twice']);
  expect(findViolations(failover({ acceptedAgainMs: Infinity }))).toHaveLength(1);
  expect(findViolations(failover({ acceptedAgainMs: 30_001 }))).toHaveLength(1);
});

test('a play that failed everything proves nothing', () => {
  expect(findViolations(kills({ succeeded: 10 }))).toHaveLength(1);
  expect(findViolations(kills({ acknowledged: 0, succeeded: 0 }))).toHaveLength(1);
});
