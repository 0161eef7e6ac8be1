// A company without a login setup pastes the token of its system user, on a platform as strict as the real one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import {
  type MessagingWorld,
  type OpenedRuntime,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { checkConnection } from './check-connection.ts';
import { connectToken, describeToken, reconnectToken } from './connect-token.ts';
import type { MessagingActorContext } from './context.ts';
import { createConnection } from './create-connection.ts';
import { finishLogin } from './login/finish-login.ts';
import { getConnection } from './connections.ts';
import { inspectConnection } from './inspect-connection.ts';
import { listBusinessAccounts } from './list-accounts.ts';
import { listLoginAccounts, saveLogin } from './login/save-login.ts';
import { startLogin } from './login/start-login.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const userId = 'user-1';

let world: MessagingWorld;
let runtime: OpenedRuntime;
let ctx: MessagingActorContext;

beforeAll(async () => {
  world = await startMessagingWorld({}, { strict: true });
  runtime = world.openRuntime({
    MESSAGING_GRAPH_VERSION: 'v24.0',
    MESSAGING_LOGIN_CONFIG_ID: '800000000000001',
  });
  ctx = world.ctx;
});
afterAll(async () => {
  await runtime.close();
  await world.end();
});
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.runtime.hot.query(
    'delete from connections; delete from connection_logins; delete from audit_entries',
  );
});

const mint = async (more: object = {}): Promise<string> =>
  (await world.mint({ scopes: SCOPES, expires_in: 'never', ...more })).access_token;
const connect = async (accessToken?: string, businessAccountId: string = PLATFORM_IDS.books) =>
  connectToken(ctx, { accessToken: accessToken ?? (await mint()), name: 'Books', businessAccountId });
/** Like the API. */
const create = async (accessToken?: string, business_account_id: string = PLATFORM_IDS.books) =>
  createConnection(ctx, { name: 'Books', access_token: accessToken ?? (await mint()), business_account_id });
const audited = async () => (await listAuditEntries(ctx, { limit: 10 })).data.map(({ action }) => action);
const countConnections = async () => (await world.runtime.hot.query('select 1 from connections')).rowCount;

describe('a token is shown for whom it is before it is stored', () => {
  test('that of a system user, with its app, its scopes and the accounts in its reach', async () => {
    const view = await describeToken(ctx, { accessToken: await mint() });
    expect(view).toMatchObject({
      app: `Sandbox app (${world.appId})`,
      holder: { kind: 'system_user', name: 'Admin' },
      scopes: SCOPES,
      endsAt: null,
    });
    expect(view.accounts.map(({ id }) => id)).toContain(PLATFORM_IDS.books);
    expect(await countConnections()).toBe(0);
  });

  test('that of a person, with its end', async () => {
    const view = await describeToken(ctx, { accessToken: await mint({ expires_in: 86_400 }) });
    expect(view.holder.kind).toBe('person');
    expect((Date.parse(view.endsAt ?? '') - Date.now()) / 3_600_000).toBeCloseTo(24, 0);
  });

  test('one whose accounts cannot be listed leaves the ID to be entered', async () => {
    const accessToken = await mint({ scopes: [] });
    expect(await describeToken(ctx, { accessToken })).toMatchObject({ accounts: [] });
  });
});

describe('a token that is no good says why, at its field, and nothing is stored', () => {
  const refused = async (accessToken: string) => {
    const answers = [describeToken(ctx, { accessToken }), connect(accessToken), create(accessToken)];
    const [one, ...others] = await Promise.all(
      answers.map((answer: Promise<unknown>) => answer.catch((error: unknown) => error as Error)),
    );
    for (const other of others) expect(other).toMatchObject({ message: (one as Error).message });
    expect(await countConnections()).toBe(0);
    return one;
  };
  const at = (path: string, advice: RegExp) => ({
    code: 'invalid_request',
    problems: [{ path, message: expect.stringMatching(advice) as string }],
  });

  test('one that is made up, and one that has ended', async () => {
    const invalid = { message: 'Invalid or expired access token' };
    expect(await refused('made-up')).toMatchObject({ ...invalid, ...at('access_token', /^Copy all of it/) });
    const ended = await mint();
    await world.control('POST', 'tokens/expire', { token: ended });
    expect(await refused(ended)).toMatchObject({ ...invalid, ...at('access_token', /generate another/) });
  });

  test('one of another app', async () => {
    const message = '(#100) The App_id in the input_token did not match the Viewing App';
    await world.control('POST', 'faults', {
      kind: 'error',
      code: 100,
      path: 'debug_token',
      times: 3,
      message,
    });
    expect(await refused(await mint())).toMatchObject({
      message: 'This token belongs to another app.',
      ...at('access_token', new RegExp(`the app ${world.appId}, which MESSAGING_CLIENT_ID names`)),
    });
  });

  test('that of the app itself', async () => {
    const token = `${world.appId}|${world.clientSecret}`;
    expect(await refused(token)).toMatchObject(at('access_token', /system user/));
  });

  test('on an installation that does not know the secret of its app', async () => {
    const platform = { ...ctx.platform, appSecret: undefined };
    const accessToken = await mint();
    await expect(describeToken({ ...ctx, platform }, { accessToken })).rejects.toThrow(
      /MESSAGING_CLIENT_SECRET/,
    );
  });

  test('an account that it cannot see, one that does not exist, and the ID of a number', async () => {
    const strangers = await mint({ account: 'visitor' });
    const refusal = at('business_account_id', /neither that of the business nor of a phone number/);
    for (const store of [connect, create]) {
      await expect(store(strangers)).rejects.toMatchObject(refusal);
      for (const id of ['999', PLATFORM_IDS.booksOrders, PLATFORM_IDS.verifiedBusiness])
        await expect(store(undefined, id)).rejects.toMatchObject(refusal);
    }
    expect(await countConnections()).toBe(0);
    expect(await audited()).toEqual([]);
  });
});

describe('a token is stored', () => {
  test('for its account, with an entry in the audit log; the account is connected once', async () => {
    expect(await connect()).toMatchObject({
      name: 'Books',
      status: 'connected',
      business_account_id: PLATFORM_IDS.books,
      business_account_name: 'Harbour Street Books',
      scopes: SCOPES,
      ends_at: null,
    });
    expect(await audited()).toEqual(['connection.created']);
    await expect(connect()).rejects.toMatchObject({ code: 'conflict' });
  });

  test('by the API with the name of its account; also where the platform gives no answer, then without it', async () => {
    expect(await create()).toMatchObject({
      business_account_name: 'Harbour Street Books',
      status: 'connected',
    });
    await world.runtime.hot.query('delete from connections');
    const accessToken = await mint();
    for (const path of ['debug_token', `${PLATFORM_IDS.books}/phone_numbers`])
      await world.control('POST', 'faults', { kind: 'error', http_status: 503, path, times: 9 });
    expect(await create(accessToken)).toMatchObject({
      business_account_id: PLATFORM_IDS.books,
      business_account_name: null,
    });
  });

  test('in place of one that was revoked: the connection keeps its id', async () => {
    const { id } = await connect();
    await world.control('POST', 'tokens/revoke', {});
    await inspectConnection(ctx, id);
    expect(await getConnection(ctx, { id })).toMatchObject({ status: 'needs_reconnecting' });
    const strangers = await mint({ account: 'visitor' });
    await expect(reconnectToken(ctx, { id, accessToken: strangers })).rejects.toMatchObject({
      problems: [{ path: 'business_account_id' }],
    });
    await reconnectToken(ctx, { id, accessToken: await mint() });
    expect(await getConnection(ctx, { id })).toMatchObject({ id, status: 'connected', status_reason: null });
    expect(await audited()).toContain('connection.reconnected');
  });
});

describe('access is judged by what the account answers', () => {
  /** The scopes that the platform returned, with unknown names. */
  const rename = (id: string, scopes: string[]) =>
    world.runtime.hot.query('update connections set scopes = $2 where id = $1', [id, scopes]);
  const resultsOf = async (id: string) =>
    Object.fromEntries((await checkConnection(ctx, { id })).map((check) => [check.id, check.result]));

  test('whatever the scopes are called, as far as an answer proves them', async () => {
    const { id } = await connect();
    await inspectConnection(ctx, id);
    await rename(id, ['whatsapp_business_accounts', 'whatsapp_business_messaging']);
    expect(await getConnection(ctx, { id })).toMatchObject({ status: 'connected' });
    await rename(id, ['whatsapp_business_accounts']);
    expect(await getConnection(ctx, { id })).toMatchObject({
      status: 'needs_reconnecting',
      status_reason: expect.stringContaining('chat_business_messaging') as string,
    });
  });

  test('where nothing can be listed, its own account is all that counts', async () => {
    const { id } = await connect();
    await world.control('POST', 'faults', { kind: 'error', code: 200, path: 'debug_token', times: 4 });
    expect(await listBusinessAccounts(ctx, { id })).toEqual([
      { id: PLATFORM_IDS.books, name: 'Harbour Street Books', business_name: null, relation: 'granted' },
    ]);
    expect(await resultsOf(id)).toMatchObject({ scopes: 'ok', accounts: 'ok' });
  });

  test('an account that refuses is out of reach, though the token names it', async () => {
    const { id } = await connect();
    const fault = { kind: 'error', code: 10, path: `${PLATFORM_IDS.books}/phone_numbers` };
    await world.control('POST', 'faults', fault);
    expect(await resultsOf(id)).toMatchObject({ token: 'ok', accounts: 'failed' });
  });

  test('a login whose accounts cannot be listed is saved for the ID that was entered, if that answers', async () => {
    const configured = world.contextOf(runtime);
    const { url } = await startLogin(configured, { userId });
    const { redirect_url: answered } = await world.control<{ redirect_url: string }>('POST', 'sign-in', {
      authorize_url: url,
    });
    const query = new URL(answered).searchParams;
    const [state, code] = [query.get('state') ?? '', query.get('code') ?? ''];
    const finished = await finishLogin(configured, { userId, state, code });
    const loginId = finished.next === 'choose_account' ? finished.loginId : '';
    for (const path of ['businesses', 'debug_token'])
      await world.control('POST', 'faults', { kind: 'error', code: 200, path, times: 9 });
    await expect(listLoginAccounts(configured, { loginId, userId })).rejects.toThrow(/discovery failure/);
    const save = (businessAccountId: string) =>
      saveLogin(configured, { loginId, userId, name: 'Books', businessAccountId });
    await expect(save('999')).rejects.toMatchObject({ problems: [{ path: 'business_account_id' }] });
    expect((await save(PLATFORM_IDS.books)).connection).toMatchObject({
      status: 'connected',
      business_account_name: 'Harbour Street Books',
    });
  });
});
