import { expect, test } from 'vitest';
import { callerAddress, countProxies, forwardedAddress } from './caller-address.ts';

const PROXY = '10.0.0.2';
const of = (forwarded: string | undefined, proxies: number) =>
  callerAddress({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: PROXY } }, proxies);

test('the setting says how many proxies are trusted', () => {
  const counts = (['off', 'on', '3'] as const).map((TRUST_PROXY) => countProxies({ TRUST_PROXY }));
  expect(counts).toEqual([0, 1, 3]);
});

test.each([
  ['no proxy: the header is the caller’s own word', '203.0.113.7', 0, PROXY],
  ['one proxy', '203.0.113.7', 1, '203.0.113.7'],
  ['one proxy, forged entries before its own', '198.51.100.1, 127.0.0.1, 203.0.113.7', 1, '203.0.113.7'],
  ['two proxies', '203.0.113.7, 10.0.0.1', 2, '203.0.113.7'],
  ['two proxies, a forged entry', '127.0.0.1,203.0.113.7,10.0.0.1', 2, '203.0.113.7'],
  ['two proxies are set, the request passed one', '203.0.113.7', 2, '203.0.113.7'],
  ['no header: nothing stands in front', undefined, 1, PROXY],
  ['IPv6', '2001:db8::1', 1, '2001:db8::1'],
  ['IPv6 in brackets with a port', '[2001:db8::1]:4711', 1, '2001:db8::1'],
  ['IPv4 with a port', '203.0.113.7:4711', 1, '203.0.113.7'],
  ['IPv4 as IPv6', '::ffff:203.0.113.7', 1, '::ffff:203.0.113.7'],
  ['no address', 'unknown', 1, undefined],
  ['a hidden one (RFC 7239)', '203.0.113.7, _hidden', 1, undefined],
  ['an empty entry', '203.0.113.7,', 1, undefined],
])('%s', (_, forwarded, proxies, address) => {
  expect(of(forwarded, proxies)).toBe(address);
});

test('a missing header has no address', () => {
  expect([forwardedAddress(null), forwardedAddress('')]).toEqual([undefined, undefined]);
});
