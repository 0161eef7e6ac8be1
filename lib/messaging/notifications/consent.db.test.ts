// What customers write, and what the platform reports of them, changes their consent in the transaction that stores it.
import { beforeEach, describe, expect, test } from 'vitest';
import { getConsent, setConsent } from '#lib/messaging/consent/consents.ts';
import { setConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { CONSENT_DEFAULTS } from '#lib/messaging/consent/consent-words.ts';
import { getHold, setHold } from '#lib/messaging/consent/holds.ts';
import {
  message,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
  status,
} from '#lib/messaging/testing/notifications.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';

const NUMBER = '15550001111';
const USER_ID = 'US.1349AAA';
const AT = Math.floor(Date.now() / 1000);

const receiver = setUpNotifications();
beforeEach(() =>
  receiver.world.runtime.hot.query(
    `delete from customer_consents; delete from consent_changes; delete from customer_holds; delete from consent_settings;
     delete from customer_names; delete from received_changes`,
  ),
);

const text = (body: string, at = AT, from = NUMBER) =>
  message(newMessageId(), from, at, { type: 'text', text: { body } });
const consentOf = (id = NUMBER) => getConsent(receiver.world.ctx, { id });

const field = (name: string, value: object): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: PLATFORM_IDS.books,
        time: AT,
        changes: [{ field: name, value: { metadata: { phone_number_id: PHONE }, ...value } }],
      },
    ],
  });

describe('words', () => {
  test('stop and give consent, with the message as evidence; other messages change nothing', async () => {
    await receiver.deliver(notification(text('Please do not stop')));
    expect((await consentOf()).history).toEqual([]);
    await receiver.deliver(notification(text(' stopp! ')));
    expect(await consentOf()).toMatchObject({
      all: null,
      marketing: {
        state: 'stopped',
        since: new Date(AT * 1000).toISOString(),
        evidence: {
          kind: 'message',
          message_id: expect.stringMatching(/^wamid/) as string,
          text: ' stopp! ',
        },
      },
    });
    await receiver.deliver(notification(text('START', AT + 1)));
    expect(await consentOf()).toMatchObject({
      marketing: { state: 'given' },
      history: [{ state: 'given' }, { state: 'stopped' }],
    });
  });

  test('of one notification count in their order, for each customer', async () => {
    const other = '15550004444';
    await receiver.deliver(notification(text('stop'), text('start', AT, other), text('stop', AT, other)));
    expect(await consentOf()).toMatchObject({ marketing: { state: 'stopped' } });
    expect(await consentOf(other)).toMatchObject({ marketing: { state: 'stopped' } });
  });

  test('that arrive late do not undo a later stop', async () => {
    await receiver.deliver(notification(text('stop', AT)));
    await receiver.deliver(notification(text('start', AT - 60)));
    expect(await consentOf()).toMatchObject({ marketing: { state: 'stopped' } });
  });

  test('are those of the workspace, for its purpose, from the next message on', async () => {
    const settings = { ...CONSENT_DEFAULTS, stop_words: ['Schluss'], purpose: 'all' as const };
    await setConsentSettings(receiver.world.ctx, settings);
    await receiver.deliver(notification(text('stop')));
    expect((await consentOf()).history).toEqual([]);
    await receiver.deliver(notification(text('SCHLUSS')));
    expect(await consentOf()).toMatchObject({ all: { state: 'stopped' }, marketing: null });
    await receiver.deliver(notification(text('start', AT + 5)));
    expect(await consentOf()).toMatchObject({ all: { state: 'given' }, marketing: { state: 'given' } });
  });

  test('count for all names of the customer, and as the quick reply of a message template', async () => {
    const names = { contacts: [{ wa_id: NUMBER, user_id: USER_ID, profile: { name: 'Kim' } }] };
    const reply = { type: 'button', button: { text: 'Stop', payload: 'x' } };
    await receiver.deliver(
      notification({
        ...names,
        messages: [
          { id: newMessageId(), from: NUMBER, from_user_id: USER_ID, timestamp: String(AT), ...reply },
        ],
      }),
    );
    expect(await consentOf(USER_ID)).toMatchObject({
      names: [NUMBER, USER_ID],
      marketing: { state: 'stopped' },
    });
  });

  test('of members of a group change nobody’s consent', async () => {
    await receiver.deliver(
      notification(
        message(newMessageId(), NUMBER, AT, { type: 'text', text: { body: 'stop' }, group_id: 'group-1' }),
      ),
    );
    expect((await consentOf()).history).toEqual([]);
  });
});

describe('the platform', () => {
  const preference = (value: string, more: object = { wa_id: NUMBER }, at = AT) =>
    receiver.deliver(
      field('user_preferences', {
        user_preferences: [
          { category: 'marketing_messages', detail: 'User asked', timestamp: at, value, ...more },
        ],
      }),
    );

  test('reports that a customer stopped marketing, and resumed it', async () => {
    await preference('stop');
    expect(await consentOf()).toMatchObject({
      marketing: { state: 'stopped', evidence: { kind: 'preference', note: 'User asked' } },
    });
    await preference('resume', { user_id: USER_ID });
    expect(await consentOf(USER_ID)).toMatchObject({ marketing: { state: 'given' } });
    await preference('resume', { wa_id: NUMBER }, AT + 1);
    expect(await consentOf()).toMatchObject({ marketing: { state: 'given' } });
  });

  test('refuses a message with 131050 in its status', async () => {
    const errors = [{ code: 131_050, title: 'Stopped' }];
    await receiver.deliver(notification(status('wamid.refused', 'failed', AT, { errors })));
    expect(await consentOf()).toMatchObject({
      marketing: {
        state: 'stopped',
        evidence: { kind: 'platform_error', message_id: 'wamid.refused' },
      },
    });
  });

  test('other errors and preferences change nothing', async () => {
    const errors = [{ code: 131_049 }];
    await receiver.deliver(notification(status('wamid.limited', 'failed', AT, { errors })));
    await preference('snooze');
    expect((await consentOf()).history).toEqual([]);
  });
});

describe('messages of staff', () => {
  const echo = (name = 'smb_message_echoes', at = AT) =>
    receiver.deliver(
      field(name, {
        message_echoes: [
          { id: newMessageId(), from: '12125550101', to: NUMBER, timestamp: String(at), type: 'text' },
        ],
      }),
    );
  const holdOf = async () => (await getHold(receiver.world.ctx, { id: NUMBER })).hold;
  const allow = () =>
    setConsentSettings(receiver.world.ctx, {
      ...CONSENT_DEFAULTS,
      holds_on_echoes: true,
      echo_hold_hours: 2,
    });

  test('put the customer on hold where the workspace wants it', async () => {
    await echo();
    expect(await holdOf()).toBeNull();
    await allow();
    await echo('message_echoes');
    expect(await holdOf()).toBeNull();
    await echo();
    expect(await holdOf()).toMatchObject({
      until: new Date((AT + 7200) * 1000).toISOString(),
      evidence: { kind: 'echo' },
    });
    await echo('smb_message_echoes', AT + 60);
    expect(await holdOf()).toMatchObject({ until: new Date((AT + 7260) * 1000).toISOString() });
  });

  test('shorten no hold', async () => {
    await allow();
    await setHold(receiver.world.ctx, { id: NUMBER, hours: null, reason: 'Complaint' });
    await echo();
    expect(await holdOf()).toMatchObject({ until: null, reason: 'Complaint' });
  });
});

test('a stop by hand counts against an earlier message', async () => {
  await setConsent(receiver.world.ctx, { id: NUMBER, purpose: 'marketing', state: 'stopped', source: 'api' });
  await receiver.deliver(notification(text('start', AT - 3600)));
  expect(await consentOf()).toMatchObject({ marketing: { state: 'stopped', evidence: { kind: 'user' } } });
});
