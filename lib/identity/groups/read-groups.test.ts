import { expect, test } from 'vitest';
import { readGroups } from './role-of-groups.ts';

test.each([
  ['a list', { groups: ['a', 'b', 'a'] }, 'groups', ['a', 'b']],
  ['one name', { groups: 'a, b' }, 'groups', ['a, b']],
  [
    'an object whose keys are names',
    { roles: { admin: { org: '1' }, guest: {} } },
    'roles',
    ['admin', 'guest'],
  ],
  ['nested', { realm_access: { roles: ['x'] } }, 'realm_access.roles', ['x']],
  [
    'nested below a name with dots',
    { resource: { 'app.example': { roles: ['x'] } } },
    'resource.app.example.roles',
    ['x'],
  ],
  ['a name that is a URL', { 'https://corp.example/groups': ['x'] }, 'https://corp.example/groups', ['x']],
  ['an empty list', { groups: [] }, 'groups', []],
  ['what is no text', { groups: [1, null, { a: 1 }, '', 'a\0', 'x'.repeat(501), 'b'] }, 'groups', ['b']],
  ['no claim', { email: 'a@b.example' }, 'groups', null],
  ['null', { groups: null }, 'groups', null],
  ['a path through text', { realm_access: 'x' }, 'realm_access.roles', null],
  ['names of JavaScript', {}, 'constructor.name', null],
])('groups from %s', (_, claims, path, groups) => {
  expect(readGroups(claims, path)).toEqual({ groups, isIncomplete: false });
});

test('groups that are too many for the token are recognized by the reference to them', () => {
  expect(readGroups({ _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }, 'groups')).toEqual({
    groups: null,
    isIncomplete: true,
  });
});
