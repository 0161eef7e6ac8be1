import { describe, expect, test } from 'vitest';
import { hashToken } from '#lib/core/crypto/token.ts';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import { sealedFor, verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { answerHandshake, receiveNotification } from './hook-route.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import {
  PHONE,
  newMessageId,
  notification,
  message,
  status,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';

const receiver = setUpNotifications();

describe('handshake', () => {
  const ask = (query: Record<string, string>, of = receiver.token) =>
    answerHandshake(receiver.deps, of, new URLSearchParams(query));

  test('the challenge comes back for the verify token of this connection', async () => {
    const { verifyToken } = await getReceiver(receiver.world.ctx, { id: receiver.connectionId });
    expect(verifyToken).toBe(verifyTokenOf(receiver.token));
    expect(
      await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '12345' }),
    ).toEqual({ status: 200, body: '12345' });
  });

  test('a wrong verify token, a wrong mode and an unknown receiver are refused', async () => {
    expect(
      (await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': 'x', 'hub.challenge': '1' })).status,
    ).toBe(403);
    expect(
      (
        await ask({
          'hub.mode': 'other',
          'hub.verify_token': verifyTokenOf(receiver.token),
          'hub.challenge': '1',
        })
      ).status,
    ).toBe(403);
    expect((await ask({}, 'unknown')).status).toBe(404);
  });
});

describe('signature', () => {
  const body = notification(message('wamid.signed', '15550001111', 1_700_000_000));

  test.each([
    ['none', null],
    ['one of another secret', receiver.sign(body, 'other')],
    ['one of another body', undefined],
    ['no hex', 'sha256=zz'],
    ['an old kind', 'sha1=0000'],
  ])('%s is refused and changes nothing', async (_, signature) => {
    const used = signature === undefined ? receiver.sign(`${body} `) : signature;
    expect((await receiver.deliver(body, used)).status).toBe(403);
    expect(
      await findWindow(receiver.world.ctx, { phoneNumberId: PHONE, customer: '15550001111' }),
    ).toBeUndefined();
  });

  test('without an app secret nothing is believed', async () => {
    expect(
      (
        await receiveNotification(
          { ...receiver.deps, appSecret: undefined },
          { token: receiver.token, rawBody: Buffer.from(body), signature: receiver.sign(body) },
        )
      ).status,
    ).toBe(503);
  });

  test('an unknown receiver: 404; a body that is not JSON, or that says nothing we know: 200', async () => {
    expect(
      (
        await receiveNotification(receiver.deps, {
          token: 'x',
          rawBody: Buffer.from(body),
          signature: receiver.sign(body),
        })
      ).status,
    ).toBe(404);
    for (const odd of [
      '{',
      '[]',
      '{"entry":[{"changes":[{"field":"other","value":null}]},5]}',
      '{"entry":[{"changes":[{"field":"messages","value":{"messages":[{"id":1}]}}]}]}',
    ]) {
      expect((await receiver.deliver(odd)).status).toBe(200);
    }
  });
});

describe('windows', () => {
  const find = (customer: string) => findWindow(receiver.world.ctx, { phoneNumberId: PHONE, customer });

  test('spec, Endpoints 1: 24 hours from the last message, in whatever order they are told', async () => {
    const customer = '15551000001';
    await receiver.deliver(notification(message(newMessageId(), customer, 1_700_000_600)));
    await receiver.deliver(notification(message(newMessageId(), customer, 1_700_000_000)));
    expect(await find(customer)).toEqual({
      lastMessageAt: new Date(1_700_000_600_000),
      closesAt: new Date(1_700_086_400_000 + 600_000),
    });
    await receiver.deliver(notification(message(newMessageId(), customer, 1_700_000_900)));
    expect((await find(customer))?.lastMessageAt).toEqual(new Date(1_700_000_900_000));
  });
});

describe('statuses', () => {
  test('unordered, never going back; the timeline has all; told before the send was recorded', async () => {
    const id = newMessageId();
    await receiver.deliver(notification(status(id, 'delivered', 1_700_000_020)));
    await recordSent(receiver.world.ctx, {
      messageId: id,
      connectionId: receiver.connectionId,
      phoneNumberId: PHONE,
      recipient: '15550001111',
      kind: 'template',
      templateName: 'hello_world',
      taskRun: { runId: '00000000-0000-7000-8000-000000000001', taskId: 2, iteration: '' },
    });
    await receiver.deliver(
      notification(status(id, 'sent', 1_700_000_010), status(id, 'read', 1_700_000_030)),
    );
    const known = await findMessage(receiver.world.ctx, id);
    expect(known).toMatchObject({
      status: 'read',
      statusAt: new Date(1_700_000_030_000),
      kind: 'template',
      taskId: 2,
    });
    expect(known?.timeline.filter((step) => step.status !== 'accepted').map((step) => step.status)).toEqual([
      'sent',
      'delivered',
      'read',
    ]);
  });

  test('failed, with its errors', async () => {
    const id = newMessageId();
    const errors = [
      { code: 131026, title: 'Message undeliverable', message: 'x', error_data: { details: 'y' } },
    ];
    await receiver.deliver(notification(status(id, 'failed', 1_700_000_010, { errors })));
    expect(await findMessage(receiver.world.ctx, id)).toMatchObject({ status: 'failed', errors });
  });
});

test('the receiver token is sealed for its connection and found by its hash only', async () => {
  const { rows } = await receiver.world.runtime.hot.query<{
    receiver_token_hash: Buffer;
    receiver_token_encrypted: string;
  }>('select receiver_token_hash, receiver_token_encrypted from connections where id = $1', [
    receiver.connectionId,
  ]);
  expect(rows[0]?.receiver_token_hash.equals(hashToken(receiver.token))).toBe(true);
  expect(() =>
    receiver.world.runtime.secrets.open(
      rows[0]?.receiver_token_encrypted ?? '',
      sealedFor(receiver.world.workspaceId, 'access_token', receiver.connectionId),
    ),
  ).toThrow();
});
