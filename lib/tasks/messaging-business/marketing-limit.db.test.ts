// A customer gets at most as many marketing messages as the workspace allows, whichever runs send them at the same time.
import { beforeEach, describe, expect, test } from 'vitest';
import { setConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { CONSENT_DEFAULTS } from '#lib/messaging/consent/consent-words.ts';
import { setConsent } from '#lib/messaging/consent/consents.ts';
import { learnCustomer } from '#lib/messaging/customers/customer-names.ts';
import { moveCustomer } from '#lib/messaging/customers/move-customer.ts';
import { MarketingPlace } from '#lib/messaging/sending/marketing-limit.ts';
import { sendSampleMessage } from '#lib/messaging/send-sample-message.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';

const USER_ID = 'US.1349AAA';
const NEW_NUMBER = '15550002222';
const sending = setUpSending();
const query = (text: string, values: unknown[] = []) => sending.world.runtime.hot.query(text, values);

const limitTo = (messages: number, days = 7) =>
  setConsentSettings(sending.world.ctx, { ...CONSENT_DEFAULTS, marketing_limit: { messages, days } });

beforeEach(() =>
  query(
    `delete from marketing_places; delete from consent_settings; delete from customer_consents; delete from consent_changes;
     delete from customer_names; delete from send_rates; delete from send_turns; delete from customer_holds`,
  ),
);

const marketing = (recipient = CUSTOMER) => ({
  ...sending.base,
  recipient,
  action: 'send_template',
  template_name: 'author_reading',
  template_parameters: '["Friday", "Sea Stories"]',
});
const utility = () => ({ ...sending.base, action: 'send_template', template_name: 'hello_world' });
const countPlaces = async (): Promise<number> => (await query('select from marketing_places')).rowCount ?? 0;
const countSent = async (customer = CUSTOMER): Promise<number> =>
  (await sending.world.messages(`to=${customer}`)).length;

test('without a limit nothing is counted', async () => {
  await runAction(sending.world, marketing());
  expect(await countPlaces()).toBe(0);
});

describe('at the limit', () => {
  test('a marketing template is refused before the call, with an error and a reason of its own', async () => {
    await limitTo(2);
    for (const _ of [1, 2]) await runAction(sending.world, marketing());
    const before = await countSent();
    const record: string[] = [];
    expect(await failAction(sending.world, marketing(), { record })).toMatchObject({
      code: 'marketing_limit_reached',
      message: 'This customer already got 2 marketing messages in 7 days. The message was not sent.',
      retry: { kind: 'never' },
      outcomeUnknown: false,
      details: { messages: 2, days: 7 },
    });
    expect(record).toEqual(['recorded', 'withdrawn']);
    expect(await countSent()).toBe(before);
    // Other templates and other customers are not limited.
    await runAction(sending.world, utility());
    await runAction(sending.world, marketing(NEW_NUMBER));
  });

  test('the exit for customers who stopped is taken', async () => {
    await limitTo(1);
    await runAction(sending.world, marketing());
    expect(await runAction(sending.world, marketing(), { exits: ['customer_stopped'] })).toMatchObject({
      branch: 'customer_stopped',
      output: { stopped: 'marketing' },
      runText: 'This customer already got 1 marketing message in 7 days. The message was not sent.',
    });
  });

  test('the test message of a member is refused, too', async () => {
    await limitTo(1);
    const sample = () =>
      sendSampleMessage(sending.world.ctx, {
        id: String(sending.base['app_connection_id']),
        phoneNumberId: PLATFORM_IDS.booksOrders,
        recipient: CUSTOMER,
        message: { templateName: 'author_reading', language: 'en_US' },
      });
    // Its parameters are missing: the platform refuses it, and it does not count.
    await expect(sample()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await countPlaces()).toBe(0);
    await runAction(sending.world, marketing());
    await expect(sample()).rejects.toMatchObject({
      code: 'conflict',
      message: 'This customer already got 1 marketing message in 7 days.',
    });
  });
});

describe('what counts', () => {
  test('runs that send at the same moment do not both take the last place', async () => {
    await limitTo(3);
    const before = await countSent();
    const sends = Array.from({ length: 8 }, () =>
      runAction(sending.world, marketing(), { exits: ['customer_stopped'] }),
    );
    const branches = (await Promise.all(sends)).map(({ branch }) => branch);
    expect(branches.filter((branch) => branch === undefined)).toHaveLength(3);
    expect(await countSent()).toBe(before + 3);
  });

  test('nor do those of two processes, by different names of the customer', async () => {
    const { hot } = sending.world.runtime;
    const other = sending.world.openRuntime();
    const { workspaceId } = sending.world;
    await learnCustomer(hot, workspaceId, {
      number: CUSTOMER,
      userId: USER_ID,
      businessAccountId: PLATFORM_IDS.books,
    });
    for (let round = 0; round < 20; round += 1) {
      await query('delete from marketing_places');
      const places = Array.from({ length: 6 }, (_, index) =>
        new MarketingPlace(index % 2 === 0 ? hot : other.hot, {
          workspaceId,
          recipient: index % 3 === 0 ? USER_ID : CUSTOMER,
        }).take({ messages: 2, days: 1 }),
      );
      expect((await Promise.all(places)).filter(Boolean)).toHaveLength(2);
    }
    await other.close();
  });

  test('a message that did not leave does not; one whose outcome is unknown does', async () => {
    await limitTo(1);
    await failAction(sending.world, { ...marketing(), template_parameters: '["Friday"]' });
    await sending.world.control('POST', 'faults', {
      kind: 'error',
      code: 131026,
      path: '/messages',
      times: 1,
    });
    await failAction(sending.world, marketing());
    await setConsent(sending.world.ctx, {
      id: CUSTOMER,
      purpose: 'marketing',
      state: 'stopped',
      source: 'api',
    });
    expect(await failAction(sending.world, marketing())).toMatchObject({ code: 'customer_stopped' });
    await setConsent(sending.world.ctx, {
      id: CUSTOMER,
      purpose: 'marketing',
      state: 'given',
      source: 'api',
    });
    expect(await countPlaces()).toBe(0);
    await sending.world.control('POST', 'faults', { kind: 'drop', path: '/messages', times: 1 });
    expect(await failAction(sending.world, marketing())).toMatchObject({ outcomeUnknown: true });
    expect(await failAction(sending.world, marketing())).toMatchObject({ code: 'marketing_limit_reached' });
  });

  test('a message that could not be delivered, or is older, does not', async () => {
    await limitTo(1);
    const { output } = await runAction(sending.world, marketing());
    await query(`update sent_messages set status = 'failed' where message_id = $1`, [output['message_id']]);
    await runAction(sending.world, marketing());
    expect(await failAction(sending.world, marketing())).toMatchObject({ code: 'marketing_limit_reached' });
    await query(`update marketing_places set taken_at = now() - interval '7 days 1 minute'`);
    await runAction(sending.world, marketing());
  });

  test('a new number takes what was sent along, and its next owner starts at none', async () => {
    await limitTo(1);
    const { hot } = sending.world.runtime;
    await runAction(sending.world, marketing());
    const before = { number: CUSTOMER, userId: '', businessAccountId: PLATFORM_IDS.books };
    await moveCustomer(hot, sending.world.workspaceId, before, { number: NEW_NUMBER, userId: '' });
    expect(await failAction(sending.world, marketing(NEW_NUMBER))).toMatchObject({
      code: 'marketing_limit_reached',
    });
    await runAction(sending.world, marketing());
  });
});
