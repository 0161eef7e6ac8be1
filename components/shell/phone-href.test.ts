import { expect, test } from 'vitest';
import { phoneHref } from './sandbox-phone.tsx';

test.each([
  ['15550101002', 'http://127.0.0.1:4010/phone/15550101002'],
  ['••••1002', 'http://127.0.0.1:4010/'],
  [undefined, 'http://127.0.0.1:4010/'],
])('%s', (recipient, href) => {
  expect(phoneHref('http://127.0.0.1:4010/', recipient)).toBe(href);
});
