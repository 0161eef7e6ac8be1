import decodeQr from 'qr/decode.js';
import encodeQr from 'qr';
import { Secret } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { findTotpStep, makeTotpSecret, totpUri } from './use-code.ts';

/** Of RFC 6238, appendix B. */
const SECRET = Secret.fromUTF8('12345678901234567890').base32;

describe('codes of RFC 6238, appendix B, cut to six digits', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %d s: %s', (seconds, code) => {
    expect(findTotpStep(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });
});

test('a clock may be one step of 30 seconds off, in both directions, and no more', () => {
  const step = Math.floor(1111111111 / 30);
  const at = (steps: number) => findTotpStep(SECRET, '050471', (step + steps) * 30_000);
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
  // To the last millisecond of the step after it.
  expect(findTotpStep(SECRET, '050471', (step + 2) * 30_000 - 1)).toBe(step);
});

test.each(['', '05047', '0504710', 'abcdef', '٠٥٠٤٧١', '050 471'])('%j is no code', (code) => {
  expect(findTotpStep(SECRET, code, 1111111111_000)).toBeNull();
});

test('keys have 160 bits and are never the same', () => {
  const keys = Array.from({ length: 50 }, makeTotpSecret);
  expect(new Set(keys).size).toBe(50);
  for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32}$/);
});

test('the QR code says the key and whose it is, whatever the address', () => {
  const uri = totpUri(SECRET, 'o’brien+shop@example.com');
  const parsed = new URL(uri);
  expect(parsed.protocol).toBe('otpauth:');
  expect(decodeURIComponent(parsed.pathname)).toContain('Patchbay:o’brien+shop@example.com');
  expect(Object.fromEntries(parsed.searchParams)).toEqual({
    issuer: 'Patchbay',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  expect(decodeQr(toImage(encodeQr(uri, 'raw', { border: 4 })))).toBe(uri);
});

/** As a camera reads it. */
function toImage(modules: boolean[][], scale = 4) {
  const size = modules.length * scale;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1)
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
  return { width: size, height: size, data };
}
