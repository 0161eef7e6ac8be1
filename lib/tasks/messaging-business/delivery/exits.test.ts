import { expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { newStatusKey, readStatusKey } from '#lib/messaging/sending/signal-keys.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { branchesOf, exitsOf } from '#lib/tasks/exits.ts';
import { messagingBusiness } from '../definition.ts';

const exits = (settings: Record<string, unknown>) =>
  branchesOf(messagingBusiness, settings).map(({ name, label }) => `${name} ${label}`);

const labels = (settings: Record<string, unknown>, more: Pick<WorkflowTask, 'on_failure'> = {}) =>
  exitsOf({ type: messagingBusiness.type, settings, ...more }).map(({ label }) => label);
const STOPPED = 'customer_stopped Customer stopped';
const ENDS = ['delivery_failed Delivery failed', 'not_in_time Not in time', STOPPED];

test('a send has the plain exit, or those of what it waits for, and one for customers who stopped where failures have one', () => {
  expect(exits({})).toEqual([STOPPED]);
  expect(exits({ action: 'send_text', wait_until: 'none' })).toEqual([STOPPED]);
  expect(labels({ action: 'send_text' })).toEqual(['']);
  const failing = { on_failure: 'branch' } as const;
  expect(labels({ action: 'send_text' }, failing)).toEqual(['Done', 'Customer stopped', 'Failed']);
  expect(labels({ wait_until: 'read' })).toEqual(['Read', 'Delivery failed', 'Not in time']);
  expect(labels({ wait_until: 'read' }, failing)).toContain('Customer stopped');
  expect(labels({ action: 'mark_as_read' })).toEqual(['']);
  expect(exits({ wait_until: 'delivered' })).toEqual(['delivered Delivered', ...ENDS]);
  expect(exits({ action: 'send_media', wait_until: 'read' })).toEqual(['read Read', ...ENDS]);
  expect(exits({ action: 'mark_as_read', wait_until: 'read' })).toEqual([]);
});

test('at most 366 days, in whatever unit; left out of other actions', () => {
  const problemsOf = (more: Record<string, unknown>) =>
    checkSettings(
      messagingBusiness,
      {
        action: 'send_text',
        app_connection_id: 'c',
        phone_number_id: 'p',
        recipient: '4915112345678',
        message_text: 'Hi',
        message_id: 'wamid.1',
        ...more,
      },
      'publish',
    ).problems.map(({ path, message }) => `${path}: ${message}`);
  const wait = (amount: unknown, unit = 'minutes') => ({
    wait_until: 'read',
    wait_amount: amount,
    wait_unit: unit,
  });
  expect(problemsOf({ wait_until: 'read' })).toEqual([]);
  expect(problemsOf(wait(366, 'days'))).toEqual([]);
  expect(problemsOf(wait(366 * 24 * 60))).toEqual([]);
  expect(problemsOf(wait(367, 'days'))).toEqual(['settings.wait_amount: The maximum is 366 days.']);
  expect(problemsOf(wait(0))).toEqual(['settings.wait_amount: 0 isn’t a number above 0.']);
  expect(problemsOf(wait('{{task_1_minutes}}'))).toEqual([]);
  expect(problemsOf({ ...wait(0), action: 'mark_as_read' })).toEqual([]);
  expect(problemsOf({ wait_amount: 0 })).toEqual([]);
});

test.each([
  ['delivered', ['delivered', 'read', 'played', 'failed'], ['accepted', 'sent']],
  ['read', ['read', 'played', 'failed'], ['accepted', 'sent', 'delivered']],
] as const)('a wait for %s is ended by %j', (awaited, ending, others) => {
  const key = newStatusKey(awaited);
  for (const status of ending) expect(readStatusKey(key, status)).toBe(key);
  for (const status of others) expect(readStatusKey(key, status)).toBeUndefined();
});

test.each(['', 'order 17', `${newId()}:2:`, 'status:delivered:17', `status:sent:${newId()}`])(
  'what came back with a status names no wait: %s',
  (callbackData) => {
    expect(readStatusKey(callbackData, 'failed')).toBeUndefined();
  },
);
