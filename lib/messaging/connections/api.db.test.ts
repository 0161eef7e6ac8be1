import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { handleApiRequest } from '#lib/api/route.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { handleHookRequest } from '#lib/messaging/notifications/hook-route.ts';
import { listenForPlatform } from '#lib/messaging/testing/listen-for-platform.ts';
import { runAction, failAction } from '#lib/messaging/testing/run-action.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { getReceiver } from './receivers.ts';

let world: MessagingWorld;
let key: string;
let answers: string;

beforeAll(async () => {
  world = await startMessagingWorld();
  // The operations read the platform's address from the settings of the process.
  for (const [name, value] of Object.entries(world.variables)) vi.stubEnv(name, value);
  key = (await createApiKey(world.ctx, { name: 'Test' })).key;
  answers = '';
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.end();
});

async function call(
  method: string,
  path: string,
  body?: object,
  baseUrl = 'https://patchbay.example',
): Promise<{ status: number; json: never }> {
  const { db, secrets, logger } = world.runtime;
  const request = new Request(`http://localhost/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const response = await handleApiRequest(
    { db, secrets, baseUrl, environmentKey: undefined, logger },
    request,
  );
  const text = await response.text();
  answers += text;
  return { status: response.status, json: (text === '' ? undefined : JSON.parse(text)) as never };
}

test('docs/api.md: what is done with a connection and its message templates, one after another', async () => {
  const { access_token, refresh_token } = await world.mint();
  const workflow = await insertWorkflow(world.runtime.hot, {
    tasks: [{ id: 1, type: 'inbound_webhook', name: 'T', settings: {} }],
    edges: [],
  });
  await world.runtime.hot.query('update workflows set workspace_id = $1', [world.workspaceId]);
  const made = await call('POST', '/connections', {
    name: 'Books',
    access_token,
    refresh_token,
    business_account_id: PLATFORM_IDS.books,
  });
  expect(made.status).toBe(201);
  const { id } = made.json as { id: string };
  const components = [{ type: 'BODY', text: 'Hello there' }];
  const approved = await call('GET', `/connections/${id}/message-templates?status=APPROVED`);
  const template = (approved.json as { data: { id: string }[] }).data.at(-1)?.id ?? '';
  const script: Record<string, [path: string, body?: object]> = {
    listConnections: ['/connections?limit=5'],
    createConnection: [
      '/connections',
      { name: 'Any', access_token: (await world.mint()).access_token, expires_in: 60 },
    ],
    getConnection: [`/connections/${id}`],
    renameConnection: [`/connections/${id}`, { name: 'Renamed' }],
    checkConnection: [`/connections/${id}/checks`],
    listBusinessAccounts: [`/connections/${id}/business-accounts`],
    listPhoneNumbers: [`/connections/${id}/phone-numbers?business_account_id=${PLATFORM_IDS.clinic}`],
    registerPhoneNumber: [
      `/connections/${id}/phone-numbers/${PLATFORM_IDS.booksOrders}/register`,
      { pin: '246810' },
    ],
    putSubscription: [`/connections/${id}/subscriptions/${workflow.workflowId}`, { kinds: ['messages'] }],
    listSubscriptions: [`/connections/${id}/subscriptions`],
    removeSubscription: [`/connections/${id}/subscriptions/${workflow.workflowId}`],
    listMessageTemplates: [`/connections/${id}/message-templates?status=APPROVED&limit=3`],
    createMessageTemplate: [
      `/connections/${id}/message-templates`,
      { name: 'made_by_api', category: 'UTILITY', components },
    ],
    updateMessageTemplate: [`/connections/${id}/message-templates/${template}`, { components }],
    deleteMessageTemplate: [`/connections/${id}/message-templates/${template}`],
    deleteConnection: [`/connections/${id}`],
  };
  for (const [operationId, [path, body]] of Object.entries(script)) {
    const operation = OPERATIONS.find((each) => each.id === operationId);
    const answer = await call(operation?.method ?? '', path, body);
    expect(answer, operationId).toMatchObject({ status: operation?.status });
    if (operation?.response)
      expect(operation.response.safeParse(answer.json).error, operationId).toBeUndefined();
  }
  expect(await call('GET', `/connections/${id}`)).toMatchObject({ status: 404 });
  const calls = await world.calls('target=graph');
  const last = calls.filter(({ method }) => method === 'POST' || method === 'DELETE').slice(-2);
  expect(last).toMatchObject([{ method: 'POST', body: { components } }, { method: 'DELETE' }]);
});

describe('refusals', () => {
  test('a second connection for a business account, a message template that is wrong, an account that is unknown', async () => {
    const { access_token } = await world.mint();
    const input = { name: 'Bakery', access_token, business_account_id: PLATFORM_IDS.bakery };
    const { id } = (await call('POST', '/connections', input)).json as { id: string };
    expect(await call('POST', '/connections', input)).toMatchObject({ status: 409 });
    expect(
      await call('POST', `/connections/${id}/message-templates`, {
        name: 'Bad',
        category: 'X',
        components: [],
      }),
    ).toMatchObject({
      status: 400,
      json: { error: { problems: [{ path: 'name' }, { path: 'category' }, { path: 'components' }] } },
    });
    expect(await call('GET', `/connections/${id}/phone-numbers?business_account_id=999`)).toMatchObject({
      status: 404,
    });
    expect(await call('GET', '/connections/nonsense/checks')).toMatchObject({ status: 404 });
  });
});

describe('notifications are subscribed at the platform, by a handshake with the route', () => {
  let platformSide: Awaited<ReturnType<typeof listenForPlatform>>;
  beforeAll(async () => {
    platformSide = await listenForPlatform(world.runtime);
  });
  afterAll(() => platformSide.close());
  const callbacks = async (accountId: string) => {
    const { data } = await world.control<{ data: { accountId: string | null; callbackUrl: string }[] }>(
      'GET',
      'subscriptions',
    );
    return data.filter((each) => each.accountId === accountId).map(({ callbackUrl }) => callbackUrl);
  };

  test('of the business account of the connection', async () => {
    const { baseUrl } = platformSide;
    const { id } = await world.connect({ accountId: PLATFORM_IDS.cafe });
    expect(await call('POST', `/connections/${id}/notifications`, undefined, baseUrl)).toMatchObject({
      status: 204,
    });
    const { url } = await getReceiver({ ...world.ctx, baseUrl }, { id });
    expect(await callbacks(PLATFORM_IDS.cafe)).toEqual([url]);
    expect(await call('DELETE', `/connections/${id}/notifications`)).toMatchObject({ status: 204 });
    expect(await callbacks(PLATFORM_IDS.cafe)).toEqual([]);
  });

  test('of the one that is named, where the connection has none', async () => {
    const { baseUrl } = platformSide;
    const { id } = await world.connect({ accountId: null });
    const path = `/connections/${id}/notifications`;
    const account = PLATFORM_IDS.cafe;
    const unknown = { status: 400, json: { error: { problems: [{ path: 'business_account_id' }] } } };
    expect(await call('POST', path)).toMatchObject(unknown);
    expect(await call('POST', path, { business_account_id: account }, baseUrl)).toMatchObject({
      status: 204,
    });
    const { url } = await getReceiver({ ...world.ctx, baseUrl }, { id });
    expect(await callbacks(PLATFORM_IDS.cafe)).toEqual([url]);
    expect(await call('DELETE', path)).toMatchObject(unknown);
    expect(await call('DELETE', `${path}?business_account_id=${account}`)).toMatchObject({ status: 204 });
    expect(await callbacks(PLATFORM_IDS.cafe)).toEqual([]);
  });
});

describe('on a platform as strict as the real one', () => {
  let platformSide: Awaited<ReturnType<typeof listenForPlatform>>;
  let elsewhere: Awaited<ReturnType<typeof listenForPlatform>>;
  beforeAll(async () => {
    platformSide = await listenForPlatform(world.runtime);
    elsewhere = await listenForPlatform(world.runtime);
    await world.control('POST', 'settings', { strict: true });
  });
  afterAll(async () => {
    platformSide.close();
    elsewhere.close();
    await world.control('POST', 'settings', { strict: false });
  });
  beforeEach(() => world.runtime.hot.query('delete from connections'));

  /** A connection whose receiver, at this address or at another one, the operator entered as the app's URL. */
  async function connect(accountId: string, appUrlAt = platformSide.baseUrl) {
    const { baseUrl } = platformSide;
    const { id } = await world.connect({ accountId });
    const { url, verifyToken } = await getReceiver({ ...world.ctx, baseUrl }, { id });
    await world.callAsApp('POST', `${world.appId}/subscriptions`, {
      object: 'whatsapp_business_account',
      callback_url: url.replace(baseUrl, appUrlAt),
      verify_token: verifyToken,
      fields: 'messages',
    });
    const notifications = (method: string) =>
      call(method, `/connections/${id}/notifications`, undefined, baseUrl);
    const finding = async () => {
      const { json } = await call('GET', `/connections/${id}/checks`, undefined, baseUrl);
      return (json as { data: { id: string; result: string; what: string }[] }).data.find(
        (check) => check.id === 'notifications',
      );
    };
    return { url, notifications, finding };
  }
  const notSubscribed = { result: 'failed', what: expect.stringContaining('not subscribed') as string };
  const changes = async () =>
    (await world.calls('target=graph&path=subscribed_apps'))
      .filter(({ method }) => method !== 'GET')
      .map(({ method, body }) => [method, body['override_callback_uri']]);

  test('the app is subscribed before the callback is overridden; unsubscribing ends what would still come here', async () => {
    const { url, notifications, finding } = await connect(PLATFORM_IDS.clinic);
    const before = (await changes()).length;
    expect(await notifications('POST')).toMatchObject({ status: 204 });
    expect((await changes()).slice(before)).toEqual([
      ['POST', undefined],
      ['POST', url],
    ]);
    expect(await finding()).toMatchObject({ result: 'ok' });
    expect(await notifications('POST')).toMatchObject({ status: 204 });
    expect(await notifications('DELETE')).toMatchObject({ status: 204 });
    expect((await changes()).slice(before + 2)).toEqual([
      ['POST', url],
      ['DELETE', undefined],
    ]);
    expect(await finding()).toMatchObject(notSubscribed);
  });

  test('unsubscribing removes the override only where the app has its URL elsewhere', async () => {
    const { notifications, finding } = await connect(PLATFORM_IDS.clinic, elsewhere.baseUrl);
    expect(await notifications('POST')).toMatchObject({ status: 204 });
    const before = (await changes()).length;
    expect(await notifications('DELETE')).toMatchObject({ status: 204 });
    expect((await changes()).slice(before)).toEqual([['POST', undefined]]);
    expect(await finding()).toMatchObject(notSubscribed);
    expect(await notifications('DELETE')).toMatchObject({ status: 204 });
    expect((await changes()).length).toBe(before + 1);
  });

  test('the entry of another app never counts as ours, whatever its callback', async () => {
    const { url, notifications, finding } = await connect(PLATFORM_IDS.bakery);
    const other = { id: '700', name: 'Another app', callback_url: url };
    await world.control('POST', `accounts/${PLATFORM_IDS.bakery}`, { other_apps: [other] });
    expect(await finding()).toMatchObject(notSubscribed);
    await world.control('POST', `accounts/${PLATFORM_IDS.bakery}`, {
      other_apps: [{ ...other, callback_url: 'https://crm.example/hook' }],
    });
    expect(await finding()).toMatchObject(notSubscribed);
    expect(await notifications('POST')).toMatchObject({ status: 204 });
    expect(await finding()).toMatchObject({ result: 'ok' });
  });
});

describe('the hook', () => {
  test('too much is refused, and a database that is away is answered with 503', async () => {
    const big = new Request('http://localhost/hooks/messaging/x', {
      method: 'POST',
      body: Buffer.alloc(5_000_001),
    });
    expect((await handleHookRequest(world.runtime, 'x', big)).status).toBe(413);
    const broken = {
      ...world.runtime,
      hot: { query: () => Promise.reject(new Error('away')) } as never,
      logger: pino({ level: 'silent' }),
    };
    const request = new Request('http://localhost/hooks/messaging/x', { method: 'POST', body: '{}' });
    expect((await handleHookRequest(broken, 'x', request)).status).toBe(503);
  });
});

test('planted secrets are nowhere: not in the log, not in any table, not in an answer of the API', async () => {
  const tokens = await world.mint();
  const secrets = [tokens.access_token, tokens.refresh_token, world.clientSecret];
  const made = await call('POST', '/connections', {
    name: 'Planted',
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
  });
  const { id } = made.json as { id: string };
  const settings = {
    app_connection_id: id,
    business_account_id: PLATFORM_IDS.books,
    phone_number_id: PLATFORM_IDS.booksOrders,
    recipient: '15550001111',
    action: 'send_template',
    template_name: 'hello_world',
  };
  await runAction(world, settings);
  const errors: unknown[] = [];
  // The platform repeats a token in its error: it must not leave this call.
  const faults = [
    {
      kind: 'error',
      code: 100,
      message: `Bad token access_token=${tokens.access_token}`,
      details: `Bearer ${tokens.access_token}`,
    },
    { kind: 'drop' },
    { kind: 'error', code: 190, times: 2 },
  ];
  for (const fault of faults) {
    await world.control('POST', 'faults', fault);
    errors.push((await failAction(world, settings)).toRunError(2));
  }
  for (const path of ['', '/checks', '/business-accounts', '/phone-numbers'])
    await call('GET', `/connections/${id}${path}`);
  const { rows } = await world.runtime.hot.query<{ dump: string }>(
    `select string_agg(query_to_xml(format('select * from %I', table_name), true, false, '')::text, '') as dump
     from information_schema.tables where table_schema = 'public'`,
  );
  expect(rows[0]?.dump).toContain('Planted');
  const places = {
    log: world.logged.join('\n'),
    tables: rows[0]?.dump ?? '',
    answers,
    errors: JSON.stringify(errors),
  };
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) expect(text.includes(secret), place).toBe(false);
  }
});
