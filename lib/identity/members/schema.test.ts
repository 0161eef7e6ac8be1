import { expect, test } from 'vitest';
import { hasRole, ROLES } from '#lib/identity/roles/roles.ts';
import { emailSchema, newAccountSchema } from './schema.ts';

test('each role may do what it and the lesser ones may', () => {
  const table = ROLES.map((role) => ROLES.map((minimum) => hasRole(role, minimum)));
  expect(table).toEqual([
    [true, true, true],
    [false, true, true],
    [false, false, true],
  ]);
});

test('email addresses are the same in any case, without spaces around', () => {
  expect(emailSchema.parse('  Owner@Example.COM ')).toBe('owner@example.com');
  expect(emailSchema.safeParse('owner').success).toBe(false);
});

test('a password of eleven characters is refused, one of twelve taken', () => {
  const account = (password: string) =>
    newAccountSchema.safeParse({ email: 'a@example.com', password }).success;
  expect([account('x'.repeat(11)), account('x'.repeat(12))]).toEqual([false, true]);
});
