// Notifications of all accounts at the app's one URL, from a sandbox that sends to overrides only what the real platform does
// (sandbox/README.md, "Strict").
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { APP_FIELDS, appVerifyToken, getReceiver } from '#lib/messaging/connections/receivers.ts';
import {
  subscribeApp,
  subscribeNotifications,
  unsubscribeNotifications,
} from '#lib/messaging/connections/subscribe-notifications.ts';
import { listenForPlatform } from '#lib/messaging/testing/listen-for-platform.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { GRAPH, message, newMessageId, notification, status } from '#lib/messaging/testing/notifications.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { checkAppSubscription, checkUnrouted } from './check-app.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const CUSTOMER = '4915557010123';
const { books, bookEvents: events } = PLATFORM_IDS;

let world: MessagingWorld;
let ctx: MessagingActorContext;
let stopListening: () => void;
/** The app's own receiver. */
let appUrl: string;

beforeAll(async () => {
  world = await startMessagingWorld({ MESSAGING_SCOPES: SCOPES.join(' ') }, { strict: true });
  const { baseUrl, close } = await listenForPlatform(world.runtime);
  ctx = { ...world.ctx, baseUrl };
  appUrl = `${baseUrl}/hooks/messaging`;
  stopListening = close;
});
afterAll(async () => {
  stopListening();
  await world.end();
});
beforeEach(async () => {
  await world.control('POST', 'reset');
  await query('delete from connections');
  await query('delete from received_changes');
  await query('delete from events');
  await query('delete from unrouted_notifications');
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.runtime.hot.query<Row>(text, values)).rows;

async function connect(accountId: string = books): Promise<string> {
  const { access_token } = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  const input = { name: accountId, access_token, business_account_id: accountId };
  return (await createConnection(ctx, input)).id;
}

const put = (
  callbackUrl: string,
  fields: readonly string[],
  verifyToken = appVerifyToken(world.clientSecret),
) =>
  world.callAsApp('POST', `${world.appId}/subscriptions`, {
    object: 'whatsapp_business_account',
    callback_url: callbackUrl,
    verify_token: verifyToken,
    fields: fields.join(),
  });

/** The app's subscriptions, from the platform. */
async function subscription(): Promise<{ callback_url: string; fields: string[] } | undefined> {
  const { data } = await world.callAsApp('GET', `${world.appId}/subscriptions`);
  const [first] = data as unknown as { callback_url: string; fields: { name: string }[] }[];
  return first && { ...first, fields: first.fields.map(({ name }) => name) };
}

/** One notification about accounts. */
const about = (...entries: [accountId: string, field: string, value: object][]): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: entries.map(([id, field, value]) => ({ id, time: 1_700_000_000, changes: [{ field, value }] })),
  });
const written = (id = newMessageId()) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '12125550101', phone_number_id: PLATFORM_IDS.booksOrders },
  ...message(id, CUSTOMER, 1_700_000_000),
});

/** Sends it like the platform. */
async function post(body: string, url = appUrl, secret = world.clientSecret): Promise<number> {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  const response = await fetch(url, { method: 'POST', headers: { 'x-hub-signature-256': signature }, body });
  return response.status;
}

/** Reasons of the events of a connection. */
const recorded = async (connectionId: string): Promise<string[]> =>
  (
    await query<{ reason: string }>('select reason from events where connection_id = $1 order by id', [
      connectionId,
    ])
  ).map(({ reason }) => reason);
const unrouted = () => query('select reason, business_account_id as id, fields from unrouted_notifications');

describe('the handshake', () => {
  const ask = async (parameters: Record<string, string>) => {
    const response = await fetch(`${appUrl}?${new URLSearchParams(parameters).toString()}`);
    return { status: response.status, body: await response.text() };
  };

  test('gives the challenge back for the verify token of the app', async () => {
    const verifyToken = appVerifyToken(world.clientSecret);
    const parameters = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '12345' };
    expect(await ask(parameters)).toEqual({ status: 200, body: '12345' });
  });

  test('is refused for another verify token', async () => {
    const parameters = { 'hub.mode': 'subscribe', 'hub.verify_token': 'made-up', 'hub.challenge': '12345' };
    expect((await ask(parameters)).status).toBe(403);
  });
});

describe('a notification', () => {
  test('is recorded with the connection of its account', async () => {
    const [ofBooks, ofEvents] = [await connect(books), await connect(events)];
    const quality = { event: 'ONBOARDING', current_limit: 'TIER_1K' };
    const status = await post(
      about([books, 'messages', written()], [events, 'phone_number_quality_update', quality]),
    );
    expect(status).toBe(200);
    expect(await recorded(ofBooks)).toEqual([
      'No workflow is subscribed to incoming messages of this number.',
    ]);
    expect(await recorded(ofEvents)).toEqual([expect.stringContaining('The phone number changed')]);
    expect(await unrouted()).toEqual([]);
  });

  test('starts the workflows that are subscribed to the connection', async () => {
    const connectionId = await connect();
    const { workflowId } = await insertWorkflow(world.runtime.hot, GRAPH);
    await query('update workflows set workspace_id = $1 where id = $2', [world.workspaceId, workflowId]);
    await query(
      'insert into connection_subscriptions (connection_id, workflow_id, kinds) values ($1, $2, $3)',
      [connectionId, workflowId, ['messages']],
    );
    await post(about([books, 'messages', written()]));
    expect(await query('select outcome from events where workflow_id = $1', [workflowId])).toEqual([
      { outcome: 'triggered' },
    ]);
  });

  test('that also comes to the receiver of the connection counts once', async () => {
    const connectionId = await connect();
    const { url } = await getReceiver(ctx, { id: connectionId });
    const body = about([books, 'messages', written()]);
    expect([await post(body), await post(body, url), await post(body)]).toEqual([200, 200, 200]);
    expect(await recorded(connectionId)).toHaveLength(1);
  });

  test('that also comes to the receiver of another connection adds each status to its message once', async () => {
    const connectionId = await connect(books);
    const { url } = await getReceiver(ctx, { id: await connect(events) });
    const messageId = newMessageId();
    const to = { connectionId, phoneNumberId: PLATFORM_IDS.booksOrders, recipient: CUSTOMER };
    await recordSent(ctx, { messageId, kind: 'text', taskRun: null, ...to });
    const [sent, delivered, read] = ['sent', 'delivered', 'read'].map((name, second) =>
      status(messageId, name, 1_700_000_000 + second),
    ) as [object, object, object];
    await post(notification(sent), url);
    await post(notification(sent, delivered));
    await Promise.all([post(notification(read)), post(notification(delivered, read), url)]);
    const known = await findMessage(ctx, messageId);
    expect(known?.timeline.map((step) => step.status)).toEqual(['sent', 'delivered', 'read', 'accepted']);
  });

  test('of an account that nobody connected is answered 200 and noted, without what it says', async () => {
    await connect();
    expect(await post(about([events, 'messages', written()], [events, 'account_update', {}]))).toBe(200);
    expect(await query('select id from events')).toEqual([]);
    expect(await unrouted()).toEqual([
      { reason: 'account', id: events, fields: ['account_update', 'messages'] },
    ]);
    expect(await checkUnrouted(ctx)).toMatchObject({
      result: 'warning',
      what: expect.stringContaining(`${events} (account_update, messages`) as string,
    });
  });

  test('with a signature of another secret is refused, stores nothing and is noted', async () => {
    const connectionId = await connect();
    expect(await post(about([books, 'messages', written()]), appUrl, 'another secret')).toBe(403);
    expect(await recorded(connectionId)).toEqual([]);
    expect(await checkUnrouted(ctx)).toMatchObject({
      fix: expect.stringContaining('MESSAGING_APP_SECRET') as string,
    });
  });
});

describe('subscribing a connection', () => {
  test('subscribes the app, so that template, account and number events arrive, too', async () => {
    const id = await connect();
    await subscribeNotifications(ctx, { id });
    expect(await subscription()).toMatchObject({ callback_url: appUrl, fields: [...APP_FIELDS] });
    expect(await checkAppSubscription(ctx)).toMatchObject({ result: 'ok' });
    await world.control('POST', `phone-numbers/${PLATFORM_IDS.booksOrders}`, { quality_rating: 'RED' });
    await expect.poll(() => recorded(id)).toEqual([expect.stringContaining('The phone number changed')]);
  });

  test('replaces a receiver of a connection, which was the URL of the app, and keeps its fields', async () => {
    const id = await connect();
    const { url, verifyToken } = await getReceiver(ctx, { id });
    await put(url, ['messages', 'calls'], verifyToken);
    await subscribeNotifications(ctx, { id });
    expect(await subscription()).toMatchObject({
      callback_url: appUrl,
      fields: ['messages', 'calls', ...APP_FIELDS.slice(1)],
    });
  });

  test('leaves the URL of the app if it is somebody else’s, and the check says so', async () => {
    const other = await listenForPlatform(world.runtime);
    const id = await connect();
    await put(`${other.baseUrl}/hooks/messaging`, ['messages']);
    await subscribeNotifications(ctx, { id });
    expect(await subscription()).toMatchObject({ callback_url: `${other.baseUrl}/hooks/messaging` });
    expect(await checkAppSubscription(ctx)).toMatchObject({
      result: 'warning',
      what: expect.stringContaining(`go to ${other.baseUrl}`) as string,
      fix: expect.stringContaining('patchbay subscribe-app') as string,
    });
    await subscribeApp(ctx);
    expect(await checkAppSubscription(ctx)).toMatchObject({ result: 'ok' });
    other.close();
  });

  test('says what is wrong with the app where the platform takes no callback', async () => {
    const id = await connect();
    const unreachable = { ...ctx, baseUrl: 'http://127.0.0.1:1' };
    await expect(subscribeNotifications(unreachable, { id })).rejects.toThrow(/verification|callback/i);
  });
});

test('unsubscribing a connection ends messages, also those that would come to the receiver of the app', async () => {
  const id = await connect();
  await subscribeNotifications(ctx, { id });
  await unsubscribeNotifications(ctx, { id });
  await world.customerWrites(CUSTOMER);
  const other = await connect(events);
  await subscribeNotifications(ctx, { id: other });
  await world.customerWrites(CUSTOMER, PLATFORM_IDS.events);
  await expect.poll(() => recorded(other)).toHaveLength(1);
  expect(await recorded(id)).toEqual([]);
});

describe('the check of the app', () => {
  test('fails without a subscription, and without the field messages', async () => {
    expect(await checkAppSubscription(ctx)).toMatchObject({ result: 'failed' });
    await put(appUrl, ['account_update']);
    expect(await checkAppSubscription(ctx)).toMatchObject({
      result: 'failed',
      what: expect.stringContaining('field messages') as string,
    });
    await put(appUrl, ['messages']);
    expect(await checkAppSubscription(ctx)).toMatchObject({
      result: 'warning',
      what: expect.stringContaining('message_template_status_update') as string,
    });
  });

  test('names the settings when the platform does not know the app by its secret', async () => {
    const platform = { ...ctx.platform, appSecret: 'another secret' };
    expect(await checkAppSubscription({ ...ctx, platform })).toMatchObject({
      result: 'failed',
      fix: expect.stringContaining('MESSAGING_CLIENT_SECRET') as string,
    });
  });
});
