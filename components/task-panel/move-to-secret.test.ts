import { expect, test } from 'vitest';
import { suggestSecretName } from './move-to-secret.tsx';

test.each([
  ['X-Api-Key', [], 'x_api_key'],
  ['Authorization', ['authorization'], 'authorization_2'],
  ['Authorization', ['authorization', 'authorization_2'], 'authorization_3'],
  ['1st key!', [], 'st_key'],
  ['€', [], 'secret'],
])('%s is called %s', (field, taken, name) => expect(suggestSecretName(field, taken)).toBe(name));
