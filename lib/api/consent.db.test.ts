// Consent and holds through the API: whom a path names, who may change them, and what viewers see.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import type { KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { learnCustomer } from '#lib/messaging/customers/customer-names.ts';
import { handleApiRequest } from './route.ts';

const NUMBER = '15550101002';
const USER_ID = 'US.1349000111';

let context: TestContext;
const keys: Partial<Record<KeyScope | 'stranger', string>> = {};

beforeAll(async () => {
  context = await createTestContext();
  for (const scope of ['read', 'run', 'edit', 'admin'] as const)
    keys[scope] = (await createApiKey(context.ctx, { name: scope, scope })).key;
  keys.stranger = (await createApiKey(context.stranger, { name: 'Stranger' })).key;
});
afterAll(() => context.end());

async function call(
  method: string,
  path: string,
  { by = 'edit', body }: { by?: KeyScope | 'stranger'; body?: object } = {},
): Promise<{ status: number; json: unknown }> {
  const { db, secrets, baseUrl } = context.ctx;
  const runtime = { db, secrets, baseUrl, environmentKey: undefined, logger: pino({ level: 'silent' }) };
  const response = await handleApiRequest(
    runtime,
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${keys[by]}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  return { status: response.status, json: text === '' ? null : JSON.parse(text) };
}

const stop = { purpose: 'marketing', state: 'stopped' };

test('a customer who never wrote is named by their number, with and without +; later by their id', async () => {
  const note = 'CRM';
  const given = { purpose: 'all', state: 'given', source: 'import', note };
  expect(await call('PUT', `/customers/%2B${NUMBER}/consent`, { body: given })).toMatchObject({
    status: 200,
    json: {
      customer_id: null,
      names: [NUMBER],
      all: { state: 'given', evidence: { kind: 'import', note } },
      marketing: { state: 'given' },
      history: [{ purpose: 'all', state: 'given' }],
    },
  });
  expect(await call('PUT', `/customers/${NUMBER}/consent`, { body: stop })).toMatchObject({
    json: { marketing: { state: 'stopped', evidence: { kind: 'api' } } },
  });
  const reported = { number: NUMBER, userId: USER_ID, businessAccountId: '1' };
  const { id } = await learnCustomer(context.ctx.db.$client, context.ctx.workspaceId, reported);
  expect(await call('GET', `/customers/${id}/consent`)).toMatchObject({
    json: { customer_id: id, names: [NUMBER, USER_ID], marketing: { state: 'stopped' } },
  });
});

test('viewers read without numbers in full, and change nothing; a stranger finds nobody', async () => {
  const { id } = await learnCustomer(context.ctx.db.$client, context.ctx.workspaceId, {
    number: NUMBER,
    userId: '',
    businessAccountId: '1',
  });
  await call('PUT', `/customers/${id}/consent`, { body: { ...stop, note: `Called from +${NUMBER}` } });
  await call('PUT', `/customers/${id}/hold`, { body: { reason: `Call ${NUMBER}` } });
  for (const path of [`/customers/${id}/consent`, `/customers/${id}/hold`]) {
    const { status, json } = await call('GET', path, { by: 'read' });
    expect(status).toBe(200);
    expect(JSON.stringify(json)).not.toContain(NUMBER);
    expect(JSON.stringify(json)).toContain('••••1002');
    expect(await call('GET', path, { by: 'stranger' })).toMatchObject({ status: 404 });
    for (const by of ['read', 'run'] as const)
      expect(await call('PUT', path, { by, body: stop })).toMatchObject({ status: 403 });
  }
  expect(await call('GET', `/customers/${NUMBER}/consent`, { by: 'stranger' })).toMatchObject({
    status: 200,
    json: { customer_id: null, names: [NUMBER], marketing: null, history: [] },
  });
});

test('a hold is set for some hours or until it is released, and released', async () => {
  const path = `/customers/${NUMBER}/hold`;
  expect(await call('PUT', path, { body: { hours: 0 } })).toMatchObject({ status: 400 });
  expect(await call('PUT', path, { body: { hours: 3 } })).toMatchObject({
    json: { hold: { until: expect.any(String) as string, reason: '', evidence: { kind: 'api' } } },
  });
  expect(await call('PUT', path)).toMatchObject({ json: { hold: { until: null } } });
  expect(await call('DELETE', path)).toEqual({ status: 204, json: null });
  expect(await call('GET', path)).toMatchObject({ json: { hold: null } });
});

test('the words are for keys that change settings of the workspace', async () => {
  const { json } = await call('GET', '/workspace/consent', { by: 'read' });
  expect(json).toMatchObject({ purpose: 'marketing', holds_on_echoes: false });
  const body = { ...(json as object), stop_words: ['Ende'] };
  expect(await call('PUT', '/workspace/consent', { body })).toMatchObject({ status: 403 });
  expect(await call('PUT', '/workspace/consent', { by: 'admin', body })).toMatchObject({ status: 200 });
  expect(await call('GET', '/workspace/consent', { by: 'read' })).toMatchObject({
    json: { stop_words: ['Ende'] },
  });
});

test.each(['nobody', '12', '%20', '%', '%00'])('%j is no customer', async (id) => {
  expect(await call('GET', `/customers/${id}/consent`)).toMatchObject({ status: 404 });
});

test('attributes are set, changed and removed, are on the timeline, and are masked for viewers', async () => {
  const number = '15550107711';
  const set = (attributes: object[], by: KeyScope | 'stranger' = 'edit', who = number) =>
    call('PUT', `/customers/${who}/attributes`, { by, body: { attributes } });
  const city = { name: 'city', type: 'text', value: 'Rome' };
  const first = await set([
    city,
    { name: 'phone', value: number },
    { name: 'visits', type: 'number', value: 3 },
  ]);
  expect(first).toMatchObject({
    status: 200,
    json: {
      customer_id: expect.any(String) as string,
      names: [number],
      attributes: [{ ...city, evidence: { kind: 'api' } }, { name: 'phone' }, { name: 'visits', value: 3 }],
    },
  });
  expect((await set([city], 'run')).status).toBe(403);
  expect(await set([{ ...city, type: 'date' }])).toMatchObject({
    status: 400,
    json: { error: { problems: [{ path: 'attributes[0].value' }] } },
  });
  expect((await set([{ name: 'a b', value: '' }])).status).toBe(400);
  const { customer_id: id } = first.json as { customer_id: string };
  expect((await set([city], 'stranger', id)).status).toBe(404);
  await set(
    [
      { ...city, value: 'Oslo' },
      { name: 'visits', value: null },
    ],
    'edit',
    id,
  );
  const shown = await call('GET', `/customers/${id}`, { by: 'read' });
  expect(shown).toMatchObject({
    json: {
      attributes: [
        { name: 'city', value: 'Oslo' },
        { name: 'phone', value: '••••7711' },
      ],
    },
  });
  const { json } = await call('GET', `/customers/${id}/timeline`, { by: 'read' });
  const { data } = json as { data: { direction: string; attribute: { name: string; value: unknown } }[] };
  expect(JSON.stringify(json)).not.toContain(number);
  expect(data.map(({ attribute: { name, value } }) => `${name} ${String(value)}`).toSorted()).toEqual(
    ['city Oslo', 'city Rome', 'phone ••••7711', 'visits 3', 'visits null'].toSorted(),
  );
  expect(data.every(({ direction }) => direction === 'remembered')).toBe(true);
});
