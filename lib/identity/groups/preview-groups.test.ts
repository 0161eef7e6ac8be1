import { expect, test } from 'vitest';
import type { KnownGroups } from './group-access.ts';
import { previewGroups } from './preview-groups.ts';

const access = { groupRoles: [{ group: 'builders', role: 'editor' as const }], defaultRole: null };
const member = (userId: string, role: KnownGroups['role'], groups: string[] | null): KnownGroups => ({
  userId,
  email: `${userId}@example.com`,
  role,
  groups,
  signedInAt: '2026-01-01T00:00:00.000Z',
});
const preview = (known: KnownGroups[], ownerCount = 2, breakGlassUserIds: string[] = []) =>
  previewGroups({ access, known, ownerCount, breakGlassUserIds }).map(({ role, staysBecause }) => [
    role,
    staysBecause,
  ]);

test('members are raised, lowered and removed by their groups', () => {
  expect(
    preview([
      member('a', 'viewer', ['builders']),
      member('b', 'owner', ['builders']),
      member('c', 'editor', []),
      member('d', 'editor', null),
    ]),
  ).toEqual([
    ['editor', null],
    ['editor', null],
    [null, null],
    [null, null],
  ]);
});

test('the last owner and break-glass owners stay owners', () => {
  expect(preview([member('a', 'owner', [])], 1)).toEqual([['owner', 'last_owner']]);
  expect(preview([member('a', 'owner', ['builders'])], 2, ['a'])).toEqual([['owner', 'break_glass']]);
  expect(preview([member('a', 'viewer', ['builders'])], 2, ['a'])).toEqual([['editor', null]]);
});
