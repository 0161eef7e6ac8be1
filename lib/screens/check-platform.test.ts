import { expect, test } from 'vitest';
import { checkPlatform } from './check-platform.ts';

const now = new Date('2026-11-23T12:00:00Z');
const check = (MESSAGING_GRAPH_VERSION: string, MESSAGING_GRAPH_URL?: string, SANDBOX_PUBLIC_URL?: string) =>
  checkPlatform({ MESSAGING_GRAPH_URL, MESSAGING_GRAPH_VERSION, SANDBOX_PUBLIC_URL }, now);
const REAL = 'https://graph.facebook.com';

test('a version that expired, or does so within 90 days, is a warning with what to do', () => {
  expect(check('v18.0', REAL)).toEqual({
    result: 'warning',
    what: 'Version v18.0 of its API expired on January 26, 2026. The platform uses its oldest available version instead.',
    fix: 'Set MESSAGING_GRAPH_VERSION to a newer version, such as v26.0, and restart Patchbay.',
    at: null,
  });
  expect(check('v21.0', REAL)).toMatchObject({
    result: 'warning',
    what: 'Version v21.0 of its API expires on January 21, 2027.',
  });
});

test.each([
  ['v24.0', REAL, undefined, 'Version v24.0 of its API is available until February 18, 2028.'],
  ['v26.0', REAL, undefined, 'Version v26.0 of its API is the newest.'],
  ['v18.0', undefined, undefined, 'No messaging platform is configured.'],
  ['v18.0', 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/', 'The sandbox stands in for it.'],
])('all is well: %s at %s', (version, url, sandbox, what) => {
  expect(check(version, url, sandbox)).toEqual({ result: 'ok', what, fix: null, at: null });
});
