import { describe, expect, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { askAndWait } from './definition.ts';

const SETTINGS = {
  app_connection_id: 'c1',
  phone_number_id: '300000000000001',
  recipient: '15550001234',
  question: 'How many?',
  answer_by: 'text',
};

test('a wait is limited by its own unit', () => {
  const check = (wait_amount: number, wait_unit: string) =>
    checkSettings(askAndWait, { ...SETTINGS, wait_amount, wait_unit }, 'publish').problems;
  expect(check(720, 'minutes')).toEqual([]);
  expect(check(366, 'days')).toEqual([]);
  expect(check(8785, 'hours')).toEqual([
    { path: 'settings.wait_amount', message: 'The maximum is 366 days.' },
  ]);
});

describe('a reminder that would come after the wait', () => {
  const check = (settings: Record<string, unknown>, mode: 'draft' | 'publish' = 'publish') =>
    checkSettings(askAndWait, { ...SETTINGS, ...settings }, mode).problems;
  const reminder = (amount: unknown, unit?: string) => ({ amount, unit, text: 'Still there?' });

  test('is never sent: it keeps a workflow from being published', () => {
    const wait = { wait_amount: 2, wait_unit: 'hours' };
    const message =
      'This reminder would come after the wait and never be sent: enter a shorter time, or a longer wait.';
    expect(
      check({ ...wait, reminders: [reminder(119, 'minutes'), reminder('2'), reminder(1, 'days')] }),
    ).toEqual([
      { path: 'settings.reminders[1].amount', message },
      { path: 'settings.reminders[2].amount', message },
    ]);
    expect(check({ reminders: [reminder(24)] })).toEqual([{ path: 'settings.reminders[0].amount', message }]);
  });

  test('is found beside other problems', () => {
    const paths = check({ question: '', reminders: [reminder(25)] }).map(({ path }) => path);
    expect(paths).toEqual(['settings.question', 'settings.reminders[0].amount']);
  });

  test('is accepted where a variable decides, in drafts, and by runs of versions that have one', () => {
    expect(check({ wait_amount: '{{task_1_hours}}', reminders: [reminder(30)] })).toEqual([]);
    expect(check({ reminders: [reminder('{{task_1_hours}}')] })).toEqual([]);
    expect(check({ reminders: [reminder(30)] }, 'draft')).toEqual([]);
    expect(askAndWait.settings.safeParse({ ...SETTINGS, reminders: [reminder(30)] }).success).toBe(true);
  });
});
