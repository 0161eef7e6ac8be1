import { expect, test } from 'vitest';
import { findCredential, kindOfCredential, toCredential, withCredential } from './authentication.ts';

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

test('new credentials take the place of old ones, and no other header is touched', () => {
  const old = [json, { name: 'authorization', value: 'Bearer ••••••' }];
  expect(withCredential(old, toCredential({ kind: 'api_key', name: 'X-Key', key: 'k' }))).toEqual([
    { name: 'X-Key', value: 'k' },
    json,
  ]);
  expect(findCredential([json, { name: 'Idempotency-Key', value: '1' }])).toBeUndefined();
});
