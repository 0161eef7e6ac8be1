// A company connects its account: every step against a platform that refuses what the real one refuses (sandbox/README.md,
// "Strict"), with the product's own processes. The steps of sending are in going-live-sending.integration.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Check, Connection, PhoneNumberView, TokenView } from '#lib/messaging/connections/schema.ts';
import { IDS, OLD_PIN } from '../sandbox/data/businesses.ts';
import { type GoingLiveWorld, startGoingLiveWorld } from './testing/going-live-world.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const DAY_MS = 86_400_000;

let world: GoingLiveWorld;
beforeAll(async () => {
  world = await startGoingLiveWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.pool.query('delete from connections; delete from unrouted_notifications');
});

/** The token of a system user, as copied from the platform. */
const mint = async (input: object = {}): Promise<string> => {
  const tokens = { scopes: SCOPES, expires_in: 'never', ...input };
  return (await world.control<{ access_token: string }>('POST', 'tokens', tokens)).access_token;
};

const connectBy = (token: string, accountId: string = IDS.books): Promise<Connection> =>
  world.api('POST', '/connections', { name: 'Books', access_token: token, business_account_id: accountId });

const connect = async (accountId?: string): Promise<string> => (await connectBy(await mint(), accountId)).id;

const check = async (id: string, which: Check['id']): Promise<Check | undefined> =>
  (await world.api<{ data: Check[] }>('GET', `/connections/${id}/checks`)).data.find(
    (each) => each.id === which,
  );

const health = async (id: string) =>
  (
    await world.api<{ data: { id: string; result: string; text: string; fix: string | null }[] }>(
      'GET',
      '/health',
    )
  ).data.find((each) => each.id === id);

const daysUntil = (instant: string | null): number | null =>
  instant === null ? null : (Date.parse(instant) - Date.now()) / DAY_MS;

/** The data of an action that must succeed. */
async function done<Data>(name: string, input: object): Promise<Data> {
  const result = await world.act<Data>(name, input);
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  return result.data;
}

/** The error of a failing action. */
async function refused(name: string, input: object): Promise<string> {
  const result = await world.act(name, input);
  if (result.ok) throw new Error(`${name} worked.`);
  return [result.error.message, ...result.error.problems.map(({ message }) => message)].join(' ');
}

describe('a sign-in', () => {
  const authorizeUrl = async () => (await done<{ url: string }>('startLogin', {})).url;

  /** Goes through the platform's pages and back. @returns the URL to which the product then redirects */
  async function signIn(): Promise<string> {
    const input = { authorize_url: await authorizeUrl() };
    const { redirect_url } = await world.control<{ redirect_url: string }>('POST', 'sign-in', input);
    return (await world.visit(redirect_url)).headers.get('location') ?? '';
  }

  async function saveLogin(): Promise<Connection> {
    const loginId = new URL(await signIn()).searchParams.get('login');
    const input = { loginId, name: 'Books', businessAccountId: IDS.books, subscribes: false };
    const { id } = await done<{ id: string }>('saveLogin', input);
    return world.api('GET', `/connections/${id}`);
  }

  it('names the login configuration and no scope', async () => {
    const query = new URL(await authorizeUrl()).searchParams;
    expect(query.get('config_id')).toBe(world.settings['MESSAGING_LOGIN_CONFIG_ID']);
    expect(query.has('scope')).toBe(false);
    expect(await signIn()).toContain('/connections/new?login=');
  });

  it('works where the platform’s answer has no token_type', async () => {
    expect(await saveLogin()).toMatchObject({ status: 'connected', business_account_id: IDS.books });
  });

  it('connects until the end that the platform names', async () => {
    expect(daysUntil((await saveLogin()).ends_at)).toBeCloseTo(60, 1);
  });

  it('lasts: its token is exchanged before it ends', async () => {
    const { id } = await saveLogin();
    await world.pool.query(
      `update connections set token_issued_at = token_issued_at - interval '40 days', token_expires_at = token_expires_at - interval '40 days'`,
    );
    await world.pool.query(
      `update graphile_worker._private_jobs set run_at = now() where key = 'housekeeping'`,
    );
    await expect
      .poll(async () => daysUntil((await world.api<Connection>('GET', `/connections/${id}`)).ends_at))
      .toBeCloseTo(60, 1);
  });
});

describe('the token of a system user', () => {
  it('is shown for whom it is before anything is stored', async () => {
    const token = await done<TokenView>('describeToken', { accessToken: await mint() });
    expect(token).toMatchObject({
      holder: { kind: 'system_user', name: 'Admin' },
      scopes: SCOPES,
      endsAt: null,
    });
    expect(token.app).toContain(world.app.id);
    expect((await world.api<{ data: unknown[] }>('GET', '/connections')).data).toEqual([]);
  });

  it('becomes a connection by the form', async () => {
    const input = {
      accessToken: await mint(),
      name: 'Books',
      businessAccountId: IDS.books,
      subscribes: true,
    };
    const { id, problem } = await done<{ id: string; problem: string | null }>('connectToken', input);
    expect(problem).toBeNull();
    expect(await world.api('GET', `/connections/${id}`)).toMatchObject({
      status: 'connected',
      ends_at: null,
    });
  });

  it('becomes a connection by the API, which refuses one that the platform does not know', async () => {
    expect(await connectBy(await mint())).toMatchObject({ status: 'connected', ends_at: null });
    await expect(connectBy('made-up', IDS.clinic)).rejects.toThrow(/400 .*Copy all of it again/);
  });

  it('is looked up with the token of the app', async () => {
    await connect();
    const asked = (await world.graphCalls()).filter(({ path }) => path.endsWith('debug_token'));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ status }) => status === 200)).toBe(true);
  });

  it('finds the accounts that its grants name, also where businesses may not be listed', async () => {
    const { accounts } = await done<TokenView>('describeToken', { accessToken: await mint() });
    expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining([IDS.books, IDS.bookEvents]));
    const scopes = ['business_management', ...SCOPES];
    const both = await done<TokenView>('describeToken', { accessToken: await mint({ scopes }) });
    expect(both.accounts.map(({ id }) => id)).not.toContain(IDS.verifiedBusiness);
  });

  it('connects an account that is entered by hand, unless it does not answer', async () => {
    const accessToken = await mint({ account: 'visitor' });
    const input = { accessToken, name: 'Books', businessAccountId: IDS.books, subscribes: false };
    expect(await refused('connectToken', input)).toContain(`cannot access the business account ${IDS.books}`);
    const own = { ...input, accessToken: await mint(), businessAccountId: IDS.cafe };
    expect(await done('connectToken', own)).toMatchObject({ problem: null });
  });

  it('with manage_events in place of management has all that is needed', async () => {
    const scopes = ['whatsapp_business_manage_events', 'whatsapp_business_messaging'];
    const { id } = await connectBy(await mint({ scopes }));
    expect(await check(id, 'scopes')).toMatchObject({ result: 'ok' });
  });
});

describe('the numbers of an account', () => {
  const numbers = async (id: string) =>
    (await world.api<{ data: PhoneNumberView[] }>('GET', `/connections/${id}/phone-numbers`)).data;
  const register = (id: string, pin: string): Promise<void> =>
    world.api('POST', `/connections/${id}/phone-numbers/${IDS.eventsOld}/register`, { pin });
  const stateOf = async (id: string) =>
    (await numbers(id)).find((number) => number.id === IDS.eventsOld)?.status;

  it('are listed with their state', async () => {
    await world.control('POST', `phone-numbers/${IDS.events}`, { status: 'PENDING' });
    const id = await connect(IDS.bookEvents);
    expect((await numbers(id)).map(({ status }) => status)).toEqual(['PENDING', 'DISCONNECTED']);
    expect(await check(id, 'numbers')).toMatchObject({
      result: 'warning',
      fix: expect.stringContaining('Register') as string,
    });
  });

  it('are registered with their PIN', async () => {
    const id = await connect(IDS.bookEvents);
    await register(id, OLD_PIN);
    expect(await stateOf(id)).toBe('CONNECTED');
  });

  it('say that a PIN is wrong, and stay as they are', async () => {
    const id = await connect(IDS.bookEvents);
    await expect(register(id, '111111')).rejects.toThrow(/400 .*PIN/);
    expect(await stateOf(id)).toBe('DISCONNECTED');
  });

  it('say when too many PINs were tried, and when to try again', async () => {
    const id = await connect(IDS.bookEvents);
    for (let count = 0; count < 10; count += 1) await register(id, '111111').catch(() => undefined);
    await expect(register(id, OLD_PIN)).rejects.toThrow(/72 hours/);
  });
});

describe('notifications', () => {
  const subscribe = (id: string) => world.api('POST', `/connections/${id}/notifications`);
  const appUrl = () => `${world.base}/hooks/messaging`;
  const appSubscription = async () =>
    (
      (await world.asApp('GET', `${world.app.id}/subscriptions`)) as {
        data: { callback_url: string; fields: { name: string }[] }[];
      }
    ).data;
  const overrides = async () => {
    type Listed = { accountId: string | null; callbackUrl: string };
    const { data } = await world.control<{ data: Listed[] }>('GET', 'subscriptions');
    return data.filter(({ accountId }) => accountId === IDS.books).map(({ callbackUrl }) => callbackUrl);
  };

  it('of the app are asked for, with its own token and the field of messages', async () => {
    await subscribe(await connect());
    const [subscription] = await appSubscription();
    expect(subscription?.callback_url).toBe(appUrl());
    expect(subscription?.fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['messages', 'message_template_status_update']),
    );
  });

  it('of the account come to the connection: the account is subscribed first, then the override is set', async () => {
    const id = await connect();
    await subscribe(id);
    expect(await overrides()).toEqual([expect.stringContaining(`${appUrl()}/`)]);
    const posts = await world.graphCalls('method=POST');
    const bodies = posts
      .filter(({ path }) => path.endsWith('subscribed_apps'))
      .map(({ body }) => Object.keys(body).length);
    expect(bodies).toEqual([0, 2]);
    expect(await check(id, 'notifications')).toMatchObject({ result: 'ok' });
  });

  it('end with the override, and leave what other apps have', async () => {
    await world.control('POST', `accounts/${IDS.books}`, {
      other_apps: [{ name: 'Another app', callback_url: 'https://other.example/' }],
    });
    const id = await connect();
    await subscribe(id);
    await world.api('DELETE', `/connections/${id}/notifications`);
    expect(await overrides()).toEqual([]);
    expect(await check(id, 'notifications')).not.toMatchObject({ result: 'ok' });
  });

  it('reach the connection when a customer writes', async () => {
    const id = await connect();
    await subscribe(id);
    await world.control('POST', 'customer-messages', {
      customer: '4915557010123',
      phone_number_id: IDS.booksOrders,
      text: 'Hello!',
    });
    await expect
      .poll(async () => (await check(id, 'notifications'))?.what)
      .toMatch(/The last one was received on/);
  });

  it('about templates come to the app’s receiver and reach the connection of the account', async () => {
    const id = await connect();
    await subscribe(id);
    const { data } = await world.api<{ data: { id: string }[] }>(
      'GET',
      `/connections/${id}/message-templates`,
    );
    await world.control('POST', `templates/${data[0]?.id}`, { status: 'PAUSED' });
    const found = () => world.pool.query(`select 1 from received_changes where connection_id = $1`, [id]);
    await expect.poll(async () => (await found()).rowCount).toBeGreaterThan(0);
  });

  it('of an account that nobody connected are answered with 200 and recorded', async () => {
    const entry = {
      id: '299999999999999',
      changes: [{ field: 'account_alerts', value: { alert_info: {} } }],
    };
    expect((await world.notify({ object: 'whatsapp_business_account', entry: [entry] })).status).toBe(200);
    const { rows } = await world.pool.query('select business_account_id from unrouted_notifications');
    expect(rows).toEqual([{ business_account_id: '299999999999999' }]);
  });

  it('that are signed with another secret are refused', async () => {
    expect((await world.notify({ object: 'whatsapp_business_account', entry: [] }, 'another')).status).toBe(
      403,
    );
  });

  it('that the app is not subscribed to are told by the health page', async () => {
    await world
      .asApp('POST', `${world.app.id}/subscriptions`, {
        object: 'whatsapp_business_account',
        callback_url: appUrl(),
        verify_token: 'wrong',
        fields: 'account_update',
      })
      .catch(() => undefined);
    expect(await health('notifications')).toMatchObject({
      result: 'failed',
      text: expect.stringContaining('not subscribed') as string,
    });
  });
});

it('an expiring version of the API is told by the health page, and the version of the settings is the one that is asked', async () => {
  await connect();
  expect(new Set((await world.graphCalls()).map(({ version }) => version))).toEqual(
    new Set([world.settings['MESSAGING_GRAPH_VERSION']]),
  );
  expect(await health('platform')).toMatchObject({
    result: 'ok',
    text: expect.stringContaining('available until') as string,
  });
});
