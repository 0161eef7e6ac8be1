import { expect, test } from 'vitest';
import { maskHeaders } from './event-row.ts';

test.each([
  'authorization',
  'Proxy-Authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-hub-signature-256',
  'x-auth',
  'x-gitlab-token',
  'password',
])('docs/webhooks.md: the value of %s is masked, but for the end of a long one', (name) => {
  expect(maskHeaders({ [name]: 'Bearer abcdefghijklmnop1234' })).toEqual({ [name]: '••••1234' });
  expect(maskHeaders({ [name]: 'hunter2' })).toEqual({ [name]: '••••' });
});

test.each(['content-type', 'user-agent', 'host', 'x-event', 'x-author'])(
  'the value of %s is shown',
  (name) => {
    expect(maskHeaders({ [name]: 'Bearer abcdefghijklmnop1234' })).toEqual({
      [name]: 'Bearer abcdefghijklmnop1234',
    });
  },
);
