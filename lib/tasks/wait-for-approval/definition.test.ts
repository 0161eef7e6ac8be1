import { expect, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { waitForApproval } from './definition.ts';

const check = (linkId: string, mode: 'draft' | 'publish' = 'publish') =>
  checkSettings(waitForApproval, { link_id: linkId }, mode).problems;

test('a link ID that is typed keeps a workflow from being published, as each run has its own', () => {
  const path = 'settings.link_id';
  expect(check('task_2_link_id')).toEqual([
    {
      path,
      message:
        'Insert the link ID of a task “Approval link” before this one as a variable: each run has its own.',
    },
  ]);
  expect(check('')).toEqual([{ path, message: 'Enter the link ID of an approval link.' }]);
  expect(check('{{task_2_link_id}}')).toEqual([]);
  expect(check('task_2_link_id', 'draft')).toEqual([]);
});
