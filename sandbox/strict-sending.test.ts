import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IDS } from './data/businesses.ts';
import { receiveFromCustomer } from './delivery/receive-from-customer.ts';
import { takeFromPortfolio } from './graph/limits.ts';
import { resolveOptions } from './options.ts';
import {
  eventually,
  type Hook,
  startHook,
  startStrictSandbox,
  type StrictSandbox,
} from './testing/strict-sandbox.ts';
import { templateMessage, type TestSandbox } from './testing/test-sandbox.ts';
import { userIdOf } from './user-ids.ts';
import { createWorld } from './world.ts';

const CUSTOMER = '4915557010123';
const AMERICAN = '12125550199';
const MARKETING = templateMessage('author_reading', ['Friday', 'Sea Stories']);

let sandbox: StrictSandbox;
let hook: Hook;
beforeAll(async () => {
  [sandbox, hook] = await Promise.all([startStrictSandbox(), startHook()]);
});
afterAll(() => Promise.all([sandbox.close(), hook.close()]));
beforeEach(async () => {
  await sandbox.control('POST', 'reset');
  await sandbox.renewToken();
  hook.received.length = 0;
  await sandbox.control('POST', 'subscriptions', { callback_url: hook.url, verify_token: 'any' });
});

const hello = (customer = CUSTOMER) => sandbox.send(customer, templateMessage('hello_world'));
const refused = (code: number, status = 400) => ({ status, body: { error: { code } } });
type Sent = Awaited<ReturnType<TestSandbox['send']>>;
const outcome = async (answer: Sent) => {
  const id = encodeURIComponent(String(answer.body.messages?.[0]?.id));
  const message = (await sandbox.control('GET', `messages/${id}`)) as unknown as {
    status: string;
    statuses: { errors?: { code: number }[] }[];
  };
  return { status: message.status, code: message.statuses.at(-1)?.errors?.[0]?.code ?? null };
};
const expectOutcome = (answer: Sent, status: string, code: number | null = null) =>
  eventually(async () => expect(await outcome(answer)).toEqual({ status, code }));
const changesOf = (field: string) => hook.changes().filter((change) => change.field === field);
const idOfTemplate = async (name: string) => {
  const { body } = await sandbox.graph('GET', `${IDS.books}/message_templates?name=${name}`);
  return String(body.data?.[0]?.id);
};

describe('an account that may not send', () => {
  test.each([368, 130497, 131031])('restricted: every message is refused with %i and 403', async (code) => {
    await sandbox.control('POST', `accounts/${IDS.books}`, { restriction: code });
    expect(await hello()).toMatchObject(refused(code, 403));
    await sandbox.control('POST', `accounts/${IDS.books}`, { restriction: null });
    expect(await hello()).toMatchObject({ status: 200 });
  });

  test('without a payment method templates are refused (131042), answers to customers are not', async () => {
    await sandbox.control('POST', `accounts/${IDS.books}`, { has_payment_method: false });
    expect(await hello()).toMatchObject(refused(131042));
    await sandbox.openWindow(CUSTOMER);
    expect(await sandbox.send(CUSTOMER, { type: 'text', text: { body: 'Hi' } })).toMatchObject({
      status: 200,
    });
  });
});

describe('accepted and not delivered', () => {
  test('held for the quality assessment: no status until it ends, then sent, or failed with 132015', async () => {
    const path = `templates/${await idOfTemplate('hello_world')}`;
    await sandbox.control('POST', path, { pacing: 'held_for_quality_assessment' });
    const released = await hello();
    expect(released.body.messages?.[0]).toMatchObject({ message_status: 'held_for_quality_assessment' });
    await sandbox.control('POST', path, { pacing: null });
    await expectOutcome(released, 'delivered');
    await sandbox.control('POST', path, { pacing: 'held_for_quality_assessment' });
    const dropped = await hello();
    expect(await outcome(dropped)).toEqual({ status: 'accepted', code: null });
    const asked = await sandbox.graph('GET', String(dropped.body.messages?.[0]?.id));
    expect(asked.body).toMatchObject({ status: 'held_for_quality_assessment' });
    await sandbox.control('POST', path, { status: 'PAUSED' });
    await expectOutcome(dropped, 'failed', 132015);
  });

  test('paused: accepted as such, then failed with 132015', async () => {
    await sandbox.control('POST', `templates/${await idOfTemplate('hello_world')}`, { pacing: 'paused' });
    const sent = await hello();
    expect(sent.body.messages?.[0]).toMatchObject({ message_status: 'paused' });
    await expectOutcome(sent, 'failed', 132015);
  });

  test('marketing to numbers of the United States fails with 131049; the rest of it arrives', async () => {
    await expectOutcome(await sandbox.send(AMERICAN, MARKETING), 'failed', 131049);
    await expectOutcome(await sandbox.send(CUSTOMER, MARKETING), 'delivered');
    await expectOutcome(await hello(AMERICAN), 'delivered');
  });

  test('a customer of an experiment gets no template: 130472', async () => {
    await expectOutcome(await hello('4915557019906'), 'failed', 130472);
  });
});

describe('limits of the portfolio', () => {
  const PHONE = `${IDS.bakeryCounter}?fields=messaging_limit_tier,whatsapp_business_manager_messaging_limit`;

  test('a number has no tier of its own; the portfolio has that of its best number, unverified ones 250', async () => {
    const limitOf = async (phoneId: string) =>
      (await sandbox.graph('GET', PHONE.replace(IDS.bakeryCounter, phoneId))).body;
    expect(await limitOf(IDS.bakeryCounter)).toMatchObject({
      messaging_limit_tier: null,
      whatsapp_business_manager_messaging_limit: 'TIER_250',
    });
    expect(await limitOf(IDS.events)).toMatchObject({
      whatsapp_business_manager_messaging_limit: 'TIER_100K',
    });
    expect(await limitOf(IDS.cafeBookings)).toMatchObject({
      whatsapp_business_manager_messaging_limit: 'TIER_2K',
    });
  });

  test('250 customers of an unverified business in 24 hours; one of them again, and answers, do not count', () => {
    const world = createWorld(resolveOptions({ settings: { strict: true } }, 1));
    const phone = world.phones.get(IDS.bakeryCounter);
    if (!phone) throw new Error('The demo number is missing.');
    const to = (number: number) => `49155570${String(10_000 + number)}`;
    const send = (number: number) => takeFromPortfolio(world, phone, to(number));
    for (let number = 0; number < 250; number += 1) send(number);
    expect(() => send(250)).toThrow(/131048/);
    send(0);
    receiveFromCustomer(world, {
      customer: to(251),
      phoneId: phone.id,
      content: { type: 'text', text: 'Hello!' },
    });
    send(251);
    world.clock.move(86_400_000);
    send(250);
  });
});

test('what staff write in the phone app arrives as an echo, with the user id alone if the number is hidden', async () => {
  const input = { customer: CUSTOMER, phone_number_id: IDS.booksOrders, text: 'We are open until six.' };
  await sandbox.control('POST', 'echoes', input);
  await sandbox.control('POST', 'customer-settings', { customer: CUSTOMER, hides_number: true });
  await sandbox.control('POST', 'echoes', input);
  await eventually(() => expect(changesOf('smb_message_echoes')).toHaveLength(2));
  const echoes = changesOf('smb_message_echoes').map(
    ({ value }) => (value['message_echoes'] as { to?: string }[])[0],
  );
  expect(echoes.find((echo) => echo?.to !== undefined)).toMatchObject({
    from: '12125550101',
    to: CUSTOMER,
    text: { body: 'We are open until six.' },
  });
  expect(echoes.find((echo) => echo?.to === undefined)).toMatchObject({ to_user_id: userIdOf(CUSTOMER) });
});

test('another number means another user id: system messages name the one before', async () => {
  const numbers = { customer: CUSTOMER, number: '4915557010777' };
  await sandbox.openWindow(CUSTOMER);
  await sandbox.control('POST', 'customer-numbers', numbers);
  await sandbox.control('POST', 'customer-settings', { customer: CUSTOMER, hides_number: true });
  await sandbox.control('POST', 'customer-numbers', numbers);
  const systems = () =>
    changesOf('messages')
      .flatMap(({ value }) => (value['messages'] ?? []) as { from?: string; system?: { type: string } }[])
      .flatMap(({ from, system }) => (system ? [{ from, ...system }] : []));
  await eventually(() => expect(systems()).toHaveLength(2));
  const ids = { user_id: userIdOf(numbers.number), previous_user_id: userIdOf(CUSTOMER) };
  expect(systems().find(({ from }) => from !== undefined)).toMatchObject({
    type: 'user_changed_number',
    wa_id: numbers.number,
    ...ids,
  });
  const hidden = systems().find(({ from }) => from === undefined);
  expect(hidden).toMatchObject({ type: 'user_changed_user_id', ...ids });
  expect(hidden).not.toHaveProperty('wa_id');
});

test('authentication templates need a number: a user id alone is refused with 131062', async () => {
  const { body } = await sandbox.graph('POST', `${IDS.booksOrders}/messages`, {
    messaging_product: 'whatsapp',
    recipient: userIdOf(CUSTOMER),
    ...templateMessage('login_code', ['123456']),
  });
  expect(body.error).toMatchObject({ code: 131062 });
});

test.each([
  [458, /not authorized/],
  [460, /password/],
  [463, /expired/],
])('190 has its subcode %i and says why; the next call may succeed', async (subcode, words) => {
  await sandbox.control('POST', 'faults', { kind: 'error', code: 190, subcode });
  const { status, body } = await hello();
  expect({ status, ...(body.error as object) }).toMatchObject({
    status: 401,
    code: 190,
    error_subcode: subcode,
  });
  expect(body.error?.message).toMatch(words);
  expect(await hello()).toMatchObject({ status: 200 });
});
