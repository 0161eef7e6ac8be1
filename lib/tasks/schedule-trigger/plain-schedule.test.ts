import { expect, test } from 'vitest';
import { findCronProblem } from '#lib/core/time/cron.ts';
import { describeCron, readPlain, writeCron } from './plain-schedule.ts';

test.each([
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['0 * * * *', 'Every hour'],
  ['0 */6 * * *', 'Every 6 hours'],
  ['30 */2 * * *', 'Every 2 hours at minute 30'],
  ['0 9 * * *', 'Every day at 9:00'],
  ['5 0 * * *', 'Every day at 0:05'],
  ['0 9 * * 1-5', 'Weekdays at 9:00'],
  ['0 9 * * 1,3', 'Mon, Wed at 9:00'],
  ['30 16 * * 7', 'Sunday at 16:30'],
  ['0 9 1 * *', 'The 1st of each month at 9:00'],
  ['0 9 22 * *', 'The 22nd of each month at 9:00'],
  ['0 9 11 * *', 'The 11th of each month at 9:00'],
  ['0 9 L * *', 'Last day of each month at 9:00'],
])('%s is %s', (cron, words) => {
  expect(describeCron(cron)).toBe(words);
  const plain = readPlain(cron);
  expect(plain && writeCron(plain)).toBe(cron);
  expect(findCronProblem(cron)).toBeUndefined();
});

test.each([
  ['00 09 * * MON-FRI', '0 9 * * 1-5'],
  ['0 9 * * 0,6', '0 9 * * 6,7'],
  [' 0  9 * * sun ', '0 9 * * 7'],
])('%o means %s', (cron, same) => {
  const plain = readPlain(cron);
  expect(plain && writeCron(plain)).toBe(same);
});

test.each([
  '0 9 * 1 *',
  '0 9 1 * 1',
  '0 9,17 * * *',
  '*/7 * * * *',
  '0 */5 * * *',
  '0 9 * * 1#1',
  '0 9 32 * *',
  '60 9 * * *',
  'x',
])('%s has no plain words', (cron) => {
  expect(readPlain(cron)).toBeUndefined();
  expect(describeCron(cron)).toBe(cron);
});
