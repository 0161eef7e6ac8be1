// Notifications with a valid signature are answered with 200 only when they are forwarded, recorded or stored with a reason.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkConnection } from '#lib/messaging/connections/check-connection.ts';
import { SUBSCRIPTION_KINDS } from '#lib/messaging/schema/subscription-kinds.ts';
import { putSubscription } from '#lib/messaging/connections/workflow-subscriptions.ts';
import { getEvent, listEvents, searchEvents } from '#lib/events/read-events.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { findWindow } from '#lib/messaging/sending/find-window.ts';
import { handleHookRequest } from './hook-route.ts';
import { MESSAGES } from '#lib/messaging/testing/message-samples.ts';
import { NOTIFICATION_SAMPLES } from '#lib/messaging/testing/notification-samples.ts';
import {
  message,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';

const receiver = setUpNotifications();
beforeEach(() => receiver.world.runtime.hot.query('delete from received_changes; delete from sent_messages'));

/** Posts raw bytes like the platform. */
const post = (body: string | Buffer, signature = receiver.sign(body)): Promise<Response> =>
  handleHookRequest(
    receiver.world.runtime,
    receiver.token,
    new Request('https://patchbay.example/', {
      method: 'POST',
      headers: { 'x-hub-signature-256': signature },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    }),
  );

const notificationOf = (field: string, value: JsonValue): string =>
  JSON.stringify({ entry: [{ id: '1', time: 1_700_000_000, changes: [{ field, value }] }] });

const listKept = async () => {
  const { data } = await listEvents(receiver.world.ctx, { limit: 100 });
  return data.filter(({ workflow_id }) => workflow_id === null);
};

async function subscribe(): Promise<string> {
  const workflowId = await receiver.addWorkflow();
  await putSubscription(receiver.world.ctx, {
    id: receiver.connectionId,
    workflow_id: workflowId,
    kinds: [...SUBSCRIPTION_KINDS],
    phone_number_id: null,
  });
  return workflowId;
}

describe('each notification that the platform documents', () => {
  test.each(NOTIFICATION_SAMPLES.map((sample) => [sample.title, sample] as const))(
    '%s',
    async (_, sample) => {
      const workflowId = await subscribe();
      for (const copy of [1, 2])
        expect((await post(notificationOf(sample.field, sample.value))).status, `copy ${copy}`).toBe(200);
      expect(await receiver.eventsOf(workflowId)).toMatchObject(sample.forwarded);
      const kept = await listKept();
      expect(kept).toHaveLength(sample.kept.length);
      for (const reason of sample.kept)
        expect(kept).toContainEqual(
          expect.objectContaining({ reason: expect.stringMatching(reason) as string }),
        );
    },
  );

  test.each(NOTIFICATION_SAMPLES.map((sample) => [sample.title, sample] as const))(
    'while nobody subscribes: %s',
    async (_, sample) => {
      expect((await post(notificationOf(sample.field, sample.value))).status).toBe(200);
      const statuses = sample.forwarded.filter(({ kind }) => kind === 'status');
      for (const { message_id } of statuses)
        expect(await findMessage(receiver.world.ctx, toText(message_id))).toBeDefined();
      const kept = await listKept();
      expect(kept).toHaveLength(sample.forwarded.length + sample.kept.length);
      for (const event of kept)
        expect(event).toMatchObject({
          workflow_id: null,
          connection_id: receiver.connectionId,
          kind: 'notification',
          outcome: expect.stringMatching(/^(not_forwarded|recorded|ignored)$/) as string,
          reason: expect.stringMatching(/.\.$/) as string,
          run_id: null,
        });
    },
  );
});

describe('what is kept', () => {
  test('has its reason and all that came; it is listed, searched and filtered', async () => {
    const id = newMessageId();
    const content = { type: 'text', text: { body: 'Quokka' } };
    await post(notification(message(id, '15550001111', 1_700_000_000, content)));
    const [event] = await listKept();
    expect(await getEvent(receiver.world.ctx, { id: event?.id ?? '' })).toMatchObject({
      reason: 'No workflow is subscribed to incoming messages of this number.',
      body: {
        kind: 'message',
        message_id: id,
        from: '15550001111',
        raw: content,
        connection_id: receiver.connectionId,
      },
    });
    const search = { limit: 5, hidesNumbers: false };
    const found = await searchEvents(receiver.world.ctx, {
      ...search,
      text: 'quokka',
      outcome: 'not_forwarded',
    });
    expect(found.data.map((each) => each.id)).toEqual([event?.id]);
    const filtered = await listEvents(receiver.world.ctx, { limit: 5, outcome: 'not_forwarded' });
    expect(filtered.data.map((each) => each.id)).toEqual([event?.id]);
    expect(
      (await listEvents(receiver.world.ctx, { limit: 5, workflow_id: await receiver.addWorkflow() })).data,
    ).toEqual([]);
  });

  test('a notification that no workflow got is replayed to those that subscribe to it now', async () => {
    await post(notification(message(newMessageId(), '15550001111', 1_700_000_000)));
    const [event] = await listKept();
    const id = event?.id ?? '';
    await expect(replayEvent(receiver.world.ctx, { id })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('No workflow is subscribed') as string,
    });
    const workflows = [await subscribe(), await subscribe()];
    const replay = await replayEvent(receiver.world.ctx, { id });
    expect(replay).toMatchObject({ outcome: 'triggered', replay_of: id, kind: 'notification' });
    for (const workflowId of workflows)
      expect(await receiver.eventsOf(workflowId)).toMatchObject([{ kind: 'message', from: '15550001111' }]);
    await expect(replayEvent(receiver.world.ctx, { id })).rejects.toMatchObject({ code: 'conflict' });
    await replayEvent(receiver.world.ctx, { id, repeat: true });
    for (const workflowId of workflows) expect(await receiver.eventsOf(workflowId)).toHaveLength(2);
  });

  test('a part that nobody understands cannot be replayed', async () => {
    await subscribe();
    await post(notificationOf('hologram', { size: 'large' }));
    const [event] = await listKept();
    expect(event).toMatchObject({ outcome: 'ignored', reason: 'The field “hologram” is unknown.' });
    await expect(replayEvent(receiver.world.ctx, { id: event?.id ?? '' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('belongs to the workspace of the connection', async () => {
    await post(notificationOf('security', { event: 'PIN_CHANGED' }));
    const stranger = { ...receiver.world.ctx, workspaceId: '00000000-0000-7000-8000-00000000000a' };
    expect((await listEvents(stranger, { limit: 5 })).data).toEqual([]);
  });

  test.each([
    ['no JSON', Buffer.from('{"entry":['), 'text'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'binary'],
    ['nested too deep', Buffer.from('['.repeat(5000)), 'text'],
    ['nothing', Buffer.alloc(0), 'text'],
  ])('a body that is %s is answered with 200, rejected and kept', async (_, body, format) => {
    for (const copy of [1, 2]) expect((await post(body)).status, `copy ${copy}`).toBe(200);
    const kept = await listKept();
    expect(kept).toMatchObject([
      { outcome: 'rejected', workflow_id: null, connection_id: receiver.connectionId },
    ]);
    expect(kept[0]?.reason).toMatch(/^The body is not valid JSON/);
    expect((await getEvent(receiver.world.ctx, { id: kept[0]?.id ?? '' })).body_format).toBe(format);
  });

  test('a workflow that is deleted while its message arrives does not take it along', async () => {
    const workflowId = await subscribe();
    await receiver.world.runtime.hot.query('update workflows set deleted_at = now() where id = $1', [
      workflowId,
    ]);
    await post(notification(message(newMessageId(), '15550001111', 1_700_000_000)));
    expect(await listKept()).toHaveLength(1);
  });
});

test('a forwarded notification names its connection and is no request to a URL', async () => {
  const workflowId = await subscribe();
  await post(notification(message(newMessageId(), '15550001111', 1_700_000_000)));
  const { data } = await listEvents(receiver.world.ctx, { limit: 5, workflow_id: workflowId });
  expect(data).toMatchObject([
    { kind: 'notification', connection_id: receiver.connectionId, outcome: 'triggered' },
  ]);
  const replay = await replayEvent(receiver.world.ctx, { id: data[0]?.id ?? '', repeat: true });
  expect(replay).toMatchObject({
    kind: 'notification',
    connection_id: receiver.connectionId,
    outcome: 'triggered',
  });
});

describe('windows', () => {
  const find = (customer: string) => findWindow(receiver.world.ctx, { phoneNumberId: PHONE, customer });
  const deliver = (more: object) =>
    post(
      notification({ messages: [{ id: newMessageId(), timestamp: '1700000000', type: 'text', ...more }] }),
    );

  test('are found by number and by user id', async () => {
    await deliver({ from: '15559000001', from_user_id: 'US.1' });
    await deliver({ from_user_id: 'US.2' });
    for (const customer of ['15559000001', 'US.1', 'US.2']) expect(await find(customer)).toBeDefined();
  });

  test('of a group are the group’s; what the platform tells about a customer opens none', async () => {
    await deliver({ from: '15559000002', group_id: 'g.2' });
    await deliver({ from: '15559000003', type: 'system', system: { body: 'Kim changed' } });
    expect(await find('g.2')).toBeDefined();
    for (const customer of ['15559000002', '15559000003']) expect(await find(customer)).toBeUndefined();
  });
});

test('a wrong signature is refused, counted and told by the health check; it leaves nothing else', async () => {
  const count = async (): Promise<{ refused: number; at: Date | null }> => {
    const { rows } = await receiver.world.runtime.hot.query<{ refused: number; at: Date | null }>(
      'select refused_notifications as refused, last_refused_at as at from connections where id = $1',
      [receiver.connectionId],
    );
    return rows[0] ?? { refused: -1, at: null };
  };
  await receiver.world.runtime.hot.query(
    'update connections set last_notification_at = null, refused_notifications = 0',
  );
  for (const body of ['{}', '{', 'x'.repeat(1000)])
    expect((await post(body, receiver.sign(`${body} `))).status).toBe(403);
  expect(await count()).toEqual({ refused: 3, at: expect.any(Date) as Date });
  expect(await listKept()).toEqual([]);
  const checks = await checkConnection(receiver.world.ctx, { id: receiver.connectionId });
  expect(checks.find(({ id }) => id === 'notifications')).toMatchObject({
    result: 'warning',
    what: expect.stringMatching(/^3 notifications were rejected/) as string,
    fix: expect.stringContaining('MESSAGING_APP_SECRET') as string,
  });
});

describe('arbitrary JSON', () => {
  const stored = async (): Promise<number> => {
    const { rows } = await receiver.world.runtime.hot.query<{ count: number }>(
      'select ((select count(*) from events) + (select count(*) from sent_messages))::int as count',
      [],
    );
    return rows[0]?.count ?? 0;
  };
  /** Any JSON, often with property names that are read here. */
  const json = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom('messages', 'statuses', 'read', '1700000000', 'a\0b', '\ud800', 'text', ''),
      fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>,
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(
      fc.constantFrom(
        ...[
          'entry',
          'changes',
          'field',
          'value',
          'messages',
          'statuses',
          'errors',
          'contacts',
          'metadata',
          'id',
        ],
        ...[
          'from',
          'from_user_id',
          'timestamp',
          'type',
          'status',
          'code',
          'title',
          'error_data',
          'text',
          'other',
        ],
      ),
      tie('value'),
      { maxKeys: 6, noNullPrototype: true },
    ),
  }));
  const item = fc.oneof(
    json.value,
    fc.record({
      id: fc.oneof(fc.string({ unit: 'binary' }), fc.nat()),
      from: json.value,
      status: fc.constantFrom('read', 'failed', 'x'),
      timestamp: fc.constantFrom('1700000000', 1_700_000_000, '', null),
      type: json.value,
      errors: json.value,
    }) as fc.Arbitrary<JsonValue>,
  );

  test('is stored and never refused', async () => {
    await subscribe();
    await fc.assert(
      fc.asyncProperty(fc.oneof(json.value, fc.array(item, { minLength: 1 })), async (value) => {
        await receiver.world.runtime.hot.query(
          'delete from received_changes; delete from events; delete from sent_messages',
          [],
        );
        const isList = Array.isArray(value);
        const bodies = [
          JSON.stringify(value),
          notificationOf('messages', value),
          ...(isList
            ? [
                notificationOf('messages', { messages: value }),
                notificationOf('messages', { statuses: value }),
              ]
            : []),
        ];
        for (const body of bodies) {
          const before = await stored();
          const answer = await post(body);
          expect([answer.status, body]).toEqual([200, body]);
          if (body !== '""') expect([await stored(), body]).not.toEqual([before, body]);
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  /** A message, status or preference with possible later additions, each identified by its id. */
  const known = fc.record({
    field: fc.constantFrom('messages', 'statuses', 'user_preferences', 'errors'),
    type: fc.constantFrom(...MESSAGES.map(([, content]) => toText(content['type'])), 'hologram'),
    status: fc.constantFrom('sent', 'played', 'failed', 'teleported'),
    sender: fc.constantFrom({ from: '15550001111' }, { from_user_id: 'US.1349AAA' }, {}),
    more: json.object,
  });

  test('each message, status, preference and unknown field is an event, and none is there twice', async () => {
    const { hot } = receiver.world.runtime;
    await fc.assert(
      fc.asyncProperty(
        fc.array(known, { minLength: 1, maxLength: 6 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{4,12}_x$/), json.value, {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        async (elements, fields) => {
          await hot.query('delete from received_changes; delete from events; delete from sent_messages', []);
          const changes = elements.map(({ field, type, status, sender, more }, index) => {
            const ids = { id: `wamid.${index}`, timestamp: '1700000000', wa_id: '15550001111' };
            const element = { ...more, ...ids, ...sender, type, status, [type]: more[type] ?? {} };
            return field === 'user_preferences'
              ? { field, value: { user_preferences: [element] } }
              : { field: 'messages', value: { [field]: [element] } };
          });
          const others = Object.entries(fields).map(([field, value]) => ({ field, value }));
          const body = JSON.stringify({ entry: [{ id: '1', time: 1, changes: [...changes, ...others] }] });
          for (const copy of [1, 2])
            expect([(await post(body)).status, copy, body]).toEqual([200, copy, body]);
          const { rows } = await hot.query<{ count: number }>(
            'select count(*)::int as count from events',
            [],
          );
          expect([rows[0]?.count, body]).toEqual([changes.length + others.length, body]);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
