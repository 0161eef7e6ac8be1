import { expect, test } from 'vitest';
import { findAllowedHost, readAllowedHost } from './named-secret.ts';

test.each([
  ['API.example.com', 'api.example.com'],
  [' api.example.com:8443 ', 'api.example.com:8443'],
  ['api.example.com:443', 'api.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
])('%s is the host %s', (text, host) => {
  expect(readAllowedHost(text)).toBe(host);
});

test.each(['https://api.example.com', 'api.example.com/orders', 'key@api.example.com', '*.example.com', ''])(
  '“%s” is no host',
  (text) => {
    expect(readAllowedHost(text)).toBeUndefined();
  },
);

test('a host is that of the list with the same port', () => {
  const hosts = ['api.example.com', 'api.example.com:8443'];
  const find = (url: string) => findAllowedHost(hosts, new URL(url));
  expect(find('https://api.example.com/orders')).toBe('api.example.com');
  expect(find('https://api.example.com:8443')).toBe('api.example.com:8443');
  expect(find('https://other.api.example.com')).toBeUndefined();
});
