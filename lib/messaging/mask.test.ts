import { describe, expect, test } from 'vitest';
import { maskNumber, maskSecrets } from './mask.ts';

describe('numbers', () => {
  test.each([
    ['+1 212-555-0101', '•••••••0101'],
    ['4915112345678', '•••••••••5678'],
    ['123', '••••'],
    ['', '••••'],
  ])('%j is shown as %j', (number, shown) => {
    expect(maskNumber(number)).toBe(shown);
  });
});

describe('secrets', () => {
  test.each([
    'Authorization: Bearer EAAsecret.token-1',
    'https://graph.example/debug_token?input_token=EAAsecret.token-1&x=1',
    '{"access_token":"EAAsecret.token-1","refresh_token": "EAAsecret.token-1"}',
    'grant_type=refresh_token&refresh_token=EAAsecret.token-1',
    "client_secret: 'EAAsecret.token-1'",
    'https://patchbay.example/oauth/callback?code=EAAsecret.token-1&state=x',
    'https://patchbay.example/hooks/messaging/EAAsecret-token-1',
  ])('%s', (text) => {
    const masked = maskSecrets(text);
    expect(masked).toContain('[redacted]');
    expect(masked).not.toMatch(/EAAsecret/);
  });

  test('everything else stays', () => {
    const text =
      '(#100) Param to must be a number: "Guest". Object with ID 300000000000001 does not exist. code=190';
    expect(maskSecrets(text)).toBe(text);
  });
});
