import { expect, test } from 'vitest';
import { findMissingScopes } from './missing-scopes.ts';

const asking = (...scopes: string[]) => ({ workspaceId: '', platform: { scopes } });
const SPEC = ['chat_business_management', 'chat_business_messaging'];

test('spec, Authentication 2: a scope that was asked for and not granted is missing', () => {
  expect(findMissingScopes(['chat_business_management'], asking(...SPEC))).toEqual([
    'chat_business_messaging',
  ]);
  expect(findMissingScopes([], asking('openid', ...SPEC))).toEqual(SPEC);
});

test('a scope counts whatever the platform is called in its name', () => {
  const live = ['whatsapp_business_manage_events', 'whatsapp_business_messaging'];
  expect(findMissingScopes(live, asking(...SPEC))).toEqual([]);
  expect(findMissingScopes(['business_management'], asking(...SPEC))).toEqual(SPEC);
});

test('of an account that answers only the right to send is judged by names', () => {
  const granted = ['whatsapp_business_accounts', 'chat_business_messaging'];
  expect(findMissingScopes(granted, asking(...SPEC))).toEqual(['chat_business_management']);
  expect(findMissingScopes(granted, asking(...SPEC), true)).toEqual([]);
  expect(findMissingScopes([], asking(...SPEC), true)).toEqual(['chat_business_messaging']);
});
