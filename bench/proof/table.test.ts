import { expect, test } from 'vitest';
import { PARTS, type Part } from './parts.ts';
import { hasPassed, isComplete, summaryOf, toProofTable } from './table.ts';

const chaos: Part = {
  name: 'chaos',
  shows: 'everything goes wrong',
  command: ['bench/chaos.ts'],
  minutes: 5,
};
const planted: Part = { ...chaos, name: 'planted', mustFind: /doubled [1-9]/ };

test('a part has passed when its command ends well', () => {
  expect(hasPassed(chaos, 0, 'doubled 0')).toBe(true);
  expect(hasPassed(chaos, 1, '')).toBe(false);
  expect(hasPassed(chaos, null, '')).toBe(false);
});

test('a part that skips tests shows nothing', () => {
  const skipped =
    '\u001b[2m      Tests \u001b[22m \u001b[32m4 passed\u001b[39m | \u001b[33m1 skipped\u001b[39m (5)\n';
  expect(hasPassed(chaos, 0, skipped)).toBe(false);
  expect(hasPassed(chaos, 0, 'Tests 5 passed (5)')).toBe(true);
  expect(hasPassed(chaos, 0, 'needlessly skipped 1')).toBe(true);
});

test('with a planted defect a part has passed when its command fails for that reason', () => {
  expect(hasPassed(planted, 1, 'lost 0, doubled 3')).toBe(true);
  expect(hasPassed(planted, 1, 'Patchbay is not ready')).toBe(false);
  expect(hasPassed(planted, null, 'doubled 3')).toBe(false);
  expect(hasPassed(planted, 0, 'doubled 0')).toBe(false);
});

test.each([
  ['play 1\nlost 0, doubled 0\n', 'lost 0, doubled 0'],
  [
    '\u001b[2m      Tests \u001b[22m \u001b[32m12 passed\u001b[39m (12)\n   Duration  10.23s\n',
    'Tests 12 passed (12)',
  ],
  ['', ''],
])('the table says what a part printed last, and of tests how many passed', (printed, summary) => {
  expect(summaryOf(printed)).toBe(summary);
});

test('the table has every part, and the proof is complete when all have passed', () => {
  const passed = { passed: true, seconds: 61, said: 'lost 0' };
  expect(toProofTable([chaos, planted], { chaos: passed })).toEqual([
    'chaos    passed        1 min 1 s  everything goes wrong: lost 0',
    'planted  not played               everything goes wrong',
    '1 of 2 parts passed, in 1 minutes',
  ]);
  expect(isComplete([chaos, planted], { chaos: passed })).toBe(false);
  expect(isComplete([chaos], { chaos: passed })).toBe(true);
});

test('all parts together take three hours and twenty minutes at most', () => {
  expect(PARTS.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(200);
});
