// A message that the customer stopped is not sent, by no way that messages are sent.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getConsent, setConsent } from '#lib/messaging/consent/consents.ts';
import { learnCustomer } from '#lib/messaging/customers/customer-names.ts';
import { moveCustomer } from '#lib/messaging/customers/move-customer.ts';
import type { ConsentPurpose, ConsentState } from '#lib/messaging/schema/consent-types.ts';
import { sendSampleMessage } from '#lib/messaging/send-sample-message.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { CUSTOMER, setUpSending } from '#lib/messaging/testing/sending.ts';

const USER_ID = 'US.1349AAA';
const OTHER_NUMBER = '15550002222';
const ACCOUNT = PLATFORM_IDS.books;

const sending = setUpSending();
beforeEach(() =>
  sending.world.runtime.hot.query(
    `delete from customer_consents; delete from consent_changes; delete from customer_names; delete from send_rates;
     delete from conversation_windows`,
  ),
);

const set = (purpose: ConsentPurpose, state: ConsentState, id = CUSTOMER) =>
  setConsent(sending.world.ctx, { id, purpose, state, source: 'api' });

const ofTemplate = (name: string, recipient = CUSTOMER) => ({
  ...sending.base,
  recipient,
  action: 'send_template',
  template_name: name,
  ...(name === MARKETING ? { template_parameters: VALUES } : {}),
});
const VALUES = '["Friday", "Sea Stories"]';
const MARKETING = 'author_reading';
const UTILITY = 'hello_world';

/** Messages that the platform got. */
const countSent = async (customer = CUSTOMER): Promise<number> =>
  (await sending.world.messages(`to=${customer}`)).length;

describe('a stop of marketing', () => {
  test('refuses message templates of the category MARKETING before the call, and says what to do', async () => {
    await set('marketing', 'stopped');
    const before = await countSent();
    const record: string[] = [];
    const error = await failAction(sending.world, ofTemplate(MARKETING), { record });
    expect(error).toMatchObject({
      code: 'customer_stopped',
      retry: { kind: 'never' },
      outcomeUnknown: false,
      details: { purpose: 'marketing' },
      output: { action: 'send_template' },
    });
    expect(error.message).toMatch(
      /^Customer stopped: The customer stopped marketing .* Use a utility template/,
    );
    expect(record).toEqual(['recorded', 'withdrawn']);
    expect(await countSent()).toBe(before);
  });

  test('lets templates of other categories, texts and other customers through', async () => {
    await set('marketing', 'stopped');
    await sending.world.customerWrites(CUSTOMER);
    await runAction(sending.world, ofTemplate(UTILITY));
    await runAction(sending.world, { ...sending.base, action: 'send_text', message_text: 'Hi' });
    await runAction(sending.world, ofTemplate(MARKETING, OTHER_NUMBER));
  });

  test('refuses a template whose category nobody knows', async () => {
    await set('marketing', 'stopped');
    expect(await failAction(sending.world, ofTemplate('no_such_template'))).toMatchObject({
      code: 'customer_stopped',
    });
  });

  test('refuses the fallback template of a text', async () => {
    await set('marketing', 'stopped');
    await sending.world.runtime.hot.query(
      `insert into conversation_windows (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
       values ($1, $2, $3, now() - interval '2 days', 'old')`,
      [sending.world.workspaceId, sending.base['phone_number_id'], CUSTOMER],
    );
    const text = { ...sending.base, action: 'send_text', message_text: 'Hi' };
    expect(
      await failAction(sending.world, {
        ...text,
        fallback_template_name: MARKETING,
        fallback_template_parameters: VALUES,
      }),
    ).toMatchObject({ code: 'customer_stopped' });
    expect(
      (await runAction(sending.world, { ...text, fallback_template_name: UTILITY })).output,
    ).toMatchObject({ sent: 'template' });
  });

  test('ends when consent is given again', async () => {
    await set('marketing', 'stopped');
    await set('marketing', 'given');
    await runAction(sending.world, ofTemplate(MARKETING));
  });
});

describe('the exit for customers who stopped', () => {
  const exits = ['customer_stopped'];

  test('is taken for a marketing template, and nothing is sent', async () => {
    await set('marketing', 'stopped');
    const before = await countSent();
    const record: string[] = [];
    expect(await runAction(sending.world, ofTemplate(MARKETING), { exits, record })).toMatchObject({
      branch: 'customer_stopped',
      output: { action: 'send_template', stopped: 'marketing' },
      runText: expect.stringMatching(/^Customer stopped: .* was not sent/) as string,
    });
    expect(record).toEqual(['recorded', 'withdrawn']);
    expect((await runAction(sending.world, ofTemplate(UTILITY), { exits })).branch).toBeUndefined();
    expect(await countSent()).toBe(before + 1);
  });

  test('is taken for any message where the customer stopped all, also by one that would wait', async () => {
    await set('all', 'stopped');
    await sending.world.customerWrites(CUSTOMER);
    const text = { ...sending.base, action: 'send_text', message_text: 'Hi', wait_until: 'read' };
    for (const settings of [ofTemplate(UTILITY), text])
      expect(await runAction(sending.world, settings, { exits })).toMatchObject({
        branch: 'customer_stopped',
        output: { stopped: 'all' },
      });
  });

  test('is taken where only the platform knows', async () => {
    await sending.world.control('POST', 'faults', { kind: 'error', code: 131050 });
    expect(await runAction(sending.world, ofTemplate(MARKETING), { exits })).toMatchObject({
      branch: 'customer_stopped',
      output: { stopped: 'marketing' },
    });
  });

  test('is not taken for other failures, nor where nothing is connected to it', async () => {
    const unknown = await failAction(sending.world, ofTemplate('no_such_template'), { exits });
    expect(unknown.code).toBe('template_not_found');
    await set('all', 'stopped');
    const failed = await failAction(sending.world, ofTemplate(UTILITY), { exits: ['failed'] });
    expect(failed.code).toBe('customer_stopped');
  });
});

describe('a stop of all messages', () => {
  test('refuses every message', async () => {
    await set('all', 'stopped');
    await sending.world.customerWrites(CUSTOMER);
    for (const settings of [
      ofTemplate(UTILITY),
      ofTemplate(MARKETING),
      { ...sending.base, action: 'send_text', message_text: 'Hi' },
      {
        ...sending.base,
        action: 'send_media',
        media_type: 'image',
        media_url: `${sending.filesUrl}/image/png/1000`,
      },
    ])
      expect(await failAction(sending.world, settings)).toMatchObject({
        code: 'customer_stopped',
        details: { purpose: 'all' },
      });
  });

  test('consent to all messages includes marketing; consent to marketing does not end a stop of all', async () => {
    await set('marketing', 'stopped');
    await set('all', 'stopped');
    await set('marketing', 'given');
    expect(await failAction(sending.world, ofTemplate(UTILITY))).toMatchObject({ code: 'customer_stopped' });
    await set('marketing', 'stopped');
    await set('all', 'given');
    await runAction(sending.world, ofTemplate(MARKETING));
  });

  test('refuses messages that a person sends to test a connection', async () => {
    await set('all', 'stopped');
    const sample = {
      id: sending.base['app_connection_id'] as string,
      phoneNumberId: sending.base['phone_number_id'] as string,
      recipient: CUSTOMER,
      message: { templateName: UTILITY },
    };
    await expect(sendSampleMessage(sending.world.ctx, sample)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('stopped all messages') as string,
    });
    await set('all', 'given');
    await sendSampleMessage(sending.world.ctx, sample);
  });
});

test('once a stop is committed, no message leaves that was not recorded as about to be sent before', async () => {
  const customer = '15550003333';
  const count = 60;
  let isCommitted = false;
  let recorded = 0;
  const late = new Set<number>();
  const outcomes = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      runAction(sending.world, ofTemplate(UTILITY, customer), {
        onRecord: async () => {
          recorded += 1;
          if (recorded === count / 3) {
            await set('all', 'stopped', customer);
            isCommitted = true;
          }
          if (isCommitted) late.add(index);
        },
      }).then(
        () => 'sent',
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(late.size).toBeGreaterThan(0);
  for (const index of late) expect(outcomes[index]).toBe('customer_stopped');
  expect(await countSent(customer)).toBe(outcomes.filter((outcome) => outcome === 'sent').length);
});

test('a message that waits for its turn is refused when the customer stops meanwhile', async () => {
  const { hot } = sending.world.runtime;
  const phone = `phone:${PLATFORM_IDS.booksOrders}`;
  await hot.query(`insert into send_rates (rate_key, next_at) values ($1, now() + interval '1.5 seconds')`, [
    phone,
  ]);
  const waiting = failAction(sending.world, ofTemplate(UTILITY));
  await vi.waitFor(async () => {
    const { rows } = await hot.query(
      `select from send_rates where rate_key = $1 and next_at > now() + interval '1 second'`,
      [`pair:${PLATFORM_IDS.booksOrders}:${CUSTOMER}`],
    );
    expect(rows).toHaveLength(1);
  });
  await set('all', 'stopped');
  expect(await waiting).toMatchObject({ code: 'customer_stopped' });
});

describe('the names of a customer', () => {
  const learn = (number: string, userId: string) =>
    learnCustomer(sending.world.runtime.hot, sending.world.workspaceId, {
      number,
      userId,
      businessAccountId: ACCOUNT,
    });
  const refuses = async (recipient: string) =>
    expect(await failAction(sending.world, ofTemplate(MARKETING, recipient))).toMatchObject({
      code: 'customer_stopped',
    });

  test('all of them are stopped, and may be told in any form', async () => {
    const { id } = await learn(CUSTOMER, USER_ID);
    await set('marketing', 'stopped', id);
    await refuses(CUSTOMER);
    await refuses(USER_ID);
    await set('marketing', 'given', `+${CUSTOMER}`);
    await runAction(sending.world, ofTemplate(MARKETING));
  });

  test('where names join, a stop counts; consent then counts for all of them', async () => {
    await set('marketing', 'stopped', USER_ID);
    await set('marketing', 'given', CUSTOMER);
    await runAction(sending.world, ofTemplate(MARKETING));
    const { id } = await learn(CUSTOMER, USER_ID);
    await refuses(CUSTOMER);
    expect(await getConsent(sending.world.ctx, { id })).toMatchObject({
      customer_id: id,
      names: [CUSTOMER, USER_ID],
      marketing: { state: 'stopped' },
      history: [{ state: 'given' }, { state: 'stopped' }],
    });
    await set('marketing', 'given', id);
    await runAction(sending.world, ofTemplate(MARKETING));
  });

  test('a new number takes the stop along, and its next owner is not stopped', async () => {
    const { id } = await learn(CUSTOMER, USER_ID);
    await set('marketing', 'stopped', id);
    const reported = { number: CUSTOMER, userId: USER_ID, businessAccountId: ACCOUNT };
    await moveCustomer(sending.world.runtime.hot, sending.world.workspaceId, reported, {
      number: OTHER_NUMBER,
      userId: 'US.1349BBB',
    });
    await refuses(OTHER_NUMBER);
    await runAction(sending.world, ofTemplate(MARKETING));
    expect((await getConsent(sending.world.ctx, { id: OTHER_NUMBER })).history).toHaveLength(1);
  });
});

describe('the register', () => {
  test('has each change with its evidence, newest first; a repetition is no change', async () => {
    const note = 'Order form';
    await setConsent(sending.world.ctx, {
      id: CUSTOMER,
      purpose: 'marketing',
      state: 'given',
      source: 'api',
      note,
    });
    await set('marketing', 'stopped');
    await set('marketing', 'stopped');
    const by = { kind: 'user', actor: 'test' };
    expect(await getConsent(sending.world.ctx, { id: `+${CUSTOMER}` })).toEqual({
      customer_id: null,
      kept_stop: null,
      names: [CUSTOMER],
      marketing: { state: 'stopped', since: expect.any(String) as string, evidence: by },
      all: null,
      history: [
        { purpose: 'marketing', state: 'stopped', at: expect.any(String) as string, evidence: by },
        {
          purpose: 'marketing',
          state: 'given',
          at: expect.any(String) as string,
          evidence: { ...by, note },
        },
      ],
    });
  });

  test('131050 of the platform is a stop of marketing, in the answer to a send', async () => {
    await sending.world.control('POST', 'faults', { kind: 'error', code: 131050 });
    expect(await failAction(sending.world, ofTemplate(MARKETING))).toMatchObject({
      code: 'customer_opted_out',
    });
    expect(await failAction(sending.world, ofTemplate(MARKETING))).toMatchObject({
      code: 'customer_stopped',
    });
    expect(await getConsent(sending.world.ctx, { id: CUSTOMER })).toMatchObject({
      marketing: { state: 'stopped', evidence: { kind: 'platform_error', task_id: 7 } },
    });
  });

  test('refuses what is no customer', async () => {
    await expect(set('all', 'stopped', 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    await expect(set('all', 'stopped', crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is deleted with its workspace', async () => {
    const { hot } = sending.world.runtime;
    await hot.query(
      `insert into workspaces (id, name) values ('00000000-0000-7000-8000-00000000abcd', 'Other')`,
    );
    const workspaceId = '00000000-0000-7000-8000-00000000abcd';
    await setConsent(
      { ...sending.world.ctx, workspaceId },
      { id: CUSTOMER, purpose: 'all', state: 'stopped', source: 'api' },
    );
    await runAction(sending.world, ofTemplate(UTILITY));
    await hot.query('delete from workspaces where id = $1', [workspaceId]);
    await vi.waitFor(async () => {
      const { rows } = await hot.query('select from customer_consents union all select from consent_changes');
      expect(rows).toEqual([]);
    });
  });
});
