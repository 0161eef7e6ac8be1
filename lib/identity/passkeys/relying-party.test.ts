import { expect, test } from 'vitest';
import { findRelyingParty, getRelyingParty } from './relying-party.ts';

test.each([
  ['https://patchbay.example', { id: 'patchbay.example', origin: 'https://patchbay.example' }],
  ['https://Patchbay.example:8443', { id: 'patchbay.example', origin: 'https://patchbay.example:8443' }],
  ['https://intranet', { id: 'intranet', origin: 'https://intranet' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://patchbay.localhost', { id: 'patchbay.localhost', origin: 'http://patchbay.localhost' }],
])('passkeys of %s are for its host', (baseUrl, relyingParty) => {
  expect(findRelyingParty(baseUrl)).toEqual(relyingParty);
});

test.each(['http://patchbay.example', 'https://192.0.2.1', 'http://127.0.0.1:3000', 'https://[2001:db8::1]'])(
  'browsers allow none at %s',
  (baseUrl) => {
    expect(findRelyingParty(baseUrl)).toBeNull();
    expect(() => getRelyingParty(baseUrl)).toThrow('BASE_URL');
  },
);
