import { expect, test } from 'vitest';
import {
  encodeBasic,
  findCredential,
  kindOfCredential,
  toCredential,
  withCredential,
} from './authentication.ts';

const json = { name: 'Accept', value: 'application/json' };

test.each([
  [{ kind: 'bearer', token: ' abc ' } as const, { name: 'Authorization', value: 'Bearer abc' }],
  [{ kind: 'basic', user: 'me', password: 'ü' } as const, { name: 'Authorization', value: 'Basic bWU6w7w=' }],
  [{ kind: 'api_key', name: 'X-API-Key', key: 'k' } as const, { name: 'X-API-Key', value: 'k' }],
])('%j is stored as a header, and known again', (entered, header) => {
  const credential = toCredential(entered) ?? expect.unreachable();
  expect(credential).toEqual(header);
  const headers = withCredential([json], credential);
  expect(findCredential(headers)).toEqual(header);
  expect(kindOfCredential(credential)).toBe(entered.kind);
  expect(withCredential(headers, undefined)).toEqual([json]);
});

test.each([
  ['me', '{{secret.password}}'],
  ['{{task_1_user}}', 'pass:word'],
])('variables in user name and password (%s, %s) are filled in before they are encoded', (user, password) => {
  const credential = toCredential({ kind: 'basic', user, password }) ?? expect.unreachable();
  expect(credential.value).toBe(`Basic ${user}:${password}`);
  expect(kindOfCredential(credential)).toBe('basic');
  expect(encodeBasic('Basic me:ü:1')).toBe(`Basic ${Buffer.from('me:ü:1').toString('base64')}`);
});

test.each(['Basic bWU6w7w=', 'Bearer a:b', 'Basic', ''])('%j is sent as it is', (value) => {
  expect(encodeBasic(value)).toBe(value);
});

test('new credentials take the place of old ones, and no other header is touched', () => {
  const old = [json, { name: 'authorization', value: 'Bearer ••••••' }];
  expect(withCredential(old, toCredential({ kind: 'api_key', name: 'X-Key', key: 'k' }))).toEqual([
    { name: 'X-Key', value: 'k' },
    json,
  ]);
  expect(findCredential([json, { name: 'Idempotency-Key', value: '1' }])).toBeUndefined();
});
