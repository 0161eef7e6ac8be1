// A company connects its real account according to docs/guides/connect-the-platform.md, against a sandbox that refuses what the
// real platform refuses (sandbox/README.md, "Strict").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withDownloadedMedia } from '#lib/messaging/media/download-media.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { callGraph } from '#lib/messaging/platform/graph.ts';
import { listEvents } from '#lib/events/read-events.ts';
import { sendSampleMessage } from '#lib/messaging/send-sample-message.ts';
import { listenForPlatform } from '#lib/messaging/testing/listen-for-platform.ts';
import {
  type MessagingWorld,
  type OpenedRuntime,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { checkConnection } from './check-connection.ts';
import type { MessagingActorContext } from './context.ts';
import { createConnection } from './create-connection.ts';
import { getConnection } from './connections.ts';
import { getReceiver } from './receivers.ts';
import { inspectConnection } from './inspect-connection.ts';
import { listPhoneNumbers } from './list-accounts.ts';
import { refreshDueConnections } from './tokens/refresh-due-connections.ts';
import { subscribeNotifications } from './subscribe-notifications.ts';
import { withAccessToken } from './tokens/access-token.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const CUSTOMER = '4915557010123';
const DAY_MS = 86_400_000;

let world: MessagingWorld;
let runtime: OpenedRuntime;
let ctx: MessagingActorContext;
let stopListening: () => void;

beforeAll(async () => {
  world = await startMessagingWorld({ MESSAGING_SCOPES: SCOPES.join(' ') }, { strict: true });
  runtime = world.openRuntime({
    MESSAGING_GRAPH_VERSION: 'v24.0',
    MESSAGING_TOKEN_URL: `${world.sandbox.url}/v24.0/oauth/access_token`,
  });
  const { baseUrl, close } = await listenForPlatform(runtime);
  ctx = { ...world.contextOf(runtime), baseUrl };
  stopListening = close;
});
afterAll(async () => {
  stopListening();
  await runtime.close();
  await world.end();
});
beforeEach(async () => {
  await world.control('POST', 'reset');
  await runtime.hot.query('delete from connections; delete from received_changes');
});

/** The token of a system user, as copied from the platform. */
const systemToken = async (scopes = SCOPES): Promise<string> =>
  (await world.mint({ scopes, expires_in: 'never' })).access_token;

/** A connection of the first account with such a token. */
const connect = async (scopes?: string[]) =>
  createConnection(ctx, {
    name: 'Books',
    access_token: await systemToken(scopes),
    business_account_id: PLATFORM_IDS.books,
  });

/** The operator's setup in the platform's console: the app gets the fields of all accounts at one URL. */
const subscribeApp = (url: string, verifyToken: string) =>
  world.callAsApp('POST', `${world.appId}/subscriptions`, {
    object: 'whatsapp_business_account',
    callback_url: url,
    verify_token: verifyToken,
    fields: 'messages,message_template_status_update,phone_number_quality_update,smb_message_echoes',
  });

const check = async (connectionId: string, id: string) =>
  (await checkConnection(ctx, { id: connectionId })).find((each) => each.id === id);

const sendSample = (id: string, phoneNumberId: string = PLATFORM_IDS.booksOrders) =>
  sendSampleMessage(ctx, {
    id,
    phoneNumberId,
    recipient: CUSTOMER,
    message: { templateName: 'hello_world' },
  });

const actionOf = (connectionId: string, settings: object) => ({
  app_connection_id: connectionId,
  business_account_id: PLATFORM_IDS.books,
  phone_number_id: PLATFORM_IDS.booksOrders,
  recipient: CUSTOMER,
  ...settings,
});

describe('the token of a system user', () => {
  test('makes a connection that does not end', async () => {
    expect(await connect()).toMatchObject({ status: 'connected', ends_at: null });
  });

  test('is refused if the platform does not know it', async () => {
    const input = { name: 'Books', access_token: 'made-up', business_account_id: PLATFORM_IDS.books };
    await expect(createConnection(ctx, input)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('manage_events in place of management works, and the check says so', async () => {
    const { id } = await connect(['whatsapp_business_manage_events', 'whatsapp_business_messaging']);
    expect(await listPhoneNumbers(ctx, { id })).toHaveLength(2);
    expect(await check(id, 'scopes')).toMatchObject({ result: 'ok' });
  });
});

describe('a token that ends and has no refresh token', () => {
  /** A connection whose token expires at the platform after this many days, independent of the stored expiry. */
  async function connectFor(days: number) {
    const { access_token } = await world.mint({ scopes: SCOPES, expires_in: days * 86_400 });
    const business_account_id = PLATFORM_IDS.books;
    const { id } = await createConnection(ctx, { name: 'Books', access_token, business_account_id });
    return { id, access_token };
  }
  const tokenNow = (id: string) =>
    withAccessToken(ctx, id, ({ accessToken }) => Promise.resolve(accessToken));
  const daysLeft = async (id: string) => {
    const { ends_at: endsAt } = await getConnection(ctx, { id });
    return endsAt === null ? null : (Date.parse(endsAt) - Date.now()) / DAY_MS;
  };
  /** Its state this many days after connecting. */
  const age = (days: number) =>
    runtime.hot.query(
      `update connections set token_issued_at = token_issued_at - make_interval(days => $1),
       token_expires_at = token_expires_at - make_interval(days => $1)`,
      [days],
    );

  test('ends when the platform says so, not when its sender says', async () => {
    const { access_token } = await world.mint({ scopes: SCOPES, expires_in: 20 * 86_400 });
    const { id } = await createConnection(ctx, { name: 'Books', access_token, expires_in: 86_400 });
    expect(await daysLeft(id)).toBeCloseTo(20, 1);
  });

  test('whose end was not known gets it from the next check; one that does not end has none', async () => {
    const { id } = await connectFor(60);
    await runtime.hot.query('update connections set token_expires_at = null');
    await inspectConnection(ctx, id);
    expect(await daysLeft(id)).toBeCloseTo(60, 1);
    expect(await check(id, 'token')).toMatchObject({
      result: 'ok',
      what: expect.stringMatching(/valid until .* exchanged for a new one before then/) as string,
    });
    await runtime.hot.query('delete from connections');
    const { id: endless } = await connect();
    await runtime.hot.query(`update connections set token_expires_at = now() + interval '1 day'`);
    await inspectConnection(ctx, endless);
    expect(await daysLeft(endless)).toBeNull();
  });

  test('is exchanged for another in the last of its two months, once, and works on', async () => {
    const { id, access_token } = await connectFor(60);
    await age(29);
    expect(await refreshDueConnections(runtime)).toBe(0);
    expect(await tokenNow(id)).toBe(access_token);
    await age(2);
    expect(await refreshDueConnections(runtime)).toBe(1);
    expect(await tokenNow(id)).not.toBe(access_token);
    expect(await daysLeft(id)).toBeCloseTo(60, 1);
    expect(await refreshDueConnections(runtime)).toBe(0);
    const me = await withAccessToken(ctx, id, (access) => callGraph(access, { method: 'GET', path: ['me'] }));
    expect(me).toMatchObject({ id: 'admin' });
  });

  test('an exchange that does not work now leaves the token, says why, and is tried again', async () => {
    const { id, access_token } = await connectFor(60);
    await age(55);
    await world.control('POST', 'faults', { kind: 'error', target: 'token', http_status: 503 });
    expect(await refreshDueConnections(runtime)).toBe(0);
    expect(await tokenNow(id)).toBe(access_token);
    expect(await getConnection(ctx, { id })).toMatchObject({
      status: 'expires_soon',
      status_reason: expect.stringMatching(/^It ends in 5 days\..* could not be renewed: .*Forced/) as string,
    });
    expect(await refreshDueConnections(runtime)).toBe(1);
    expect(await getConnection(ctx, { id })).toMatchObject({ status: 'connected', status_reason: null });
  });

  test('one that the platform ended has to be reconnected; a single refusal of the exchange ends nothing', async () => {
    const { id } = await connectFor(60);
    await age(40);
    await world.control('POST', 'faults', { kind: 'error', target: 'token', code: 190, http_status: 400 });
    expect(await refreshDueConnections(runtime)).toBe(0);
    expect(await getConnection(ctx, { id })).toMatchObject({ status: 'connected' });
    await world.control('POST', 'tokens/revoke', {});
    expect(await refreshDueConnections(runtime)).toBe(0);
    expect(await getConnection(ctx, { id })).toMatchObject({
      status: 'needs_reconnecting',
      status_reason: expect.stringContaining('no longer accepts its access token') as string,
    });
  });

  test('one that does not end is never exchanged', async () => {
    await connect();
    await runtime.hot.query(`update connections set token_issued_at = now() - interval '1 year'`);
    const before = (await world.calls('target=token')).length;
    expect(await refreshDueConnections(runtime)).toBe(0);
    expect((await world.calls('target=token')).length).toBe(before);
  });
});

describe('notifications', () => {
  /** In the console, the app's fields go to the connection's receiver. */
  async function connectWithApp() {
    const { id } = await connect();
    const { url, verifyToken } = await getReceiver(ctx, { id });
    await subscribeApp(url, verifyToken);
    return { id };
  }

  const recorded = async () => (await listEvents(ctx, { limit: 10 })).data.length;

  test('reach the connection once it is subscribed, and the check says so', async () => {
    const { id } = await connectWithApp();
    await subscribeNotifications(ctx, { id });
    expect(await check(id, 'notifications')).toMatchObject({ result: 'ok' });
    await world.customerWrites(CUSTOMER);
    await expect.poll(recorded).toBeGreaterThan(0);
  });

  test('messages that staff wrote in the phone app are recorded and ask the platform nothing', async () => {
    const { id } = await connectWithApp();
    await subscribeNotifications(ctx, { id });
    await runtime.hot.query(`update connections set check_due_at = now() + interval '1 hour'`);
    const before = (await world.calls()).length;
    const echo = { customer: CUSTOMER, phone_number_id: PLATFORM_IDS.booksOrders, text: 'Until six.' };
    await world.control('POST', 'echoes', echo);
    await expect.poll(recorded).toBeGreaterThan(0);
    expect((await world.calls()).length).toBe(before);
    // A check that is due immediately has no due time.
    const later = await runtime.hot.query('select 1 from connections where check_due_at > now()');
    expect(later.rowCount).toBe(1);
  });
});

describe('numbers', () => {
  test('their state is told as the platform tells it', async () => {
    const { id } = await connect();
    await world.control('POST', `phone-numbers/${PLATFORM_IDS.booksOrders}`, { status: 'PENDING' });
    const [number] = await listPhoneNumbers(ctx, { id });
    expect(number).toMatchObject({ id: PLATFORM_IDS.booksOrders, status: 'PENDING' });
    expect(await check(id, 'numbers')).toMatchObject({ result: 'warning' });
  });

  test('one that is not registered says that it is not registered', async () => {
    const { id } = await connect();
    await expect(sendSample(id, PLATFORM_IDS.eventsOld)).rejects.toThrow(/regist/i);
  });
});

describe('calls', () => {
  test('a sample message reaches the phone', async () => {
    await sendSample((await connect()).id);
    expect(await world.messages(`to=${CUSTOMER}`)).toHaveLength(1);
  });

  test('name the version of the settings', async () => {
    await sendSample((await connect()).id);
    const versions = (await world.calls()).map((call) => (call as { version?: string }).version);
    expect(new Set(versions)).toEqual(new Set(['v24.0']));
  });

  test('work where the app requires the app secret', async () => {
    await world.control('POST', 'settings', { require_app_secret: true });
    await sendSample((await connect()).id);
    expect(await world.messages(`to=${CUSTOMER}`)).toHaveLength(1);
  });

  test('a file of a customer is downloaded', async () => {
    const { id } = await connect();
    const bytes = Buffer.from('a picture, as far as anybody knows');
    const { payload } = await world.customerWrites(CUSTOMER, PLATFORM_IDS.booksOrders, {
      image: { base64: bytes.toString('base64') },
    });
    const mediaId = (payload as { image: { id: string } }).image.id;
    const size = await withAccessToken(ctx, id, (access) =>
      withDownloadedMedia(access, mediaId, async (media) => media.bytes),
    );
    expect(size).toBe(bytes.length);
  });

  test.each([
    ['a restricted account', { restriction: 131031 }],
    ['an account without a payment method', { has_payment_method: false }],
  ])('%s is told as such: the connection stays, and nobody is asked to reconnect', async (_what, state) => {
    const { id } = await connect();
    await world.control('POST', `accounts/${PLATFORM_IDS.books}`, state);
    const error = await sendSample(id).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(/restrict|payment/i);
    expect(String(error)).not.toMatch(/reconnect|parameter mismatch/i);
  });

  test('one refused token that a success follows ends nothing', async () => {
    const { id } = await connect();
    await world.control('POST', 'faults', { kind: 'error', code: 190, subcode: 460 });
    await sendSample(id).catch(() => undefined);
    await sendSample(id);
    expect(await check(id, 'numbers')).toMatchObject({ result: 'warning' });
    const { rows } = await runtime.hot.query<{ status: string }>('select status from connections');
    expect(rows).toEqual([{ status: 'connected' }]);
  });
});

describe('message templates', () => {
  test('of every kind are listed', async () => {
    const { id } = await connect();
    const names = (await listMessageTemplates(ctx, { id, limit: 1000 })).map(({ name }) => name);
    const kinds = ['order_ready', 'verification_code', 'new_books', 'birthday_coupon', 'book_a_reading'];
    expect(names).toEqual(expect.arrayContaining(kinds));
  });

  test('of authentication are sent with the code in body and button', async () => {
    const { id } = await connect();
    const settings = {
      action: 'send_template',
      template_name: 'verification_code',
      template_parameters: ['482913'],
      button_parameter: '482913',
    };
    await runAction(world, actionOf(id, settings));
    expect((await world.messages(`to=${CUSTOMER}`))[0]?.text).toContain('482913');
  });
});

test('a picture in WebP fails with words that name the format', async () => {
  const { id } = await connect();
  await world.customerWrites(CUSTOMER);
  const settings = {
    action: 'send_media',
    media_type: 'image',
    media_url: '{{task_1_url}}',
  };
  const body = { url: `${world.sandbox.url}/public/samples/sticker.webp` };
  expect((await failAction(world, actionOf(id, settings), { body })).message).toMatch(
    /^Media failure: .*image\/webp.*WebP is for stickers: use a JPEG or PNG file/,
  );
});
