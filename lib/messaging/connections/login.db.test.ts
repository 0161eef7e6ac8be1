import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BASE_URL,
  type MessagingWorld,
  type OpenedRuntime,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { inspectToken } from '#lib/messaging/platform/inspect-token.ts';
import { checkConnection } from './check-connection.ts';
import { createConnection } from './create-connection.ts';
import { finishLogin, type LoginAnswer } from './login/finish-login.ts';
import { getConnection, listConnections } from './connections.ts';
import { inspectConnection } from './inspect-connection.ts';
import { listBusinessAccounts, listPhoneNumbers } from './list-accounts.ts';
import type { LoginOrigin } from './login/login.ts';
import { refreshDueConnections } from './tokens/refresh-due-connections.ts';
import { listLoginAccounts, saveLogin } from './login/save-login.ts';
import { sendSampleMessage } from '#lib/messaging/send-sample-message.ts';
import { startLogin } from './login/start-login.ts';
import { withAccessToken } from './tokens/access-token.ts';

const userId = 'user-1';

let world: MessagingWorld;

beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.runtime.hot.query('delete from connections; delete from connection_logins');
  await world.control('DELETE', 'faults');
});

/** The browser's part: from our URL through the login pages, back to ours. */
async function goThrough(
  url: string,
  input: object = {},
): Promise<Required<Pick<LoginAnswer, 'state'>> & Omit<LoginAnswer, 'userId'>> {
  const { redirect_url } = await world.control<{ redirect_url: string }>('POST', 'sign-in', {
    authorize_url: url,
    ...input,
  });
  expect(redirect_url.startsWith(`${BASE_URL}/oauth/callback?`)).toBe(true);
  const query = new URL(redirect_url).searchParams;
  const given = (name: string) => query.get(name) ?? undefined;
  const answer = { code: given('code'), error: given('error'), issuer: given('iss') };
  return { state: given('state') ?? '', ...answer };
}

interface Login {
  account?: string;
  scopes?: string[];
  connectionId?: string;
  origin?: LoginOrigin;
}

async function login({ connectionId, origin, ...signIn }: Login = {}) {
  const { url } = await startLogin(world.ctx, { userId, connectionId, origin });
  return finishLogin(world.ctx, { userId, ...(await goThrough(url, signIn)) });
}

async function connect(businessAccountId: string = PLATFORM_IDS.books) {
  const finished = await login();
  if (finished.next !== 'choose_account') throw new Error('A new connection chooses its account.');
  const { loginId } = finished;
  const saved = await saveLogin(world.ctx, { loginId, userId, name: 'Books', businessAccountId });
  return saved.connection;
}

describe('spec, Authentication 1: log in, grant, choose the business account, save', () => {
  test('the whole way; the connection works', async () => {
    const finished = await login();
    const loginId = finished.next === 'choose_account' ? finished.loginId : '';
    const accounts = await listLoginAccounts(world.ctx, { loginId, userId });
    expect(accounts.map(({ id, relation }) => [id, relation])).toEqual([
      [PLATFORM_IDS.books, 'owned'],
      [PLATFORM_IDS.bookEvents, 'owned'],
      [PLATFORM_IDS.clinic, 'client'],
      [PLATFORM_IDS.bakery, 'owned'],
      [PLATFORM_IDS.cafe, 'client'],
    ]);
    const { connection, origin } = await saveLogin(world.ctx, {
      loginId,
      userId,
      name: 'Clinic',
      businessAccountId: PLATFORM_IDS.clinic,
    });
    expect(connection).toMatchObject({
      name: 'Clinic',
      business_account_id: PLATFORM_IDS.clinic,
      business_account_name: 'Lakeside Clinic',
      status: 'connected',
      scopes: ['chat_business_management', 'chat_business_messaging'],
      refreshes_itself: true,
    });
    expect(origin).toBeUndefined();
    await expect(withAccessToken(world.ctx, connection.id, inspectToken)).resolves.toBeDefined();
    await expect(listLoginAccounts(world.ctx, { loginId, userId })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('where no sign-in is set up, the way with a token is named', async () => {
    const platform = { ...world.ctx.platform, authorizeUrl: undefined };
    await expect(startLogin({ ...world.ctx, platform }, { userId })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Use the access token of a system user') as string,
    });
  });

  test('a login that a task started knows its way back, new and connected again', async () => {
    const origin = { workflowId: '01a1f939-22c2-700b-bc00-019d9e7cd1b0', taskId: 3 };
    const finished = await login({ origin });
    const loginId = finished.next === 'choose_account' ? finished.loginId : '';
    const account = { name: 'Books', businessAccountId: PLATFORM_IDS.books };
    const saved = await saveLogin(world.ctx, { loginId, userId, ...account });
    expect(saved.origin).toEqual(origin);
    const connectionId = saved.connection.id;
    expect(await login({ connectionId, origin })).toEqual({ next: 'done', connectionId, origin });
  });

  test('a login whose form is sent twice at once is saved once', async () => {
    const finished = await login();
    const loginId = finished.next === 'choose_account' ? finished.loginId : '';
    const saves = await Promise.allSettled(
      [PLATFORM_IDS.books, PLATFORM_IDS.clinic].map((businessAccountId) =>
        saveLogin(world.ctx, { loginId, userId, name: 'Once', businessAccountId }),
      ),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await listConnections(world.ctx, { limit: 10 })).data).toHaveLength(1);
  });

  test('spec, Authentication 6: one connection for each business account', async () => {
    await connect();
    await expect(connect()).rejects.toMatchObject({ code: 'conflict' });
    await connect(PLATFORM_IDS.bookEvents);
    expect(
      (await listConnections(world.ctx, { limit: 10 })).data.map((each) => each.business_account_id),
    ).toEqual([PLATFORM_IDS.bookEvents, PLATFORM_IDS.books]);
  });

  test('an account that the login does not reach cannot be chosen', async () => {
    await expect(connect('999')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('an account without rights: account discovery finds none', async () => {
    const finished = await login({ account: 'visitor' });
    const loginId = finished.next === 'choose_account' ? finished.loginId : '';
    expect(await listLoginAccounts(world.ctx, { loginId, userId })).toEqual([]);
  });
});

describe('on a platform as strict as the real one', () => {
  const configurationId = '800000000000001';
  const grants = ['whatsapp_business_management', 'whatsapp_business_messaging'];
  const everyAccount = ['books', 'bookEvents', 'clinic', 'bakery', 'cafe'] as const;
  let process: OpenedRuntime;
  let ctx: typeof world.ctx;
  beforeAll(async () => {
    process = world.openRuntime({ MESSAGING_LOGIN_CONFIG_ID: configurationId });
    ctx = world.contextOf(process);
    await world.control('POST', 'settings', { strict: true });
  });
  beforeEach(() => world.control('POST', 'settings', { login_scopes: ['business_management', ...grants] }));
  afterAll(async () => {
    await world.control('POST', 'settings', { strict: false });
    await process.close();
  });

  async function signIn() {
    const { url } = await startLogin(ctx, { userId });
    const finished = await finishLogin(ctx, { userId, ...(await goThrough(url)) });
    const loginId = finished.next === 'choose_account' ? finished.loginId : '';
    const accounts = await listLoginAccounts(ctx, { loginId, userId });
    const save = async () => {
      const account = { name: 'Books', businessAccountId: PLATFORM_IDS.books };
      return (await saveLogin(ctx, { loginId, userId, ...account })).connection;
    };
    return { url, accounts, save };
  }
  const idsOf = (accounts: readonly { id: string }[]) => accounts.map(({ id }) => id).sort();
  const everyId = () => everyAccount.map((name) => PLATFORM_IDS[name]).sort();

  test('the login names its configuration and no scope; an answer with a token alone is enough', async () => {
    const { url, accounts, save } = await signIn();
    const query = new URL(url).searchParams;
    expect([query.get('config_id'), query.get('scope')]).toEqual([configurationId, null]);
    expect(idsOf(accounts)).toEqual(everyId());
    const connection = await save();
    expect(connection).toMatchObject({ status: 'connected', refreshes_itself: false });
    const days = (Date.parse(connection.ends_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(60, 1);
  });

  test('accounts are found by the grants of the token, which only the app may ask about', async () => {
    await world.control('POST', 'settings', { login_scopes: grants });
    const { accounts, save } = await signIn();
    expect(accounts.map(({ relation }) => relation)).toEqual(everyAccount.map(() => 'granted'));
    expect(idsOf(accounts)).toEqual(everyId());
    const { id } = await save();
    const checks = await checkConnection(ctx, { id });
    expect(checks.slice(0, 3)).toMatchObject([
      { id: 'token', result: 'ok' },
      { id: 'scopes', result: 'ok' },
      { id: 'accounts', result: 'ok' },
    ]);
    await inspectConnection(ctx, id);
    expect(await getConnection(ctx, { id })).toMatchObject({ status: 'connected', scopes: grants });
  });

  test('a refusal of the app is no refusal of the token', async () => {
    const { save } = await signIn();
    const { id } = await save();
    await world.control('POST', 'faults', { kind: 'error', code: 190, path: 'debug_token', times: 3 });
    expect((await checkConnection(ctx, { id }))[0]).toMatchObject({
      id: 'token',
      result: 'warning',
      what: expect.stringContaining('MESSAGING_CLIENT_ID') as string,
    });
    expect(await inspectConnection(ctx, id)).toBe(true);
    await world.control('DELETE', 'faults');
    expect(await getConnection(ctx, { id })).toMatchObject({ status: 'connected', check_problem: null });
  });
});

describe('state', () => {
  test('works once', async () => {
    const { url } = await startLogin(world.ctx, { userId });
    const answer = await goThrough(url);
    await finishLogin(world.ctx, { userId, ...answer });
    await expect(finishLogin(world.ctx, { userId, ...answer })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('is bound to who started it, and to the workspace', async () => {
    const { url } = await startLogin(world.ctx, { userId });
    const answer = await goThrough(url);
    await expect(finishLogin(world.ctx, { userId: 'user-2', ...answer })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const elsewhere = { ...world.ctx, workspaceId: '00000000-0000-7000-8000-000000000001' };
    await expect(finishLogin(elsewhere, { userId, ...answer })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await finishLogin(world.ctx, { userId, ...answer })).toMatchObject({ next: 'choose_account' });
  });

  test('ends after a while', async () => {
    const { url } = await startLogin(world.ctx, { userId });
    await world.runtime.hot.query(`update connection_logins set expires_at = now() - interval '1 second'`);
    await expect(finishLogin(world.ctx, { userId, ...(await goThrough(url)) })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('a login that was cancelled says so, and a forged code connects nothing', async () => {
    const { url } = await startLogin(world.ctx, { userId });
    await expect(
      finishLogin(world.ctx, { userId, ...(await goThrough(url, { decision: 'cancel' })) }),
    ).rejects.toThrow(/cancelled/);
    const answer = await goThrough((await startLogin(world.ctx, { userId })).url);
    await expect(finishLogin(world.ctx, { userId, ...answer, code: 'forged' })).rejects.toMatchObject({
      code: 'upstream_failed',
    });
    expect((await listConnections(world.ctx, { limit: 10 })).data).toEqual([]);
  });

  test('RFC 9207: an answer of another issuer is refused, and one without where the issuer is known', async () => {
    const [known, unknown] = ['https://login.example', undefined].map((issuer) => ({
      ...world.ctx,
      platform: { ...world.ctx.platform, issuer },
    }));
    const finish = async (ctx: typeof world.ctx | undefined, change: Partial<LoginAnswer>) => {
      const answer = await goThrough((await startLogin(world.ctx, { userId })).url);
      return finishLogin(ctx ?? world.ctx, { userId, ...answer, ...change });
    };
    const wrongIssuer = { code: 'invalid_request', problem: 'wrong_issuer' };
    await expect(finish(known, {})).rejects.toMatchObject(wrongIssuer);
    await expect(finish(known, { issuer: undefined })).rejects.toMatchObject(wrongIssuer);
    await expect(finish(known, { issuer: 'https://login.example' })).resolves.toBeDefined();
    await expect(finish(unknown, { issuer: 'https://login.example' })).rejects.toMatchObject(wrongIssuer);
    await expect(finish(unknown, { issuer: 'no URL' })).rejects.toMatchObject(wrongIssuer);
    await expect(finish(unknown, {})).resolves.toBeDefined();
    await expect(finish(unknown, { issuer: undefined })).resolves.toBeDefined();
  });

  test('the authorize URL has PKCE S256, the scopes and the redirect URI of the settings', async () => {
    const query = new URL((await startLogin(world.ctx, { userId })).url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirect_uri: `${BASE_URL}/oauth/callback`,
      scope: 'chat_business_management chat_business_messaging',
    });
  });
});

describe('reconnecting', () => {
  test('keeps the id, and mends a connection that needed it', async () => {
    const { id } = await connect();
    await world.runtime.hot.query(
      `update connections set status = 'needs_reconnecting', status_reason = 'It broke.'`,
    );
    expect(await getConnection(world.ctx, { id })).toMatchObject({
      status: 'needs_reconnecting',
      status_reason: 'It broke.',
    });
    expect(await login({ connectionId: id })).toEqual({ next: 'done', connectionId: id });
    expect(await getConnection(world.ctx, { id })).toMatchObject({
      id,
      status: 'connected',
      status_reason: null,
    });
  });

  test('with a login that does not reach its business account changes nothing', async () => {
    const { id } = await connect();
    await expect(login({ connectionId: id, account: 'visitor' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(withAccessToken(world.ctx, id, inspectToken)).resolves.toBeDefined();
  });
});

describe('what the screens show', () => {
  test('numbers with their quality, of the own and of another account', async () => {
    const { id } = await connect();
    expect(await listPhoneNumbers(world.ctx, { id })).toMatchObject([
      {
        id: PLATFORM_IDS.booksOrders,
        quality_rating: 'GREEN',
        messaging_limit_tier: 'TIER_100K',
        status: 'CONNECTED',
      },
      { id: PLATFORM_IDS.booksSupport, quality_rating: 'YELLOW' },
    ]);
    expect(await listPhoneNumbers(world.ctx, { id, businessAccountId: PLATFORM_IDS.clinic })).toMatchObject([
      { quality_rating: 'UNKNOWN' },
    ]);
    expect(await listBusinessAccounts(world.ctx, { id })).toHaveLength(5);
  });

  test('spec, Errors: account discovery failure', async () => {
    const { id } = await world.connect({ accountId: null });
    await world.control('POST', 'faults', { kind: 'error', code: 200, path: 'businesses' });
    await world.control('POST', 'faults', { kind: 'error', code: 200, path: 'debug_token' });
    await expect(listBusinessAccounts(world.ctx, { id })).rejects.toThrow(
      /^Account discovery failure: Insufficient permissions/,
    );
    await world.control('DELETE', 'faults');
  });

  test('a connection without a refresh token shows when it ends, and asks to be renewed in time', async () => {
    const { access_token } = await world.mint({ expires_in: 86_400 * 30 });
    const { id } = await createConnection(world.ctx, { name: 'Long', access_token });
    const connection = await getConnection(world.ctx, { id });
    expect(connection).toMatchObject({ status: 'connected', refreshes_itself: false });
    expect(Date.parse(connection.ends_at ?? '') - Date.now()).toBeGreaterThan(86_400_000 * 29);
    await world.runtime.hot.query(`update connections set token_expires_at = now() + interval '50 hours'`);
    expect(await getConnection(world.ctx, { id })).toMatchObject({
      status: 'expires_soon',
      status_reason: expect.stringMatching(/3 days/) as string,
    });
    await world.runtime.hot.query(`update connections set token_expires_at = now() - interval '1 second'`);
    expect(await getConnection(world.ctx, { id })).toMatchObject({ status: 'needs_reconnecting' });
  });

  test('a token that the platform does not know makes no connection', async () => {
    await expect(createConnection(world.ctx, { name: 'X', access_token: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('the health check', () => {
  /** The result of every check is whole sentences, whatever their parts are. */
  const check = async (id: string) => {
    const checks = await checkConnection(world.ctx, { id });
    for (const { what } of checks) expect(what).toMatch(/^(?!.*\.\.).*[^.]\.$/);
    return checks;
  };
  const resultsOf = async (id: string) =>
    Object.fromEntries((await check(id)).map(({ id: name, result }) => [name, result]));

  test('a good connection whose notifications are not subscribed', async () => {
    const { id } = await connect(PLATFORM_IDS.clinic);
    expect(await resultsOf(id)).toEqual({
      token: 'ok',
      scopes: 'ok',
      accounts: 'ok',
      numbers: 'ok',
      sending: 'warning',
      notifications: 'failed',
    });
  });

  test('each thing that is wrong is said, with how to fix it', async () => {
    const { id } = await connect(PLATFORM_IDS.bookEvents);
    const numbers = (await check(id)).find(({ id: name }) => name === 'numbers');
    expect(numbers).toMatchObject({
      result: 'warning',
      what: expect.stringMatching(/Low quality/) as string,
      fix: expect.any(String) as string,
    });
    const { id: limited } = await world.connect({
      tokens: await world.mint({ scopes: ['chat_business_messaging'] }),
      accountId: null,
    });
    expect(await resultsOf(limited)).toMatchObject({
      scopes: 'failed',
      accounts: 'failed',
      numbers: 'warning',
    });
    const { id: visitor } = await world.connect({
      tokens: await world.mint({ account: 'visitor' }),
      accountId: null,
    });
    expect(await resultsOf(visitor)).toMatchObject({ token: 'ok', accounts: 'failed' });
    await world.control('POST', 'tokens/revoke', {});
    const checks = await check(id);
    expect(checks[0]).toMatchObject({ id: 'token', result: 'failed', fix: 'Reconnect the connection.' });
  });

  test('a test message arrives', async () => {
    const { id } = await connect();
    const phoneNumberId = PLATFORM_IDS.booksOrders;
    const messageId = await sendSampleMessage(world.ctx, {
      id,
      phoneNumberId,
      recipient: '+1 555 000 1111',
      message: { templateName: 'hello_world' },
    });
    expect((await world.messages('to=15550001111')).map((message) => message.id)).toEqual([messageId]);
    await expect(
      sendSampleMessage(world.ctx, { id, phoneNumberId, recipient: '15559990001', message: { text: 'Hi' } }),
    ).rejects.toThrow(/^Window expired/);
  });
});

test('a connection that nobody uses is refreshed from time to time', async () => {
  const { id } = await connect();
  expect(await refreshDueConnections(world.ctx)).toBe(0);
  await world.runtime.hot.query(
    `update connections set token_issued_at = now() - interval '8 days', token_expires_at = now() - interval '7 days'`,
  );
  expect(await refreshDueConnections(world.ctx)).toBe(1);
  await expect(withAccessToken(world.ctx, id, inspectToken)).resolves.toBeDefined();
});
