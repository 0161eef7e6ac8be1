import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import {
  listSubscriptions,
  putSubscription,
  removeSubscription,
} from '#lib/messaging/connections/workflow-subscriptions.ts';
import { newId } from '#lib/core/ids.ts';
import { isJsonObject, type JsonObject } from '#lib/core/json/value.ts';
import { SUBSCRIPTION_KINDS } from '#lib/messaging/schema/subscription-kinds.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { answerHandshake, receiveNotification } from './hook-route.ts';
import { PLATFORM_IDS } from '#lib/messaging/testing/messaging-world.ts';
import {
  GRAPH,
  PHONE,
  newMessageId,
  notification,
  message,
  status,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';

const receiver = setUpNotifications();

const forwardMessagesTo = (workflowId: string) =>
  putSubscription(receiver.world.ctx, {
    id: receiver.connectionId,
    workflow_id: workflowId,
    kinds: ['messages'],
    phone_number_id: null,
  });

describe('handing on', () => {
  test('one event a message for each workflow that wants it, with the fields that mark_as_read and send_text need', async () => {
    const [wanting, other] = [await receiver.addWorkflow(), await receiver.addWorkflow()];
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
      workflow_id: wanting,
      kinds: ['messages'],
      phone_number_id: null,
    });
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
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
    await receiver.deliver(
      notification(
        message(first, '15551000002', 1_700_000_000, button),
        message(second, '15551000003', 1_700_000_001, image),
      ),
    );
    const events = await receiver.eventsOf(wanting);
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
        connection_id: receiver.connectionId,
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
    expect(await receiver.eventsOf(other)).toEqual([]);
    await receiver.deliver(notification(status(first, 'delivered', 1_700_000_002)));
    expect(await receiver.eventsOf(other)).toMatchObject([
      { kind: 'status', message_id: first, status: 'delivered', recipient: '15550001111', errors: [] },
    ]);
  });

  test('at least once, batched: copies and concurrent copies start a workflow once', async () => {
    const workflowId = await receiver.addWorkflow();
    await forwardMessagesTo(workflowId);
    const ids = Array.from({ length: 20 }, newMessageId);
    const batches = [ids, [...ids].reverse(), ids.slice(5, 15), ids.slice(0, 12)];
    const bodies = batches.map((batch) =>
      notification(
        ...batch.map((id) => message(id, `1555200${id.slice(-4).replace(/\D/g, '0')}`, 1_700_000_000)),
      ),
    );
    const answers = await Promise.all([...bodies, ...bodies].map((body) => receiver.deliver(body)));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    const seen = (await receiver.eventsOf(workflowId)).map((event) => event['message_id']);
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test('what could not be committed is told again, and then starts it', async () => {
    const workflowId = await receiver.addWorkflow();
    await forwardMessagesTo(workflowId);
    const body = notification(message(newMessageId(), '15551000004', 1_700_000_000));
    await receiver.world.runtime.hot.query('alter table events rename to events_away');
    await expect(receiver.deliver(body)).rejects.toThrow();
    await receiver.world.runtime.hot.query('alter table events_away rename to events');
    expect((await receiver.deliver(body)).status).toBe(200);
    expect(await receiver.eventsOf(workflowId)).toHaveLength(1);
  });

  test('a message that a run was waiting for starts no workflow, and says which run took it', async () => {
    const { hot } = receiver.world.runtime;
    const customer = '15551000077';
    const listening = [await receiver.addWorkflow(), await receiver.addWorkflow()];
    for (const each of listening) await forwardMessagesTo(each);
    const statuses = await receiver.addWorkflow();
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
      workflow_id: statuses,
      kinds: ['statuses'],
      phone_number_id: null,
    });
    const [runId, waitId] = [newId(), newId()];
    await hot.query(
      `insert into runs (id, workspace_id, workflow_id, version, event_id, status, epoch, created_at)
       values ($1, $2, $3, 1, $4, 'waiting', 1, now())`,
      [runId, receiver.world.workspaceId, await receiver.addWorkflow(), newId()],
    );
    await hot.query(
      `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
       values ($1, $2, $3, $4, 2, '', 'newest', 0, now(), true)`,
      [waitId, receiver.world.workspaceId, `customer:${PHONE}:${customer}`, runId],
    );
    const [answer, next] = [newMessageId(), newMessageId()];
    await receiver.deliver(notification(message(answer, customer, 1_700_000_000)));
    for (const each of listening) expect(await receiver.eventsOf(each)).toEqual([]);
    const { rows } = await hot.query(
      'select outcome, reason, run_id, workflow_id from events where connection_id = $1',
      [receiver.connectionId],
    );
    expect(rows).toEqual([
      {
        outcome: 'recorded',
        reason: 'Passed to the run that was waiting for it.',
        run_id: runId,
        workflow_id: null,
      },
    ]);
    await receiver.deliver(
      notification(message(next, customer, 1_700_000_001), status(answer, 'read', 1_700_000_002)),
    );
    for (const each of listening) expect(await receiver.eventsOf(each)).toMatchObject([{ message_id: next }]);
    expect(await receiver.eventsOf(statuses)).toMatchObject([{ kind: 'status' }]);
  });

  test('only the number that was asked for; template statuses too; no more after the subscription was removed', async () => {
    const workflowId = await receiver.addWorkflow();
    const kinds: ('messages' | 'templates')[] = ['messages', 'templates'];
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
      workflow_id: workflowId,
      kinds,
      phone_number_id: 'another',
    });
    expect(await listSubscriptions(receiver.world.ctx, { id: receiver.connectionId })).toEqual([
      {
        workflow_id: workflowId,
        kinds,
        phone_number_id: 'another',
        message_kinds: [],
        words: [],
        messages_by_trigger: false,
      },
    ]);
    await receiver.deliver(notification(message(newMessageId(), '15551000005', 1_700_000_000)));
    expect(await receiver.eventsOf(workflowId)).toEqual([]);
    const value = {
      event: 'APPROVED',
      message_template_id: 12_345_678_901_234_567n,
      message_template_name: 'a',
      message_template_language: 'en_US',
      reason: 'NONE',
    };
    const template = (time: number) =>
      `{"entry":[{"id":"1","time":${time},"changes":[{"field":"message_template_status_update","value":${JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? 0 : each)).replace('"message_template_id":0', '"message_template_id":12345678901234567')}}]}]}`;
    for (const time of [1, 1, 2]) await receiver.deliver(template(time));
    expect(await receiver.eventsOf(workflowId)).toMatchObject([
      {
        kind: 'template',
        template_id: '12345678901234567',
        template_name: 'a',
        status: 'APPROVED',
        reason: null,
      },
      { kind: 'template' },
    ]);
    await removeSubscription(receiver.world.ctx, { id: receiver.connectionId, workflowId });
    await receiver.deliver(template(3));
    expect(await receiver.eventsOf(workflowId)).toHaveLength(2);
  });

  test('a workflow of another workspace cannot be subscribed', async () => {
    const { workflowId } = await insertWorkflow(receiver.world.runtime.hot, GRAPH);
    const subscription = {
      id: receiver.connectionId,
      workflow_id: workflowId,
      kinds: ['messages' as const],
      phone_number_id: null,
    };
    await expect(putSubscription(receiver.world.ctx, subscription)).rejects.toMatchObject({
      code: 'not_found',
    });
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
            ? answerHandshake(receiver.deps, hook, url.searchParams)
            : receiveNotification(receiver.deps, { token: hook, rawBody: Buffer.concat(chunks), signature });
        void answering.then(({ status: code, body }) =>
          response.writeHead(code, { 'content-type': 'text/plain' }).end(body),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    hookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/messaging/${receiver.token}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('handshake, signed and doubled notifications, batches: a window and one event a message', async () => {
    const workflowId = await receiver.addWorkflow();
    await putSubscription(receiver.world.ctx, {
      id: receiver.connectionId,
      workflow_id: workflowId,
      kinds: ['messages'],
      phone_number_id: PHONE,
    });
    await receiver.world.control('POST', 'settings', { notification_copies: 3, notification_batch_ms: 20 });
    await receiver.world.control('POST', 'subscriptions', {
      callback_url: hookUrl,
      verify_token: verifyTokenOf(receiver.token),
      account_id: PLATFORM_IDS.books,
    });
    const sent = await Promise.all(
      ['15553000001', '15553000002'].map((customer) =>
        receiver.world.customerWrites(customer, PHONE, { text: 'Grüße ✓' }),
      ),
    );
    await vi.waitFor(async () => {
      const notifications = await receiver.world.control<{ data: { status: number }[] }>(
        'GET',
        'notifications',
      );
      expect(notifications.data).toHaveLength(3);
      expect(notifications.data.every((each) => each.status === 200)).toBe(true);
    });
    const events = await receiver.eventsOf(workflowId);
    expect(events.map((event) => event['message_id']).sort()).toEqual(sent.map(({ id }) => id).sort());
    expect(events.map((event) => event['text'])).toEqual(['Grüße ✓', 'Grüße ✓']);
    expect(
      await findWindow(receiver.world.ctx, { phoneNumberId: PHONE, customer: '15553000001' }),
    ).toBeDefined();
  });

  const FILE = { base64: 'eA==' };
  const LAST = 'wamid.before';
  /** Every action on the sandbox's phone, with the fields that the workflow gets. */
  const DONE: readonly [content: JsonObject, read: JsonObject][] = [
    [
      { text: 'Hi', reply_to: LAST },
      { type: 'text', text: 'Hi', reply_to: LAST },
    ],
    [{ button: { text: 'Yes', message_id: LAST } }, { type: 'button', text: 'Yes', reply_to: LAST }],
    [
      { reply: { id: 'y', title: 'Yes', message_id: LAST } },
      { type: 'interactive', button: { text: 'Yes', payload: 'y' }, reply_to: LAST },
    ],
    [
      { reply: { id: 'r', title: 'Row', description: 'One' } },
      { button: { payload: 'r', description: 'One' } },
    ],
    [{ image: { ...FILE, caption: 'Look' } }, { type: 'image', text: 'Look' }],
    [{ media: { ...FILE, kind: 'audio', mime_type: 'audio/ogg' } }, { type: 'audio', voice: true }],
    [
      { media: { ...FILE, kind: 'video', mime_type: 'video/mp4' } },
      { type: 'video', mime_type: 'video/mp4' },
    ],
    [
      { media: { ...FILE, kind: 'document', mime_type: 'application/pdf', filename: 'a.pdf' } },
      { type: 'document', filename: 'a.pdf' },
    ],
    [{ media: { ...FILE, kind: 'sticker', mime_type: 'image/webp' } }, { type: 'sticker' }],
    [{ location: { latitude: 1, longitude: 2 } }, { location: { latitude: 1, longitude: 2 } }],
    [{ contact: { name: 'Kim', phone: '15550001112' } }, { type: 'contacts' }],
    [{ reaction: { message_id: LAST, emoji: '👍' } }, { type: 'reaction', text: '👍' }],
    [{ order: { catalog_id: '1', text: 'Please', items: [] } }, { type: 'order', text: 'Please' }],
    [
      { flow: { response: { day: 'Friday' } } },
      { flow_reply: { name: 'flow', response: { day: 'Friday' } } },
    ],
    [{ edit: { message_id: LAST, text: 'Hello' } }, { type: 'edit', text: 'Hello' }],
    [{ revoke: { message_id: LAST } }, { type: 'revoke' }],
    [{ unsupported: {} }, { type: 'unsupported' }],
  ];

  test('whatever a customer does is an event, with and without a number, and none is refused', async () => {
    const { world } = receiver;
    await world.control('POST', 'reset');
    await world.control('POST', 'subscriptions', {
      callback_url: hookUrl,
      verify_token: verifyTokenOf(receiver.token),
      account_id: PLATFORM_IDS.books,
    });
    const workflowId = await receiver.addWorkflow();
    await putSubscription(world.ctx, {
      id: receiver.connectionId,
      workflow_id: workflowId,
      kinds: [...SUBSCRIPTION_KINDS],
      phone_number_id: PHONE,
    });
    const from = { customer: '15553000009', phone_number_id: PHONE };
    for (const hides_number of [false, true]) {
      for (const [content] of DONE)
        await world.control('POST', 'customer-messages', { ...from, hides_number, ...content });
      for (const marketing of ['stop', 'resume'])
        await world.control('POST', 'customer-marketing', { ...from, marketing });
    }
    await world.control('POST', 'customer-numbers', { customer: from.customer, number: '15553000008' });
    const count = 2 * (DONE.length + 2) + 1;
    await vi.waitFor(async () => expect(await receiver.eventsOf(workflowId)).toHaveLength(count));
    const { data } = await world.control<{ data: { status: number }[] }>('GET', 'notifications');
    expect(data.map(({ status: code }) => code)).toEqual(data.map(() => 200));
    const events = await receiver.eventsOf(workflowId);
    for (const [, read] of DONE) {
      const told = events.filter((event) => isSubset(read, event));
      expect([read, told.length]).toEqual([read, 2]);
    }
    expect(events.filter(({ kind }) => kind === 'preference')).toHaveLength(4);
    expect(events.filter(({ type }) => type === 'system')).toHaveLength(1);
    const senders = new Set(events.map((event) => event['from']));
    expect([...senders].sort()).toEqual(['15553000009', 'US.134915553000009']);
  }, 60_000);
});

const isSubset = (part: JsonObject, whole: JsonObject): boolean =>
  Object.entries(part).every(([name, value]) => {
    const other = whole[name];
    if (isJsonObject(value) && isJsonObject(other)) return isSubset(value, other);
    return JSON.stringify(value) === JSON.stringify(other);
  });
