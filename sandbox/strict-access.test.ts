import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { startStrictSandbox, type StrictSandbox } from './testing/strict-sandbox.ts';

const EVERY_ACCOUNT = [IDS.books, IDS.bookEvents, IDS.clinic, IDS.bakery, IDS.cafe].toSorted();
const CUSTOMER = '15557010123';

let sandbox: StrictSandbox;
beforeAll(async () => {
  sandbox = await startStrictSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
});

const refused = (code: number, status = 400) => ({ status, body: { error: { code } } });
const inspect = async (token: string) =>
  (await sandbox.asApp('GET', `debug_token?input_token=${token}`)).body.data as unknown as {
    expires_at: number;
    type: string;
    granular_scopes: { scope: string; target_ids: string[] }[];
  };

test('a call without a version is answered by the oldest that is available', async () => {
  const headers = { authorization: `Bearer ${sandbox.token()}` };
  const answer = await sandbox.call('GET', `/${IDS.books}/phone_numbers`, undefined, headers);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('facebook-api-version')).toBe('v21.0');
  expect(answer.headers.get('x-ad-api-version-warning')).toBeNull();
});

test('debug_token answers the app token only', async () => {
  expect(await sandbox.graph('GET', `debug_token?input_token=${sandbox.token()}`)).toMatchObject(
    refused(100),
  );
  expect(await inspect(sandbox.token())).toMatchObject({ is_valid: true, user_id: 'admin', type: 'USER' });
});

test('grants of business_management name businesses, those of messaging name accounts', async () => {
  const token = await sandbox.mint({
    scopes: ['business_management', 'whatsapp_business_messaging', 'email'],
  });
  const { granular_scopes: grants } = await inspect(token);
  expect(grants.map(({ scope, target_ids: ids }) => ({ scope, ids: ids.toSorted() }))).toEqual([
    { scope: 'business_management', ids: [IDS.verifiedBusiness, IDS.unverifiedBusiness] },
    { scope: 'whatsapp_business_messaging', ids: EVERY_ACCOUNT },
  ]);
});

test('the token of a system user does not end', async () => {
  const token = await sandbox.mint({ scopes: ['whatsapp_business_management'], expires_in: 'never' });
  expect(await inspect(token)).toMatchObject({ type: 'SYSTEM_USER', expires_at: 0 });
  await sandbox.control('POST', 'clock', { move_seconds: 10 * 365 * 86_400 });
  expect(await sandbox.graph('GET', IDS.books, undefined, token)).toMatchObject({ status: 200 });
});

test('manage_events stands for management; businesses are listed with business_management only', async () => {
  const token = await sandbox.mint({ scopes: ['whatsapp_business_manage_events'] });
  expect(await sandbox.graph('GET', `${IDS.books}/phone_numbers`, undefined, token)).toMatchObject({
    status: 200,
  });
  expect(await sandbox.graph('GET', 'me/businesses', undefined, token)).toMatchObject(refused(200, 403));
  const other = await sandbox.mint({ scopes: ['business_management'] });
  expect(await sandbox.graph('GET', 'me/businesses', undefined, other)).toMatchObject({ status: 200 });
});

test('appsecret_proof: a wrong one is always refused, a missing one if the app requires it', async () => {
  const proof = sandbox.proofOf(sandbox.token());
  expect(await sandbox.graph('GET', 'me?appsecret_proof=0000')).toMatchObject(refused(100));
  expect(await sandbox.graph('GET', 'me')).toMatchObject({ status: 200 });
  await sandbox.control('POST', 'settings', { require_app_secret: true });
  expect(await sandbox.graph('GET', 'me')).toMatchObject(refused(100));
  expect(await sandbox.graph('GET', `me?appsecret_proof=${proof}`)).toMatchObject({ status: 200 });
  const subscribe = { appsecret_proof: proof };
  expect(await sandbox.graph('POST', `${IDS.books}/subscribed_apps`, subscribe)).toMatchObject({
    status: 200,
  });
});

test('an expired version is answered by the oldest living one, with a warning; one that is not out is refused', async () => {
  const get = (version: string) =>
    sandbox.call('GET', `/${version}/${IDS.books}/message_templates?limit=1`, undefined, {
      authorization: `Bearer ${sandbox.token()}`,
    });
  await sandbox.control('POST', 'clock', { now: '2026-11-24T00:00:00Z' });
  await sandbox.renewToken();
  const expired = await get('v18.0');
  expect(expired.headers.get('facebook-api-version')).toBe('v21.0');
  expect(expired.headers.get('x-ad-api-version-warning')).toContain('v18.0');
  expect(expired.body.paging?.next).toContain('/v21.0/');
  const living = await get('v25.0');
  expect(living.headers.get('facebook-api-version')).toBe('v25.0');
  expect(living.headers.has('x-ad-api-version-warning')).toBe(false);
  expect(await get('v27.0')).toMatchObject(refused(2500));
  const { data } = await sandbox.control('GET', 'calls?path=message_templates');
  expect((data as unknown as { version: string }[]).map(({ version }) => version)).toEqual([
    'v18.0',
    'v25.0',
    'v27.0',
  ]);
});

test('versions expire by the clock of the sandbox', async () => {
  const answering = async (now: string) => {
    await sandbox.control('POST', 'clock', { now });
    await sandbox.renewToken();
    return (await sandbox.graph('GET', 'me')).headers.get('facebook-api-version');
  };
  expect(await answering('2027-01-20T00:00:00Z')).toBe('v21.0');
  expect(await answering('2027-01-22T00:00:00Z')).toBe('v22.0');
  expect(await answering('2029-01-01T00:00:00Z')).toBe('v26.0');
});

test('management calls tell their usage, and end in 80007; an hour later they are taken again', async () => {
  await sandbox.control('POST', 'settings', { management_calls_per_hour: 4 });
  const list = () => sandbox.graph('GET', `${IDS.books}/phone_numbers`);
  const usage = ({ headers }: { headers: Headers }) =>
    JSON.parse(headers.get('x-business-use-case-usage') ?? '') as Record<string, object[]>;
  expect(usage(await list())[IDS.books]?.[0]).toMatchObject({ call_count: 25 });
  for (const percent of [50, 75, 100])
    expect(usage(await list())[IDS.books]?.[0]).toMatchObject({ call_count: percent });
  const refusal = await list();
  expect(refusal).toMatchObject(refused(80007, 429));
  expect(usage(refusal)[IDS.books]?.[0]).toMatchObject({ estimated_time_to_regain_access: 60 });
  expect(await sandbox.graph('GET', `${IDS.clinic}/phone_numbers`)).toMatchObject({ status: 200 });
  await sandbox.openWindow(CUSTOMER);
  expect(await sandbox.send(CUSTOMER, { type: 'text', text: { body: 'Hi' } })).toMatchObject({ status: 200 });
  await sandbox.control('POST', 'clock', { move_seconds: 3600 });
  await sandbox.renewToken();
  expect(await list()).toMatchObject({ status: 200 });
});

test('an account without a registered number has 200 management calls an hour', async () => {
  await sandbox.control('POST', `phone-numbers/${IDS.clinicDesk}`, { status: 'PENDING' });
  const { headers } = await sandbox.graph('GET', `${IDS.clinic}/phone_numbers`);
  expect(headers.get('x-app-usage')).toContain('"call_count":0');
  await sandbox.control('POST', 'settings', { management_calls_per_hour_unregistered: 1 });
  expect(await sandbox.graph('GET', IDS.clinicDesk)).toMatchObject(refused(80007, 429));
});

test('a download without a User-Agent is refused; media of customers can be had for seven days', async () => {
  const image = { base64: Buffer.from('picture').toString('base64') };
  const sent = await sandbox.control('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: IDS.booksOrders,
    image,
  });
  const { id } = (sent as unknown as { payload: { image: { id: string } } }).payload.image;
  const { body } = await sandbox.graph('GET', id);
  expect(await download(String(body.url), {})).toBe(400);
  expect(await download(String(body.url), { 'user-agent': 'Test' })).toBe(200);
  await sandbox.control('POST', 'clock', { move_seconds: 7 * 86_400 });
  await sandbox.renewToken();
  expect(await sandbox.graph('GET', id)).toMatchObject({ body: { error: { code: 100, error_subcode: 33 } } });
});

/** `fetch` always sends a User-Agent. */
const download = (url: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { authorization: `Bearer ${sandbox.token()}`, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('pictures are JPEG or PNG: WebP is for stickers', async () => {
  await sandbox.openWindow(CUSTOMER);
  const link = `${sandbox.url}/public/samples/sticker.webp`;
  expect(await sandbox.send(CUSTOMER, { type: 'image', image: { link } })).toMatchObject(refused(131053));
  expect(await sandbox.send(CUSTOMER, { type: 'sticker', sticker: { link } })).toMatchObject({ status: 200 });
});
