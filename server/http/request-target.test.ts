import { expect, test } from 'vitest';
import { hasSeveralHosts } from './request-target.ts';

test.each([
  [['Host', 'a.example', 'Accept', 'host'], false],
  [[], false],
  [['Host', 'a.example', 'host', 'b.example'], true],
  [['HOST', 'a.example', 'X-Host', 'b.example', 'Host', 'a.example'], true],
])('%j: several hosts: %s', (rawHeaders, expected) => {
  expect(hasSeveralHosts({ rawHeaders })).toBe(expected);
});
