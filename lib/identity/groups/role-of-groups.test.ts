import { expect, test } from 'vitest';
import { type GroupAccess, roleOfGroups } from './role-of-groups.ts';

const access: GroupAccess = {
  groupRoles: [
    { group: 'staff', role: 'viewer' },
    { group: 'builders', role: 'editor' },
    { group: 'admins', role: 'owner' },
  ],
  defaultRole: null,
};

test('of several groups the one with the most rights counts', () => {
  expect(roleOfGroups(access, ['staff', 'admins', 'builders'])).toEqual({ role: 'owner', group: 'admins' });
  expect(roleOfGroups(access, ['builders', 'staff'])).toEqual({ role: 'editor', group: 'builders' });
});

test('who is in none of the groups has no access, or the role for everybody else', () => {
  expect(roleOfGroups(access, ['Staff', 'guests'])).toEqual({ role: null, group: null });
  expect(roleOfGroups({ ...access, defaultRole: 'viewer' }, [])).toEqual({ role: 'viewer', group: null });
});

test('the role for everybody else raises nobody above what a group gives', () => {
  expect(roleOfGroups({ ...access, defaultRole: 'owner' }, ['staff'])).toEqual({
    role: 'viewer',
    group: 'staff',
  });
});
