// The platform's notices, from the signed notification to the alert.
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { accountNotices } from '#lib/messaging/schema/messaging.ts';
import { getConnection } from '#lib/messaging/connections/connections.ts';
import { sendSampleMessage } from '#lib/messaging/send-sample-message.ts';
import { NOTIFICATION_SAMPLES } from '#lib/messaging/testing/notification-samples.ts';
import { setUpNotifications } from '#lib/messaging/testing/notifications.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import { updateDestination } from '../destinations/save-destination.ts';
import { listAlerts } from '../list-alerts.ts';
import { ALERT_KINDS } from '../kinds.ts';
import type { AlertRuntime } from '../runtime.ts';
import { alerts } from '../schema.ts';
import { recordNotices } from './record-notices.ts';

const receiver = setUpNotifications();

let runtime: AlertRuntime;
beforeEach(async () => {
  const { db, secrets, baseUrl } = receiver.world.runtime;
  const settings = parseSettings({ DATABASE_URL: 'postgres://unused' });
  runtime = { db, secrets, baseUrl, settings, logger: pino({ level: 'silent' }) };
  await db.delete(alerts);
  await updateDestination(receiver.world.ctx, {
    id: receiver.world.workspaceId,
    name: 'Owners',
    config: { channel: 'email', owners: true, user_ids: [], addresses: [] },
    kinds: [...ALERT_KINDS],
    enabled: true,
  });
  const userId = newId();
  await db.insert(users).values({ id: userId, email: `${userId}@example.com` });
  await db.insert(memberships).values({ workspaceId: receiver.world.workspaceId, userId, role: 'owner' });
});

let time = 1_700_000_000;
const deliver = (field: string, value: object) => {
  time += 1;
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: PLATFORM_IDS.books, time, changes: [{ field, value }] }],
  });
  return receiver.deliver(body).then(() => body);
};
const told = async () => {
  await recordNotices(runtime);
  const { data } = await listAlerts(receiver.world.ctx, { limit: 100 });
  return data.toReversed().map(({ kind, title }) => `${kind}: ${title}`);
};
const TEMPLATE = {
  message_template_id: 1,
  message_template_name: 'order_confirmation',
  message_template_language: 'en_US',
};

test('a template that is rejected or paused, with the reason; a copy of the notification changes nothing', async () => {
  const body = await deliver('message_template_status_update', {
    ...TEMPLATE,
    event: 'REJECTED',
    reason: 'INVALID_FORMAT',
  });
  await receiver.deliver(body);
  await deliver('message_template_status_update', { ...TEMPLATE, event: 'PAUSED', reason: null });
  await deliver('message_template_status_update', { ...TEMPLATE, event: 'APPROVED', reason: 'NONE' });
  expect(await told()).toEqual([
    'template: The message template “order_confirmation” (en_US) was rejected',
    'template: The message template “order_confirmation” (en_US) was paused',
  ]);
  const { data } = await listAlerts(receiver.world.ctx, { limit: 100 });
  expect(data.at(-1)?.paragraphs[0]).toContain('Reason: invalid format.');
  expect(await told()).toHaveLength(2);
});

test('another category of a template, announced and then done', async () => {
  await deliver('template_category_update', {
    ...TEMPLATE,
    new_category: 'UTILITY',
    correct_category: 'MARKETING',
    category_update_timestamp: 1_700_086_400,
  });
  const done = { previous_category: 'UTILITY', new_category: 'MARKETING' };
  await deliver('template_category_update', { ...TEMPLATE, ...done });
  await deliver('template_category_update', { ...TEMPLATE, ...done, previous_category: 'MARKETING' });
  const name = 'category of the message template “order_confirmation” (en_US) from Utility to Marketing';
  expect(await told()).toEqual([
    `template: The platform will change the ${name}`,
    `template: The platform changed the ${name}`,
  ]);
  const { data } = await listAlerts(receiver.world.ctx, { limit: 100 });
  expect(data[0]?.paragraphs[0]).toContain('charged as marketing');
});

test('the quality of a number and of a template that fall, and none that rises', async () => {
  const number = { display_phone_number: '12125550101', current_limit: 'TIER_1K' };
  await deliver('phone_number_quality_update', { ...number, event: 'FLAGGED' });
  await deliver('phone_number_quality_update', { ...number, event: 'UNFLAGGED' });
  const quality = { ...TEMPLATE, previous_quality_score: 'GREEN', new_quality_score: 'RED' };
  await deliver('message_template_quality_update', quality);
  await deliver('message_template_quality_update', {
    ...quality,
    previous_quality_score: 'RED',
    new_quality_score: 'GREEN',
  });
  expect(await told()).toEqual([
    'quality: The quality rating of a number fell: 12125550101',
    'template: The quality of the message template “order_confirmation” (en_US) fell to low',
  ]);
});

const failedStatus = (id: string, code: number) =>
  deliver('messages', {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '12125550101', phone_number_id: PLATFORM_IDS.booksOrders },
    statuses: [
      {
        id,
        status: 'failed',
        timestamp: '1700000000',
        recipient_id: '15550001111',
        errors: [{ code, title: 'Business eligibility payment issue', error_data: { details: 'x' } }],
      },
    ],
  });

test('a payment problem and a restriction, by the answer to a call or by the status of a message, once each', async () => {
  const { world } = receiver;
  const send = () =>
    sendSampleMessage(world.ctx, {
      id: receiver.connectionId,
      phoneNumberId: PLATFORM_IDS.booksOrders,
      recipient: '15550001111',
      message: { templateName: 'hello_world' },
    });
  for (const code of [131042, 131042, 131031, 368, 130497]) {
    await world.control('POST', 'faults', { kind: 'error', code });
    await expect(send()).rejects.toThrow(/^(Payment problem|Account restricted): /);
  }
  const { name } = await getConnection(world.ctx, { id: receiver.connectionId });
  const both = [
    `connection: The account of the connection “${name}” has a payment problem`,
    `connection: The account of the connection “${name}” is restricted`,
  ];
  expect((await told()).sort()).toEqual(both);
  expect(await getConnection(world.ctx, { id: receiver.connectionId })).toMatchObject({
    status: 'connected',
  });
  await failedStatus('wamid.payment-1', 131042);
  await failedStatus('wamid.payment-2', 131042);
  await failedStatus('wamid.other', 131026);
  expect((await told()).sort()).toEqual(both);
  // A day without a refusal: the problem was over.
  await failedStatus('wamid.payment-3', 131042);
  await recordNotices(runtime, new Date(Date.now() + 25 * 3_600_000));
  expect(await told()).toHaveLength(3);
});

test('every sample of a notification is received, and those of messages leave nothing to tell', async () => {
  for (const { field, value } of NOTIFICATION_SAMPLES) await deliver(field, value);
  const rows = await runtime.db.select().from(accountNotices);
  expect(rows.map(({ notice }) => notice.field).sort()).toEqual([
    'message_template_quality_update',
    'message_template_status_update',
    'phone_number_quality_update',
    'template_category_update',
  ]);
  expect(await told()).toHaveLength(4);
  expect(await runtime.db.select().from(accountNotices)).toEqual([]);
});
