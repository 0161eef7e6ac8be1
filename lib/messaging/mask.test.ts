import { describe, expect, test } from 'vitest';
import { listMask, maskSecrets, maskNumbersIn, recordMask } from './mask.ts';

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

test.each([
  ['Sent to 4915112340101.', 'Sent to ••••0101.'],
  ['"recipient": "+15550100123"', '"recipient": "••••0123"'],
  ['"from": "US.13491208655302741918"', '"from": "US.••••1918"'],
  ['to DE.ENT.a1B2c3D4e5', 'to DE.ENT.••••D4e5'],
  // Our own ids, digits of decimals and short numbers are not phone numbers.
  ['run 0193a1b2-1111-7222-8333-123456789012', 'run 0193a1b2-1111-7222-8333-123456789012'],
  ['wamid.1234567890', 'wamid.1234567890'],
  ['"message_id": "wamid.HBgLMTU1NTAxMDAxMjMVAgARGBI1QTNDAA=="', '"message_id": "wamid.••••AA=="'],
  ['wamid.019b0d8e_2b5e_7c31_a8a4_5f3c', 'wamid.019b0d8e_2b5e_7c31_a8a4_5f3c'],
  ['order 12345', 'order 12345'],
  ['US.Embassy and DE.K1', 'US.Embassy and DE.K1'],
])("customers' numbers are masked in lists: %s", (text, masked) => {
  expect(maskNumbersIn(text)).toBe(masked);
});

test('lists are masked for everyone, records for viewers only; a workspace can switch it off', () => {
  const text = 'Sent to 4915112340101.';
  expect(listMask({ masksNumbers: true })(text)).toBe('Sent to ••••0101.');
  expect(listMask({ masksNumbers: false })(text)).toBe(text);
  expect(recordMask({ masksNumbers: true, role: 'viewer' })(text)).toBe('Sent to ••••0101.');
  expect(recordMask({ masksNumbers: true, role: 'editor' })(text)).toBe(text);
  expect(recordMask({ masksNumbers: false, role: 'viewer' })(text)).toBe(text);
});
