import { expect, test } from 'vitest';
import { explainLoginProblem } from './login/login.ts';

test('only known codes have words', () => {
  expect(explainLoginProblem('cancelled')).toMatch(/cancelled/);
  for (const text of [
    'Your account is locked: call 555-0100.',
    'toString',
    '__proto__',
    '',
    ['cancelled'],
    undefined,
  ])
    expect(explainLoginProblem(text)).toBeUndefined();
});
