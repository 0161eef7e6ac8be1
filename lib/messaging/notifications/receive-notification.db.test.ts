import { beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '#lib/core/crypto/token.ts';
import { newId } from '#lib/core/ids.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { getEvent, listEvents } from '#lib/events/read-events.ts';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import { sealedFor, verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { answerHandshake, receiveNotification } from './hook-route.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { newStatusKey } from '#lib/messaging/sending/signal-keys.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { watchStatements } from '#lib/testing/watch-statements.ts';
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

describe('the status of a message that a run sent', () => {
  const AT = 1_700_000_000;
  const TASK_RUN = { runId: newId(), taskId: 2, iteration: '' };
  beforeAll(async () => {
    await receiver.world.runtime.hot.query(
      `insert into runs (id, workspace_id, workflow_id, version, event_id, status, epoch, created_at)
       values ($1, $2, $3, 1, $4, 'waiting', 1, now())`,
      [TASK_RUN.runId, receiver.world.workspaceId, await receiver.addWorkflow(), newId()],
    );
  });

  async function send(taskRun: typeof TASK_RUN | null = TASK_RUN): Promise<string> {
    const messageId = newMessageId();
    const to = { connectionId: receiver.connectionId, phoneNumberId: PHONE, recipient: '15550001111' };
    await recordSent(receiver.world.ctx, { messageId, kind: 'text', taskRun, ...to });
    return messageId;
  }

  const eventsOf = async (messageId: string): Promise<object[]> => {
    const { data } = await listEvents(receiver.world.ctx, { limit: 100 });
    const events = await Promise.all(data.map(({ id }) => getEvent(receiver.world.ctx, { id })));
    return events.filter(({ body }) => (body as JsonObject)['message_id'] === messageId);
  };

  const subscribe = async (): Promise<string> => {
    const workflowId = await receiver.addWorkflow();
    const subscription = { id: receiver.connectionId, workflow_id: workflowId, phone_number_id: null };
    await putSubscription(receiver.world.ctx, { ...subscription, kinds: ['statuses'] });
    return workflowId;
  };

  const STEPS = ['sent', 'delivered', 'read'].map((name, index) => ({ name, at: AT + index }));
  const ORDERS = STEPS.flatMap((first) =>
    STEPS.filter((each) => each !== first).map((second) => [
      first,
      second,
      ...STEPS.filter((each) => each !== first && each !== second),
    ]),
  ).map((steps) => [steps.map(({ name }) => name).join(', '), steps] as const);

  test.each(ORDERS)('is stored once with it and is no event: %s', async (_, steps) => {
    const id = await send();
    const pricing = { type: 'regular', category: 'utility' };
    const bodies = steps.map(({ name, at }) => notification(status(id, name, at, { pricing })));
    for (const body of bodies) expect((await receiver.deliver(body)).status).toBe(200);
    const all = notification(...steps.map(({ name, at }) => status(id, name, at, { pricing })));
    await Promise.all([...bodies, all, all].map((body) => receiver.deliver(body)));
    const known = await findMessage(receiver.world.ctx, id);
    expect(known).toMatchObject({ status: 'read', statusAt: new Date((AT + 2) * 1000) });
    expect(known?.timeline.filter((step) => step.status !== 'accepted')).toEqual(
      STEPS.map(({ name, at }) => ({ status: name, at: new Date(at * 1000).toISOString(), pricing })),
    );
    expect(await eventsOf(id)).toEqual([]);
  });

  test('that failed is stored with the errors of each', async () => {
    const id = await send();
    const errors = [{ code: 131_026, title: 'Message undeliverable', error_data: { details: 'No account' } }];
    await receiver.deliver(notification(status(id, 'failed', AT, { errors })));
    const known = await findMessage(receiver.world.ctx, id);
    expect(known).toMatchObject({ status: 'failed', errors });
    const { messages } = await getRun(receiver.world.ctx, { id: TASK_RUN.runId });
    expect(messages.find((each) => each.id === id)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('(131026)') as string,
      statuses: expect.arrayContaining([
        { status: 'failed', at: new Date(AT * 1000).toISOString(), errors, pricing: null },
      ]) as object[],
    });
    expect(known?.timeline).toContainEqual({
      status: 'failed',
      at: new Date(AT * 1000).toISOString(),
      errors,
    });
    expect(await eventsOf(id)).toEqual([]);
  });

  test('is an event of each workflow that is subscribed, once, and starts it', async () => {
    const workflows = [await subscribe(), await subscribe()];
    const id = await send();
    const body = notification(status(id, 'sent', AT), status(id, 'delivered', AT + 1));
    await Promise.all([body, body].map((each) => receiver.deliver(each)));
    for (const workflowId of workflows)
      expect(await receiver.eventsOf(workflowId)).toMatchObject([
        { kind: 'status', message_id: id, status: 'sent', raw: { id } },
        { kind: 'status', message_id: id, status: 'delivered' },
      ]);
    expect(await eventsOf(id)).toHaveLength(4);
    expect((await findMessage(receiver.world.ctx, id))?.timeline).toHaveLength(3);
  });

  test('is an event where its workflow is paused', async () => {
    const workflowId = await subscribe();
    await receiver.world.runtime.hot.query('update workflows set active = false where id = $1', [workflowId]);
    const id = await send();
    await receiver.deliver(notification(status(id, 'read', AT)));
    expect(await eventsOf(id)).toMatchObject([{ workflow_id: workflowId, outcome: 'not_active' }]);
  });

  test('is an event that names the run that was waiting for it', async () => {
    const [id, key] = [await send(), newStatusKey('delivered')];
    const { hot } = receiver.world.runtime;
    await hot.query(
      `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
       values ($1, $2, $3, $4, 2, '', 'newest', 0, now(), true)`,
      [newId(), receiver.world.workspaceId, key, TASK_RUN.runId],
    );
    const more = { biz_opaque_callback_data: key };
    await receiver.deliver(notification(status(id, 'sent', AT, more), status(id, 'delivered', AT + 1, more)));
    expect(await eventsOf(id)).toMatchObject([
      {
        outcome: 'recorded',
        reason: 'Passed to the run that was waiting for it.',
        run_id: TASK_RUN.runId,
        workflow_id: null,
        body: { status: 'delivered' },
      },
    ]);
  });

  test.each([
    ['was sent by hand', () => send(null), {}],
    ['nobody here sent', () => Promise.resolve(newMessageId()), {}],
    [
      'went to a group, of whose members it has one',
      () => send(),
      { recipient_participant_id: '15550002222' },
    ],
  ])('of a message that %s is an event, once, with all that came', async (_, make, more) => {
    const id = await make();
    const conversation = { id: 'c.1', origin: { type: 'utility' } };
    const body = notification(status(id, 'read', AT, { conversation, ...more }));
    for (const each of [body, body]) await receiver.deliver(each);
    expect(await eventsOf(id)).toMatchObject([
      {
        workflow_id: null,
        outcome: 'recorded',
        reason: 'The customer read the message.',
        body: { raw: { conversation, ...more } },
      },
    ]);
    expect(await findMessage(receiver.world.ctx, id)).toMatchObject({ status: 'read' });
  });

  test('a thousand of them in one request take a few statements and leave no event', async () => {
    const ids = await Promise.all(Array.from({ length: 1000 }, () => send()));
    const texts: string[] = [];
    await watchStatements(
      receiver.world.runtime.hot,
      () => receiver.deliver(notification(...ids.map((id) => status(id, 'delivered', AT)))),
      async (__, { text }) => void texts.push(text),
    );
    expect(texts.length).toBeLessThan(10);
    expect(texts.filter((text) => text.includes('insert into events'))).toEqual([]);
    for (const id of [ids[0], ids[999]])
      expect(await findMessage(receiver.world.ctx, id ?? '')).toMatchObject({ status: 'delivered' });
    expect((await listEvents(receiver.world.ctx, { limit: 1 })).data).toEqual([]);
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
