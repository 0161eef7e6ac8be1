import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startTestSandbox, type TestSandbox } from './testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const rows = async (path: string) =>
  (await sandbox.graph('GET', path)).body.data as unknown as Record<string, string>[];

test('spec, What the service does 5: businesses with owned and client accounts', async () => {
  const businesses = await rows('me/businesses?fields=id,name');
  expect(businesses.map(({ id }) => id)).toEqual([IDS.verifiedBusiness, IDS.unverifiedBusiness]);
  for (const { id } of businesses) {
    expect((await rows(`${id}/owned_whatsapp_business_accounts`)).length).toBeGreaterThan(0);
    expect((await rows(`${id}/client_whatsapp_business_accounts`)).length).toBeGreaterThan(0);
  }
});

test('numbers of every quality and tier', async () => {
  const accounts = [IDS.books, IDS.bookEvents, IDS.clinic, IDS.bakery, IDS.cafe];
  const fields = 'fields=id,display_phone_number,verified_name,quality_rating,messaging_limit_tier,status';
  const phones = (await Promise.all(accounts.map((id) => rows(`${id}/phone_numbers?${fields}`)))).flat();
  const values = (field: string) => [...new Set(phones.map((phone) => phone[field]))].sort();
  expect(values('quality_rating')).toEqual(['GREEN', 'RED', 'UNKNOWN', 'YELLOW']);
  expect(values('messaging_limit_tier')).toEqual([
    'TIER_100K',
    'TIER_10K',
    'TIER_1K',
    'TIER_250',
    'TIER_UNLIMITED',
  ]);
});

test('debug_token tells the accounts of each scope', async () => {
  const { body } = await sandbox.graph('GET', `debug_token?input_token=${sandbox.token()}`);
  expect(body.data).toMatchObject({ is_valid: true, user_id: 'admin' });
  const granular = body.data?.granular_scopes as unknown as { scope: string; target_ids: string[] }[];
  expect(granular.map(({ scope }) => scope)).toEqual(['chat_business_management', 'chat_business_messaging']);
  expect(granular[0]?.target_ids.sort()).toEqual(
    [IDS.books, IDS.bookEvents, IDS.clinic, IDS.bakery, IDS.cafe].sort(),
  );
});

test('debug_token tells about the token that is looked at, not about the caller', async () => {
  const visitor = await sandbox.mint({ account: 'visitor', scopes: ['chat_business_messaging'] });
  const { body } = await sandbox.graph('GET', `debug_token?input_token=${visitor}`);
  expect(body.data).toMatchObject({
    user_id: 'visitor',
    granular_scopes: [{ scope: 'chat_business_messaging', target_ids: [] }],
  });
  expect((await sandbox.graph('GET', 'debug_token?input_token=nonsense')).body.data).toMatchObject({
    is_valid: false,
  });
});

test('spec, Errors: wrong token 401, missing role 403, unknown object 100/33', async () => {
  expect(await sandbox.graph('GET', 'me', undefined, 'nonsense')).toMatchObject({
    status: 401,
    body: { error: { code: 190 } },
  });
  const visitor = await sandbox.mint({ account: 'visitor' });
  expect(await sandbox.graph('GET', `${IDS.books}/phone_numbers`, undefined, visitor)).toMatchObject({
    status: 403,
    body: { error: { code: 10, type: 'OAuthException' } },
  });
  expect(await sandbox.graph('GET', '123456789012345/phone_numbers')).toMatchObject({
    status: 400,
    body: { error: { code: 100, error_subcode: 33 } },
  });
});

test('other versions of the API and a token in the query are taken too', async () => {
  for (const version of ['v18.0', 'v19.0', 'v24.0']) {
    const answer = await sandbox.call('GET', `/${version}/me?access_token=${sandbox.token()}`);
    expect(answer).toMatchObject({ status: 200, body: { id: 'admin', name: 'Admin' } });
  }
});

test('health_status says what keeps an account and its numbers from sending', async () => {
  const healthOf = async (id: string) =>
    (await sandbox.graph('GET', `${id}?fields=health_status`)).body.health_status as unknown as {
      can_send_message: string;
      entities: { entity_type: string; can_send_message: string; errors?: { error_code: number }[] }[];
    };
  const limited = await healthOf(IDS.bakery);
  expect(limited.can_send_message).toBe('LIMITED');
  expect(limited.entities.map(({ entity_type: type }) => type)).toEqual(['WABA', 'BUSINESS', 'APP']);
  await sandbox.control('POST', `accounts/${IDS.bakery}`, {
    has_payment_method: false,
    business_verified: true,
  });
  await sandbox.control('POST', `phone-numbers/${IDS.bakeryCounter}`, { status: 'PENDING' });
  const blocked = await healthOf(IDS.bakeryCounter);
  expect(blocked.can_send_message).toBe('BLOCKED');
  expect(
    blocked.entities.map((each) => [each.entity_type, each.errors?.[0]?.error_code ?? each.can_send_message]),
  ).toEqual([
    ['PHONE_NUMBER', 133010],
    ['WABA', 141006],
    ['BUSINESS', 'AVAILABLE'],
    ['APP', 'LIMITED'],
  ]);
  await sandbox.control('POST', 'reset');
});
