import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import {
  eventually,
  type Hook,
  startHook,
  startStrictSandbox,
  type StrictSandbox,
} from './testing/strict-sandbox.ts';

const CUSTOMER = '15557010123';
const FIELDS = 'messages,message_template_status_update,phone_number_quality_update';

let sandbox: StrictSandbox;
let ofApp: Hook;
let ofAccount: Hook;
beforeAll(async () => {
  [sandbox, ofApp, ofAccount] = await Promise.all([startStrictSandbox(), startHook(), startHook()]);
});
afterAll(() => Promise.all([sandbox.close(), ofApp.close(), ofAccount.close()]));
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
  ofApp.received.length = 0;
  ofAccount.received.length = 0;
});

const subscribe = () => sandbox.graph('POST', `${IDS.books}/subscribed_apps`);
const callbacks = async () => {
  const { body } = await sandbox.graph('GET', `${IDS.books}/subscribed_apps`);
  return (body.data as unknown as { override_callback_uri?: string }[]).map(
    (entry) => entry.override_callback_uri ?? null,
  );
};
const changeQuality = () =>
  sandbox.control('POST', `phone-numbers/${IDS.booksOrders}`, { quality_rating: 'RED' });
const fields = (hook: Hook) => hook.changes().map(({ field }) => field);

test('an override is refused (100) until the app is subscribed to the field and to the account', async () => {
  const refused = { status: 400, body: { error: { code: 100 } } };
  expect(await sandbox.override(IDS.books, ofAccount.url)).toMatchObject(refused);
  await subscribe();
  expect(await sandbox.override(IDS.books, ofAccount.url)).toMatchObject(refused);
  await sandbox.subscribeFields(ofApp.url, FIELDS);
  expect(await sandbox.override(IDS.books, ofAccount.url)).toMatchObject({ status: 200 });
  expect(await sandbox.override(IDS.clinic, ofAccount.url)).toMatchObject(refused);
});

test('posting without a body removes the override only; DELETE removes the subscription', async () => {
  await sandbox.subscribeFields(ofApp.url, FIELDS);
  await subscribe();
  expect(await callbacks()).toEqual([null]);
  await sandbox.override(IDS.books, ofAccount.url);
  expect(await callbacks()).toEqual([ofAccount.url]);
  await subscribe();
  expect(await callbacks()).toEqual([null]);
  await sandbox.graph('DELETE', `${IDS.books}/subscribed_apps`);
  expect(await callbacks()).toEqual([]);
});

test('the app of another company has an entry of its own', async () => {
  const other = { id: '700', name: 'Another app', callback_url: 'https://crm.example/hook' };
  await sandbox.control('POST', `accounts/${IDS.books}`, { other_apps: [other] });
  await subscribe();
  const { body } = await sandbox.graph('GET', `${IDS.books}/subscribed_apps`);
  expect(body.data).toEqual([
    { whatsapp_business_api_data: expect.objectContaining({ id: sandbox.app.id }) as object },
    {
      whatsapp_business_api_data: expect.objectContaining({ id: '700' }) as object,
      override_callback_uri: 'https://crm.example/hook',
    },
  ]);
  await sandbox.graph('DELETE', `${IDS.books}/subscribed_apps`);
  expect(await callbacks()).toEqual(['https://crm.example/hook']);
});

test('an override gets messages; all else goes to the URL of the app, with the account as entry.id', async () => {
  await sandbox.subscribeFields(ofApp.url, FIELDS);
  await subscribe();
  await sandbox.override(IDS.books, ofAccount.url);
  await sandbox.openWindow(CUSTOMER);
  await changeQuality();
  await eventually(() => expect(fields(ofApp)).toEqual(['phone_number_quality_update']));
  await eventually(() => expect(fields(ofAccount)).toEqual(['messages']));
  expect(ofApp.changes()[0]?.account).toBe(IDS.books);
});

test('without an override messages go to the URL of the app, of subscribed accounts only', async () => {
  await sandbox.subscribeFields(ofApp.url, FIELDS);
  await subscribe();
  await sandbox.openWindow(CUSTOMER, IDS.events);
  await sandbox.openWindow(CUSTOMER);
  await eventually(() => expect(fields(ofApp)).toEqual(['messages']));
  expect(ofApp.changes()[0]?.account).toBe(IDS.books);
});

test('fields that the app is not subscribed to go nowhere, and nothing does while the app is not published', async () => {
  await sandbox.subscribeFields(ofApp.url, 'messages');
  await subscribe();
  await changeQuality();
  await sandbox.control('POST', 'settings', { app_published: false });
  await sandbox.openWindow(CUSTOMER);
  await sandbox.control('POST', 'settings', { app_published: true });
  await sandbox.openWindow('15557010999');
  await eventually(() => expect(fields(ofApp)).toEqual(['messages']));
  expect(ofApp.changes()[0]?.value).toMatchObject({ messages: [{ from: '15557010999' }] });
});

test('the subscriptions of the app need its token, a handshake, and fields that exist; another URL takes the place', async () => {
  const path = `${sandbox.app.id}/subscriptions`;
  expect(await sandbox.graph('GET', path)).toMatchObject({ body: { error: { code: 15 } } });
  expect(await sandbox.subscribeFields(ofApp.url, 'messages,nonsense')).toMatchObject({ status: 400 });
  expect(await sandbox.subscribeFields('http://127.0.0.1:1/none', 'messages')).toMatchObject({
    body: { error: { code: 2200 } },
  });
  await sandbox.subscribeFields(ofApp.url, 'messages');
  await sandbox.subscribeFields(ofAccount.url, 'messages,account_update');
  expect((await sandbox.asApp('GET', path)).body.data).toEqual([
    {
      object: 'whatsapp_business_account',
      callback_url: ofAccount.url,
      active: true,
      fields: [
        expect.objectContaining({ name: 'messages' }),
        expect.objectContaining({ name: 'account_update' }),
      ],
    },
  ]);
  await sandbox.asApp('DELETE', path);
  expect((await sandbox.asApp('GET', path)).body.data).toEqual([]);
});
