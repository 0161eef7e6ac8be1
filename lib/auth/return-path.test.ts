import { expect, test } from 'vitest';
import { readReturnPath } from './return-path.ts';

test.each(['/workflows/1?tab=a', '/invitations/abc'])('goes back to %s', (path) => {
  expect(readReturnPath(path)).toBe(path);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/a\\b',
  '/a\nb',
  undefined,
  ['/runs'],
])('never leaves the product for %j', (path) => {
  expect(readReturnPath(path)).toBe('/workflows');
});
