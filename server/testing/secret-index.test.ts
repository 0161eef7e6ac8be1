import { expect, test } from 'vitest';
import { SecretIndex } from './secret-index.ts';

const SECRETS = ['planted-query-0123456789abcdef01', 'planted-query-fedcba9876543210fe', 'fifteen-letters'];
const index = new SecretIndex();
for (const secret of SECRETS) index.add(secret);

test('a secret is found wherever it stands, alone or among others', () => {
  for (const secret of SECRETS)
    for (let before = 0; before < 20; before += 1) {
      expect(index.findIn('x'.repeat(before) + secret)).toEqual([secret]);
      expect(index.findIn(`${'x'.repeat(before)}${secret}y`)).toEqual([secret]);
    }
  expect(index.findIn(SECRETS.join('')).sort()).toEqual([...SECRETS].sort());
});

test('a part of a secret is none, and neither is a text without any', () => {
  for (const secret of SECRETS) expect(index.findIn(`${secret.slice(1)} ${secret.slice(0, -1)}`)).toEqual([]);
  expect(index.findIn('')).toEqual([]);
});

test('one that is too short to be found is refused', () => {
  expect(() => index.add('fourteen-chars')).toThrow('14 characters');
});
