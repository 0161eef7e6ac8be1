import { describe, expect, it } from 'vitest';
import { AppError } from '#lib/core/errors.ts';
import { writePlaceholder } from '#lib/secrets/placeholder-format.ts';
import { compileCallerRules, keptHeaders, readCallerSettings } from './caller-rules.ts';
import type { CallerSettings } from './caller-settings.ts';

const ID = 'abcdefghijklmnop';
const secrets = new Map([[ID, 'open sesame']]);
const rulesOf = (settings: CallerSettings) => compileCallerRules(settings, secrets);

const refusalOf = (settings: CallerSettings, headers: Record<string, string>, address?: string) =>
  rulesOf(settings).checkRequest({
    kind: 'production',
    token: '',
    method: 'POST',
    headers,
    address: () => address,
    declaredBytes: 0,
    readBody: async () => true,
  });

const codeOf = (...request: Parameters<typeof refusalOf>) => refusalOf(...request)?.code;

describe('settings', () => {
  it.each([
    {},
    { caller_check: 'none' },
    { caller_secret: 'left over' },
    { body_types: 'json', allowed_addresses: ' ', allowed_origins: '' },
  ])('%o asks nothing of callers', (settings) => {
    expect(readCallerSettings(settings)).toBeUndefined();
  });

  it('nobody is let in by a check without its secret, or by one that is not known', () => {
    for (const check of [
      { caller_check: 'github' },
      { caller_check: 'bearer', caller_secret: '••••••' },
      { caller_check: 'hmac', caller_secret: writePlaceholder('ponmlkjihgfedcba') },
      { caller_check: 'made_up', caller_secret: 'x' },
    ]) {
      const rules = rulesOf(check as CallerSettings);
      expect(rules.checkBytes?.({}, Buffer.from('{}'), new Date())?.code).toBe('invalid_signature');
    }
  });
});

describe('credentials', () => {
  const bearer: CallerSettings = { caller_check: 'bearer', caller_secret: 'Bearer t0ken' };
  const basic: CallerSettings = {
    caller_check: 'basic',
    caller_name: 'shop',
    caller_secret: writePlaceholder(ID),
  };
  const header: CallerSettings = {
    caller_check: 'header',
    caller_header: 'X-Gitlab-Token',
    caller_secret: writePlaceholder(ID),
  };
  const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each([
    [bearer, { authorization: 'Bearer t0ken' }, undefined],
    [bearer, { authorization: 'bearer t0ken' }, undefined],
    [bearer, { authorization: 'Bearer t0ke' }, 'invalid_credentials'],
    [bearer, { authorization: 't0ken' }, 'invalid_credentials'],
    [bearer, {}, 'invalid_credentials'],
    [basic, { authorization: `Basic ${inBase64('shop:open sesame')}` }, undefined],
    [basic, { authorization: `Basic ${inBase64('shop:open')}` }, 'invalid_credentials'],
    [basic, { authorization: `Basic ${inBase64('shops:open sesame')}` }, 'invalid_credentials'],
    [header, { 'x-gitlab-token': 'open sesame' }, undefined],
    [header, { 'x-gitlab-token': 'Open sesame' }, 'invalid_credentials'],
  ])('%o with %o: %s', (settings, headers, code) => {
    expect(codeOf(settings, headers as Record<string, string>)).toBe(code);
  });

  it.each([
    [bearer, {}, 'Bearer realm="Patchbay webhook"'],
    [
      bearer,
      { authorization: 'Bearer wrong' },
      'Bearer realm="Patchbay webhook", error="invalid_token", error_description="The token is not the one of the trigger"',
    ],
    [bearer, { authorization: 'Basic x' }, 'Bearer realm="Patchbay webhook"'],
    [basic, {}, 'Basic realm="Patchbay webhook", charset="UTF-8"'],
    [basic, { authorization: 'Basic eDp5' }, 'Basic realm="Patchbay webhook", charset="UTF-8"'],
    [header, {}, undefined],
  ])('%o with %o is challenged with %s', (settings, headers, challenge) => {
    expect(refusalOf(settings, headers as Record<string, string>)).toMatchObject({ challenge });
  });

  it('are not kept with an event, whether they are right or wrong', () => {
    const headers = { 'x-gitlab-token': 'open sesame', cookie: 'session=1', 'x-other': '1' };
    expect(keptHeaders(headers, rulesOf(header), undefined)).toEqual({
      ...headers,
      'x-gitlab-token': '••••••',
    });
    expect(keptHeaders(headers, rulesOf(header), new AppError('invalid_credentials', ''))).toEqual({
      'x-gitlab-token': '••••••',
      cookie: '••••••',
      'x-other': '1',
    });
    expect(keptHeaders(headers, undefined, undefined)).toBe(headers);
  });
});

describe('allowed addresses', () => {
  const allowed_addresses = '203.0.113.7, 198.51.100.0/24\n2001:db8::/32';

  it.each([
    ['203.0.113.7', undefined],
    ['::ffff:203.0.113.7', undefined],
    ['203.0.113.8', 'address_not_allowed'],
    ['198.51.100.255', undefined],
    ['198.51.101.0', 'address_not_allowed'],
    ['2001:db8:1::1', undefined],
    ['2001:db9::1', 'address_not_allowed'],
    ['unknown', 'address_not_allowed'],
    [undefined, 'address_not_allowed'],
  ])('%s: %s', (address, code) => {
    expect(codeOf({ allowed_addresses }, {}, address)).toBe(code);
  });

  it.each([
    ['::ffff:10.0.0.0/104', '10.1.2.3', '11.0.0.1'],
    ['::ffff:10.0.0.0/104', '::ffff:10.1.2.3', '::ffff:11.0.0.1'],
    ['::ffff:203.0.113.7/128', '203.0.113.7', '203.0.113.8'],
    ['::ffff:0:0/96', '192.0.2.1', '2001:db8::1'],
  ])('%s, a range of IPv4 addresses as IPv6, has %s and not %s', (range, inside, outside) => {
    expect(codeOf({ allowed_addresses: range }, {}, inside)).toBeUndefined();
    expect(codeOf({ allowed_addresses: range }, {}, outside)).toBe('address_not_allowed');
  });

  it('comes before the credentials', () => {
    expect(codeOf({ allowed_addresses, caller_check: 'bearer', caller_secret: 'x' }, {}, '192.0.2.1')).toBe(
      'address_not_allowed',
    );
  });
});

describe('allowed origins', () => {
  const originHeaders = rulesOf({ allowed_origins: 'https://shop.example' }).originHeaders;

  it('only the website that is allowed may read the answer', () => {
    expect(originHeaders?.('https://shop.example')).toMatchObject({
      'Access-Control-Allow-Origin': 'https://shop.example',
      Vary: 'Origin',
    });
    for (const origin of ['https://shop.example.evil.example', 'http://shop.example', 'null', undefined])
      expect(originHeaders?.(origin)).toEqual({ Vary: 'Origin' });
  });

  it('* is every website', () => {
    const headers = rulesOf({ allowed_origins: '*' }).originHeaders?.('null');
    expect(headers?.['Access-Control-Allow-Origin']).toBe('*');
  });
});
