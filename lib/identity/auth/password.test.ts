import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

test('a password is verified by its own hash only, and two hashes of one password differ (salt per user)', async () => {
  const [first, second] = await Promise.all([
    hashPassword('correct horse battery'),
    hashPassword('correct horse battery'),
  ]);
  expect(first).not.toBe(second);
  expect(first).toMatch(/^scrypt\$15\$8\$3\$/);
  expect(await verifyPassword('correct horse battery', first)).toBe(true);
  expect(await verifyPassword('correct horse batterY', first)).toBe(false);
});

test('without an account every password is wrong, after as much work', async () => {
  expect(await verifyPassword('correct horse battery', null)).toBe(false);
});

test('the same letters typed in another Unicode form are the same password', async () => {
  const hash = await hashPassword('cafe\u0301 cafe\u0301 cafe\u0301');
  expect(await verifyPassword('caf\u00e9 caf\u00e9 caf\u00e9', hash)).toBe(true);
});

test('hashes made with other parameters still work', async () => {
  const { scryptSync } = await import('node:crypto');
  const salt = Buffer.from('a salt of 16 byt');
  const key = scryptSync('an older password', salt, 32, { N: 1024, r: 8, p: 1 });
  const stored = ['scrypt', 10, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
  expect(await verifyPassword('an older password', stored)).toBe(true);
});
