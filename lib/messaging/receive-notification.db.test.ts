import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { getReceiver } from '#lib/connections/get-receiver.ts';
import { sealedFor, sha256, verifyTokenOf } from '#lib/connections/sealing.ts';
import {
  listSubscriptions,
  putSubscription,
  removeSubscription,
} from '#lib/connections/workflow-subscriptions.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/json/value.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { findMessage } from './find-message.ts';
import { findWindow } from './find-window.ts';
import { answerHandshake, receiveNotification, type ReceiverDeps } from './receive-notification.ts';
import { recordSent } from './record-sent.ts';
import { type MessagingWorld, PLATFORM_IDS, startMessagingWorld } from './testing/messaging-world.ts';

const PHONE = PLATFORM_IDS.booksOrders;
const GRAPH: WorkflowGraph = {
  tasks: [{ id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} }],
  edges: [],
};

let world: MessagingWorld;
let deps: ReceiverDeps;
let connectionId: string;
let token: string;

beforeAll(async () => {
  world = await startMessagingWorld();
  const { hot: pool, secrets, platform, logger } = world.runtime;
  deps = { pool, secrets, appSecret: platform.appSecret, logger };
  connectionId = (await world.connect()).id;
  token = (await getReceiver(world.ctx, { id: connectionId })).url.split('/').at(-1) ?? '';
});
afterAll(() => world.end());
beforeEach(() => world.runtime.hot.query('delete from connection_subscriptions; delete from events'));

const sign = (body: string, secret = world.clientSecret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const deliver = (body: string, signature: string | null = sign(body)) =>
  receiveNotification(deps, { token, rawBody: Buffer.from(body), signature });

let number = 0;
const newMessageId = (): string => `wamid.test${(number += 1)}`;

const notification = (...values: object[]): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: PLATFORM_IDS.books,
        time: 1_700_000_000,
        changes: values.map((value) => ({
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '12125550101', phone_number_id: PHONE },
            ...value,
          },
        })),
      },
    ],
  });

const message = (
  id: string,
  from: string,
  at: number,
  more: object = { type: 'text', text: { body: 'Hi' } },
): object => ({
  contacts: [{ wa_id: from, profile: { name: 'Customer' } }],
  messages: [{ id, from, timestamp: String(at), ...more }],
});

const status = (id: string, name: string, at: number, more: object = {}): object => ({
  statuses: [{ id, status: name, timestamp: String(at), recipient_id: '15550001111', ...more }],
});

/** A workflow of the world's workspace. */
async function addWorkflow(): Promise<string> {
  const { workflowId } = await insertWorkflow(world.runtime.hot, GRAPH);
  await world.runtime.hot.query('update workflows set workspace_id = $1 where id = $2', [
    world.workspaceId,
    workflowId,
  ]);
  return workflowId;
}

async function eventsOf(workflowId: string): Promise<JsonObject[]> {
  const { rows } = await world.runtime.hot.query<{ body: Buffer; outcome: string; run_id: string }>(
    `select e.body, e.outcome, r.id as run_id from events e join runs r on r.id = e.run_id where e.workflow_id = $1 order by e.id`,
    [workflowId],
  );
  return rows.map((row) => JSON.parse(row.body.toString()) as JsonObject);
}

describe('handshake', () => {
  const ask = (query: Record<string, string>, of = token) =>
    answerHandshake(deps, of, new URLSearchParams(query));

  test('platform.md, Notifications: the challenge comes back for the verify token of this connection', async () => {
    const { verifyToken } = await getReceiver(world.ctx, { id: connectionId });
    expect(verifyToken).toBe(verifyTokenOf(token));
    expect(
      await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': '12345' }),
    ).toEqual({ status: 200, body: '12345' });
  });

  test('a wrong verify token, a wrong mode and an unknown receiver are refused', async () => {
    expect(
      (await ask({ 'hub.mode': 'subscribe', 'hub.verify_token': 'x', 'hub.challenge': '1' })).status,
    ).toBe(403);
    expect(
      (await ask({ 'hub.mode': 'other', 'hub.verify_token': verifyTokenOf(token), 'hub.challenge': '1' }))
        .status,
    ).toBe(403);
    expect((await ask({}, 'unknown')).status).toBe(404);
  });
});

describe('signature', () => {
  const body = notification(message('wamid.signed', '15550001111', 1_700_000_000));

  test.each([
    ['none', null],
    ['one of another secret', sign(body, 'other')],
    ['one of another body', undefined],
    ['no hex', 'sha256=zz'],
    ['an old kind', 'sha1=0000'],
  ])('%s is refused and changes nothing', async (_, signature) => {
    const used = signature === undefined ? sign(`${body} `) : signature;
    expect((await deliver(body, used)).status).toBe(403);
    expect(await findWindow(world.ctx, { phoneNumberId: PHONE, customer: '15550001111' })).toBeUndefined();
  });

  test('without an app secret nothing is believed', async () => {
    expect(
      (
        await receiveNotification(
          { ...deps, appSecret: undefined },
          { token, rawBody: Buffer.from(body), signature: sign(body) },
        )
      ).status,
    ).toBe(503);
  });

  test('a body that is not JSON: 400; an unknown receiver: 404; one that says nothing we know: 200', async () => {
    expect((await deliver('{')).status).toBe(400);
    expect(
      (await receiveNotification(deps, { token: 'x', rawBody: Buffer.from(body), signature: sign(body) }))
        .status,
    ).toBe(404);
    for (const odd of [
      '[]',
      '{"entry":[{"changes":[{"field":"other","value":null}]},5]}',
      '{"entry":[{"changes":[{"field":"messages","value":{"messages":[{"id":1}]}}]}]}',
    ]) {
      expect((await deliver(odd)).status).toBe(200);
    }
  });
});

describe('windows', () => {
  const find = (customer: string) => findWindow(world.ctx, { phoneNumberId: PHONE, customer });

  test('spec, Endpoints 1: 24 hours from the last message, in whatever order they are told', async () => {
    const customer = '15551000001';
    await deliver(notification(message(newMessageId(), customer, 1_700_000_600)));
    await deliver(notification(message(newMessageId(), customer, 1_700_000_000)));
    expect(await find(customer)).toEqual({
      lastMessageAt: new Date(1_700_000_600_000),
      closesAt: new Date(1_700_086_400_000 + 600_000),
    });
    await deliver(notification(message(newMessageId(), customer, 1_700_000_900)));
    expect((await find(customer))?.lastMessageAt).toEqual(new Date(1_700_000_900_000));
  });
});

describe('statuses', () => {
  test('unordered, never going back; the timeline has all; told before the send was recorded', async () => {
    const id = newMessageId();
    await deliver(notification(status(id, 'delivered', 1_700_000_020)));
    await recordSent(world.ctx, {
      messageId: id,
      connectionId,
      phoneNumberId: PHONE,
      recipient: '15550001111',
      kind: 'template',
      templateName: 'hello_world',
      taskRun: { runId: '00000000-0000-7000-8000-000000000001', taskId: 2, iteration: '' },
    });
    await deliver(notification(status(id, 'sent', 1_700_000_010), status(id, 'read', 1_700_000_030)));
    const known = await findMessage(world.ctx, id);
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
    await deliver(notification(status(id, 'failed', 1_700_000_010, { errors })));
    expect(await findMessage(world.ctx, id)).toMatchObject({ status: 'failed', errors });
  });
});

describe('handing on', () => {
  test('one event a message for each workflow that wants it, with the fields that mark_as_read and send_text need', async () => {
    const [wanting, other] = [await addWorkflow(), await addWorkflow()];
    await putSubscription(world.ctx, {
      id: connectionId,
      workflow_id: wanting,
      kinds: ['messages'],
      phone_number_id: null,
    });
    await putSubscription(world.ctx, {
      id: connectionId,
      workflow_id: other,
      kinds: ['statuses'],
      phone_number_id: PHONE,
    });
    const [first, second] = [newMessageId(), newMessageId()];
    const button = {
      type: 'button',
      button: { text: 'Confirm', payload: 'yes' },
      context: { id: 'wamid.sent' },
    };
    const image = { type: 'image', image: { id: '77', mime_type: 'image/png', caption: 'Look' } };
    await deliver(
      notification(
        message(first, '15551000002', 1_700_000_000, button),
        message(second, '15551000003', 1_700_000_001, image),
      ),
    );
    const events = await eventsOf(wanting);
    expect(events).toMatchObject([
      {
        kind: 'message',
        message_id: first,
        from: '15551000002',
        from_name: 'Customer',
        type: 'button',
        text: 'Confirm',
        timestamp: 1_700_000_000,
        phone_number_id: PHONE,
        button: { text: 'Confirm', payload: 'yes' },
        reply_to: 'wamid.sent',
        business_account_id: PLATFORM_IDS.books,
        connection_id: connectionId,
        raw: button,
      },
      {
        kind: 'message',
        message_id: second,
        type: 'image',
        text: 'Look',
        media_id: '77',
        mime_type: 'image/png',
      },
    ]);
    expect(await eventsOf(other)).toEqual([]);
    await deliver(notification(status(first, 'delivered', 1_700_000_002)));
    expect(await eventsOf(other)).toMatchObject([
      { kind: 'status', message_id: first, status: 'delivered', recipient: '15550001111', errors: [] },
    ]);
  });

  test('platform.md: at least once, batched: copies and concurrent copies start a workflow once', async () => {
    const workflowId = await addWorkflow();
    await putSubscription(world.ctx, {
      id: connectionId,
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: null,
    });
    const ids = Array.from({ length: 20 }, newMessageId);
    const batches = [ids, [...ids].reverse(), ids.slice(5, 15), ids.slice(0, 12)];
    const bodies = batches.map((batch) =>
      notification(
        ...batch.map((id) => message(id, `1555200${id.slice(-4).replace(/\D/g, '0')}`, 1_700_000_000)),
      ),
    );
    const answers = await Promise.all([...bodies, ...bodies].map((body) => deliver(body)));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    const seen = (await eventsOf(workflowId)).map((event) => event['message_id']);
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test('what could not be committed is told again, and then starts it', async () => {
    const workflowId = await addWorkflow();
    await putSubscription(world.ctx, {
      id: connectionId,
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: null,
    });
    const body = notification(message(newMessageId(), '15551000004', 1_700_000_000));
    await world.runtime.hot.query('alter table events rename to events_away');
    await expect(deliver(body)).rejects.toThrow();
    await world.runtime.hot.query('alter table events_away rename to events');
    expect((await deliver(body)).status).toBe(200);
    expect(await eventsOf(workflowId)).toHaveLength(1);
  });

  test('only the number that was asked for; template statuses too; no more after the subscription was removed', async () => {
    const workflowId = await addWorkflow();
    const kinds: ('messages' | 'templates')[] = ['messages', 'templates'];
    await putSubscription(world.ctx, {
      id: connectionId,
      workflow_id: workflowId,
      kinds,
      phone_number_id: 'another',
    });
    expect(await listSubscriptions(world.ctx, { id: connectionId })).toEqual([
      { workflow_id: workflowId, kinds, phone_number_id: 'another' },
    ]);
    await deliver(notification(message(newMessageId(), '15551000005', 1_700_000_000)));
    expect(await eventsOf(workflowId)).toEqual([]);
    const value = {
      event: 'APPROVED',
      message_template_id: 12_345_678_901_234_567n,
      message_template_name: 'a',
      message_template_language: 'en_US',
      reason: 'NONE',
    };
    const template = (time: number) =>
      `{"entry":[{"id":"1","time":${time},"changes":[{"field":"message_template_status_update","value":${JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? 0 : each)).replace('"message_template_id":0', '"message_template_id":12345678901234567')}}]}]}`;
    for (const time of [1, 1, 2]) await deliver(template(time));
    expect(await eventsOf(workflowId)).toMatchObject([
      {
        kind: 'template',
        template_id: '12345678901234567',
        template_name: 'a',
        status: 'APPROVED',
        reason: null,
      },
      { kind: 'template' },
    ]);
    await removeSubscription(world.ctx, { id: connectionId, workflowId });
    await deliver(template(3));
    expect(await eventsOf(workflowId)).toHaveLength(2);
  });

  test('a workflow of another workspace cannot be subscribed', async () => {
    const { workflowId } = await insertWorkflow(world.runtime.hot, GRAPH);
    const subscription = {
      id: connectionId,
      workflow_id: workflowId,
      kinds: ['messages' as const],
      phone_number_id: null,
    };
    await expect(putSubscription(world.ctx, subscription)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('with the platform itself', () => {
  let server: Server;
  let hookUrl: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://x');
      const hook = url.pathname.split('/').at(-1) ?? '';
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const signature = request.headers['x-hub-signature-256']?.toString() ?? null;
        const answering =
          request.method === 'GET'
            ? answerHandshake(deps, hook, url.searchParams)
            : receiveNotification(deps, { token: hook, rawBody: Buffer.concat(chunks), signature });
        void answering.then(({ status: code, body }) =>
          response.writeHead(code, { 'content-type': 'text/plain' }).end(body),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    hookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/messaging/${token}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('handshake, signed and doubled notifications, batches: a window and one event a message', async () => {
    const workflowId = await addWorkflow();
    await putSubscription(world.ctx, {
      id: connectionId,
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: PHONE,
    });
    await world.control('POST', 'settings', { notification_copies: 3, notification_batch_ms: 20 });
    await world.control('POST', 'subscriptions', {
      callback_url: hookUrl,
      verify_token: verifyTokenOf(token),
      account_id: PLATFORM_IDS.books,
    });
    const sent = await Promise.all(
      ['15553000001', '15553000002'].map((customer) =>
        world.customerWrites(customer, PHONE, { text: 'Grüße ✓' }),
      ),
    );
    await vi.waitFor(async () => {
      const notifications = await world.control<{ data: { status: number }[] }>('GET', 'notifications');
      expect(notifications.data).toHaveLength(3);
      expect(notifications.data.every((each) => each.status === 200)).toBe(true);
    });
    const events = await eventsOf(workflowId);
    expect(events.map((event) => event['message_id']).sort()).toEqual(sent.map(({ id }) => id).sort());
    expect(events.map((event) => event['text'])).toEqual(['Grüße ✓', 'Grüße ✓']);
    expect(await findWindow(world.ctx, { phoneNumberId: PHONE, customer: '15553000001' })).toBeDefined();
  });
});

test('the receiver token is sealed for its connection and found by its hash only', async () => {
  const { rows } = await world.runtime.hot.query<{
    receiver_token_hash: Buffer;
    receiver_token_encrypted: string;
  }>('select receiver_token_hash, receiver_token_encrypted from connections where id = $1', [connectionId]);
  expect(rows[0]?.receiver_token_hash.equals(sha256(token))).toBe(true);
  expect(() =>
    world.runtime.secrets.open(
      rows[0]?.receiver_token_encrypted ?? '',
      sealedFor(world.workspaceId, 'access_token', connectionId),
    ),
  ).toThrow();
});
