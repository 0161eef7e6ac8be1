import { expect, test } from 'vitest';
import {
  type Current,
  describePreview,
  describeRules,
  findChanges,
  idsOfOwners,
  type Preview,
  readRules,
  toRules,
} from './sign-in-rules.ts';

const owner = (email: string, more: object = {}) => ({
  user_id: `id-of-${email}`,
  email,
  has_password: true,
  has_identity: false,
  is_break_glass: false,
  ...more,
});

const CURRENT: Current = {
  policy: {
    provider: {
      name: 'Company ID',
      issuer: 'https://id.example',
      scopes: 'openid',
      groups_claim: 'groups',
      session_hours: 24,
    },
    requires_identity: true,
    trusts_emails: false,
    access_contact: 'The service desk',
    owners: [
      owner('anna@example.com', { is_break_glass: true }),
      owner('ben@example.com'),
      owner('carl@example.com', { is_break_glass: true, has_password: false }),
    ],
  },
  groups: { group_roles: [{ group: 'builders', role: 'editor' }], default_role: null },
  twoFactorRequired: false,
};

test('break-glass owners stand in the file by email address, those who have no password left out', () => {
  expect(toRules(CURRENT)).toMatchObject({ break_glass_owners: ['anna@example.com'] });
  expect(idsOfOwners(CURRENT.policy, ['ben@example.com'])).toEqual(['id-of-ben@example.com']);
  expect(() => idsOfOwners(CURRENT.policy, ['dora@example.com'])).toThrow(/dora@example.com is not an owner/);
});

test('what is printed changes nothing when it is applied again, in whatever order lists are', () => {
  const rules = toRules(CURRENT);
  const again = { ...rules, ...readRules(JSON.stringify(rules), 'a.json') };
  expect(findChanges(rules, again)).toEqual([]);
  const [one, other] = [
    { group: 'a', role: 'viewer' as const },
    { group: 'b', role: 'owner' as const },
  ];
  expect(
    findChanges(
      { ...rules, groups: { group_roles: [one, other], default_role: null } },
      { ...rules, groups: { group_roles: [other, one], default_role: null } },
    ),
  ).toEqual([]);
});

test('what the file leaves out stays', () => {
  const rules = toRules(CURRENT);
  const given = readRules('{"groups": null, "trusts_emails": true}', 'a.json');
  expect(findChanges(rules, { ...rules, ...given })).toEqual(['trusts_emails', 'groups']);
});

test.each([
  ['{"groups"', /a.json is not JSON/],
  ['{"group": null}', /Unrecognized key: "group"/],
  ['{"requires_identity": "yes"}', /at requires_identity/],
])('%s is refused with the place', (text, why) => {
  expect(() => readRules(text, 'a.json')).toThrow(why);
});

test('a preview lists those whose role changes', () => {
  const member = (email: string, next_role: Preview['next_role'], group: string | null): Preview => ({
    user_id: email,
    email,
    role: 'editor',
    next_role,
    group,
    stays_because: null,
    groups: [],
    signed_in_at: null,
  });
  expect(
    describePreview([
      member('anna@example.com', null, null),
      member('ben@example.com', 'owner', 'admins'),
      member('carl@example.com', 'editor', 'builders'),
    ]),
  ).toEqual(['anna@example.com: editor → no access', 'ben@example.com: editor → owner (group admins)']);
});

test('rules in words', () => {
  expect(describeRules(toRules(CURRENT), CURRENT.policy)).toEqual([
    'identity provider: Company ID (https://id.example)',
    'required: yes',
    'its email addresses are trusted: no',
    'break-glass owners: anna@example.com',
    'contact for access: The service desk',
    'two-factor sign-in required: no',
    'group builders: editor',
    'everybody else: no access',
  ]);
});
