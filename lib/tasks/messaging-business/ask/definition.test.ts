import { expect, test } from 'vitest';
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
