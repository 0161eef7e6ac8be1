import { expect, test } from 'vitest';
import { classifyError, ERROR_KINDS, explainToken } from './error-table.ts';
import { readError } from './platform-error.ts';

/** Errors about an account, a number or a customer: the connection works, and no parameter is invalid. */
const BEYOND_THE_CONNECTION = [
  [368, 403, 'restricted'],
  [130497, 403, 'restricted'],
  [131031, 403, 'restricted'],
  [131042, 400, 'payment'],
  [131050, 400, 'opted_out'],
  [130472, 400, 'experiment'],
  [133010, 400, 'not_registered'],
  [131062, 400, 'number_needed'],
  [131049, 400, 'marketing_limit'],
] as const;

test.each(BEYOND_THE_CONNECTION)(
  '%i with HTTP %i is %s, and says nothing of reconnecting or parameters',
  (code, status, kind) => {
    expect(classifyError(status, code)).toBe(kind);
    const { words, hint, retry } = ERROR_KINDS[kind];
    expect(`${words} ${hint}`).not.toMatch(/reconnect|parameter/i);
    expect(retry).toBe('never');
  },
);

test('why a token was refused stands before what to do', () => {
  const body = {
    error: {
      message:
        'Error validating access token: The session has been invalidated because the user changed their password.',
      type: 'OAuthException',
      code: 190,
      error_subcode: 460,
      fbtrace_id: 'A',
    },
  };
  const { kind, meaning } = readError({ status: 401, retryAfterSeconds: undefined }, body, ['token']);
  expect(kind).toBe('token');
  expect(meaning.hint).toMatch(/^The person who connected it changed their password.*\. Reconnect/);
  expect(explainToken(463)).toBe('The access token has expired.');
  expect([explainToken(undefined), explainToken(1)]).toEqual([undefined, undefined]);
});
