import { expect, test } from 'vitest';
import { recoverySyncMethod } from './embedded-postgres.ts';

test.each([
  ['linux', '6.18.44-fc-v669', 'syncfs'],
  ['linux', '5.8.0', 'syncfs'],
  ['linux', '5.4.0-generic', 'fsync'],
  ['darwin', '25.1.0', 'fsync'],
])('after a crash files are synchronized on %s %s by %s', (system, version, method) => {
  expect(recoverySyncMethod(system, version)).toBe(method);
});
