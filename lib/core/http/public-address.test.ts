import { describe, expect, it } from 'vitest';
import { guardedRequest } from './guarded-request.ts';
import { isPublicAddress } from './public-address.ts';

describe('only public unicast addresses are reached (docs/decisions/own-code.md)', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '2001:4860:4860::8888'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['this network', '0.0.0.0'],
    ['unspecified', '::'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared (carrier NAT)', '100.64.0.1'],
    ['link-local, where clouds keep credentials', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['unique local', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['discard', '100::1'],
    ['IPv4-mapped private', '::ffff:10.0.0.1'],
    ['IPv4-mapped loopback', '::ffff:7f00:1'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['NAT64 to loopback', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 of 10.0.0.1', '2002:a00:1::'],
    ['Teredo', '2001:0:4136:e378::1'],
    ['translated', '::ffff:0:7f00:1'],
    ['not given out', '4000::1'],
    ['no address', 'example.com'],
  ])('%s: %s is not', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('addresses in the URL, however they are spelt', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://127.0.0.1./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'https://192.168.0.1:8443/',
  ])('%s is refused', async (url) => {
    const limits = { timeoutMs: 5000, maxResponseBytes: 1000, maxRedirects: 0, allowedPrivateHosts: [] };
    const request = guardedRequest({ method: 'GET', url, ...limits });
    await expect(request).rejects.toMatchObject({ kind: 'refused_address', bytesSent: false });
  });
});
