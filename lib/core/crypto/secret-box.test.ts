import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Binding, createSecretBox } from './secret-box.ts';

const key = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const binding: Binding = ['workspace', 'webhook_token', 'record'];

describe('sealed texts', () => {
  const box = createSecretBox(key('k1', 1));

  test('open to what was sealed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(box.open(box.seal(text, binding), binding)).toBe(text);
      }),
    );
  });

  test('never look alike twice, and tell their version and key', () => {
    const [first, second] = [box.seal('same', binding), box.seal('same', binding)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
  });

  test.each([
    ['another workspace', ['other', 'webhook_token', 'record']],
    ['another purpose', ['workspace', 'access_token', 'record']],
    ['another record', ['workspace', 'webhook_token', 'other']],
    ['parts that join to the same text', ['workspace","webhook_token', '', 'record']],
  ] as [string, Binding][])('cannot be opened for %s', (_, other) => {
    const sealed = box.seal('secret', binding);
    expect(() => box.open(sealed, other)).toThrow();
  });

  test('cannot be opened when a single character was changed', () => {
    const sealed = box.seal('secret', binding);
    const data = sealed.lastIndexOf('.') + 1;
    const changed = sealed.slice(0, data) + (sealed[data] === 'A' ? 'B' : 'A') + sealed.slice(data + 1);
    expect(() => box.open(changed, binding)).toThrow();
    expect(() => box.open(`${sealed}.x`, binding)).toThrow(/not a sealed text/);
    expect(() => box.open('v1.k1..', binding)).toThrow(/not a sealed text/);
  });
});

describe('keys', () => {
  const old = createSecretBox(key('k0', 1));
  const both = createSecretBox(`${key('k1', 2)}, ${key('k0', 1)}`);

  test('that came before still open; rotating seals under the first one', () => {
    const sealed = old.seal('secret', binding);
    expect(both.open(sealed, binding)).toBe('secret');
    const rotated = both.rotate(sealed, binding);
    expect(rotated).toMatch(/^v1\.k1\./);
    expect(both.rotate(rotated, binding)).toBe(rotated);
    expect(createSecretBox(key('k1', 2)).open(rotated, binding)).toBe('secret');
    expect(() => old.open(rotated, binding)).toThrow(/"k1".*ENCRYPTION_KEYS/);
  });

  test.each([
    ['', /entry 1/],
    ['k1', /entry 1/],
    [`${key('k1', 1)},`, /entry 2/],
    [`k1:${randomBytes(16).toString('base64')}`, /16 bytes/],
    [`${key('k1', 1)},${key('k1', 2)}`, /twice/],
  ])('%j cannot be used, and the error says why', (text, why) => {
    expect(() => createSecretBox(text)).toThrow(why);
  });
});
