import { expect, test } from 'vitest';
import { readReturnPath, returnUrl } from './return-path.ts';

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

test.each([
  ['https://patchbay.example/runs?x=1', 'https://patchbay.example/runs?x=1'],
  ['/runs', 'https://patchbay.example/runs'],
  ['https://patchbay.example', 'https://patchbay.example/'],
  ['https://patchbay.example.evil.example/', 'https://patchbay.example/workflows'],
  ['https://patchbay.example@evil.example/', 'https://patchbay.example/workflows'],
  ['https://patchbay.example//evil.example', 'https://patchbay.example/workflows'],
  ['javascript:alert(1)', 'https://patchbay.example/workflows'],
  ['http://[', 'https://patchbay.example/workflows'],
])('as a URL, %s leads to %s', (url, expected) => {
  expect(returnUrl('https://patchbay.example', url)).toBe(expected);
});
