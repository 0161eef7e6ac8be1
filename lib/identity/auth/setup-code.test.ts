import { expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { assertSetupCode, needsSetupCode, setupCodeOf } from './create-account.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const settings = (given: Record<string, string>) =>
  parseSettings({ DATABASE_URL: 'postgres://localhost/test', ...given });

test.each([
  [{}, 'localhost:3000'],
  [{}, '127.0.0.1:3000'],
  [{}, '[::1]:3000'],
  [{ HOST: '127.0.0.1', BASE_URL: 'http://127.0.0.1:4000' }, '127.0.0.1:4000'],
])('on this machine alone (%j, asked as %s) no code is needed', (given, host) => {
  expect(needsSetupCode(settings(given), host)).toBe(false);
});

test.each([
  [{ HOST: '0.0.0.0' }, 'localhost:3000'],
  [{ HOST: '192.0.2.1' }, 'localhost:3000'],
  [{ BASE_URL: 'https://patchbay.example' }, 'localhost:3000'],
  [{ TRUST_PROXY: 'on' }, 'localhost:3000'],
  [{}, 'rebound.example:3000'],
  [{}, 'localhost.evil.example'],
  [{}, null],
])('where others can reach it (%j, asked as %s) it is needed', (given, host) => {
  expect(needsSetupCode(settings(given), host)).toBe(true);
});

test('only the code of the installation is right, however it is typed', () => {
  const code = setupCodeOf(SECRET);
  expect(code).toMatch(/^([0-9a-f]{4}-){4}[0-9a-f]{4}$/);
  expect(setupCodeOf(`${SECRET}.`)).not.toBe(code);
  assertSetupCode(SECRET, code);
  assertSetupCode(SECRET, ` ${code.replaceAll('-', '').toUpperCase()}`);
  for (const wrong of ['', '-', setupCodeOf(`${SECRET}.`), `${code}0`])
    expect(() => assertSetupCode(SECRET, wrong)).toThrow(/setup code/);
});
