import { expect, test } from 'vitest';
import { AppError } from '#lib/core/errors.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import { explainRegistration } from './register-phone-number.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const refusal = (code: number, retryAfterSeconds?: number) =>
  new AppError('upstream_failed', 'The number could not be registered: …', {
    cause: new PlatformError('refused', { code, httpStatus: 400, retryAfterSeconds }),
  });
const explain = (...of: Parameters<typeof refusal>) => explainRegistration(refusal(...of), NOW);

test('a wrong PIN is a problem of its field', () => {
  expect(explain(133005)).toMatchObject({
    code: 'invalid_request',
    problems: [{ path: 'pin', message: expect.stringContaining('two-step verification') as string }],
  });
});

test.each([
  [133016, 'ten in 72 hours', '2026-11-26T10:00:00.000Z'],
  [133008, 'wrong PINs', '2026-11-26T10:00:00.000Z'],
  [133009, 'too fast', '2026-11-23T10:05:00.000Z'],
  [133015, 'cannot be registered yet', '2026-11-23T10:05:00.000Z'],
])('%i says when it can be tried again', (code, words, until) => {
  const error = explain(code);
  expect(error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining(words) as string });
  expect(String(error)).toContain(`Try again after ${until}.`);
});

test('the time that the platform names wins', () => {
  expect(explain(133016, 60)).toMatchObject({
    retryAfterSeconds: 60,
    message: expect.stringContaining('2026-11-23T10:01:00.000Z') as string,
  });
});

test('a number that is not verified says what to do first', () => {
  expect(explain(133006)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Verify it at the platform') as string,
  });
});

test('any other error stays as it is', () => {
  const others = [refusal(1), new AppError('not_found', 'This connection does not exist.'), new Error('bug')];
  for (const error of others) expect(explainRegistration(error, NOW)).toBe(error);
});
