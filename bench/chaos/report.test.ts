import { expect, test } from 'vitest';
import type { Played } from './play.ts';
import { isProven, toTable } from './report.ts';

const played = (more: Partial<Played> = {}): Played => ({
  acknowledged: 2000,
  lost: 0,
  doubled: 0,
  stuck: 0,
  stuckRuns: [],
  flagged: 60,
  needless: 18,
  foreign: 0,
  contradicted: 0,
  contradictions: [],
  succeeded: 1900,
  failed: 0,
  messages: 982,
  written: 0,
  refused: 0,
  orphans: 0,
  recoveries: [],
  ...more,
});

test('few sends are flagged that the platform never saw', () => {
  expect(isProven(played())).toBe(true);
  expect(isProven(played({ needless: 21 }))).toBe(false);
  expect(toTable(played()).at(-1)).toContain('flagged 60 of 1000 sends, 18 of them needlessly');
});

test.each(['lost', 'doubled', 'stuck', 'foreign', 'contradicted', 'orphans'] as const)(
  'one %s is one too many',
  (name) => {
    expect(isProven(played({ [name]: 1 }))).toBe(false);
  },
);
