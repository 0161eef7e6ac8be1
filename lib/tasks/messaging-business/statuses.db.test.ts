import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';

let world: MessagingWorld;
let connection: Record<string, unknown>;

beforeAll(async () => {
  world = await startMessagingWorld();
  connection = { app_connection_id: (await world.connect()).id };
});
afterAll(() => world.end());

const send = async (recipient: string): Promise<string> => {
  const settings = {
    ...connection,
    business_account_id: PLATFORM_IDS.books,
    phone_number_id: PLATFORM_IDS.booksOrders,
  };
  const { output } = await runAction(world, {
    ...settings,
    recipient,
    action: 'send_template',
    template_name: 'hello_world',
  });
  return output['message_id'] as string;
};
const getStatus = (message_id: string) =>
  runAction(world, { ...connection, action: 'get_message_status', message_id });

describe('get_message_status', () => {
  test.each([
    ['15550001111', 'delivered'],
    ['15550009902', 'read'],
    ['15550009901', 'sent'],
  ])('spec, data.status of a message to %s: %s', async (recipient, status) => {
    const message_id = await send(recipient);
    await vi.waitFor(async () => {
      const { output, runText } = await getStatus(message_id);
      expect(runText).toBe('Message status retrieved.');
      expect(output).toEqual({
        action: 'get_message_status',
        data: { status, timestamp: expect.any(Number) as number },
      });
    });
  });

  test('spec, Errors, delivery failed: data.errors as the platform tells them', async () => {
    const message_id = await send('15550000000');
    await vi.waitFor(async () => {
      const { output } = await getStatus(message_id);
      expect(output['data']).toMatchObject({ status: 'failed', errors: [{ code: 131026 }] });
    });
  });

  test('a platform that does not tell: the notifications do; without them it says so', async () => {
    const error = await failAction(world, {
      ...connection,
      action: 'get_message_status',
      message_id: 'wamid.unknown=',
    });
    expect(error).toMatchObject({ code: 'status_unknown', retry: { kind: 'never' } });
    await world.runtime.hot.query(
      `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, status, status_at, errors, timeline)
       values ($1, 'wamid.unknown=', gen_random_uuid(), '1', '2', 'failed', to_timestamp(1700000000), '[{"code":131026}]', '[]')`,
      [world.workspaceId],
    );
    const { output } = await getStatus('wamid.unknown=');
    expect(output['data']).toEqual({
      status: 'failed',
      timestamp: 1_700_000_000,
      errors: [{ code: 131026 }],
    });
  });
});

describe('mark_as_read', () => {
  const read = { action: 'mark_as_read', phone_number_id: PLATFORM_IDS.booksOrders };

  test('spec, mark_as_read: success, and the customer sees it', async () => {
    const { id: message_id } = await world.customerWrites('15550001111');
    const { output, runText } = await runAction(
      world,
      { ...connection, ...read, message_id: '{{task_1_id}}' },
      { body: { id: message_id } },
    );
    expect(runText).toBe('Message marked as read.');
    expect(output).toEqual({ action: 'mark_as_read', success: true });
    expect((await world.calls('method=POST')).at(-1)?.body).toEqual({
      messaging_product: 'whatsapp',
      status: 'read',
      message_id,
    });
    expect(await world.control('GET', `messages/${encodeURIComponent(message_id)}`)).toMatchObject({
      seen_by_business: true,
    });
  });

  test('a message that the number did not receive, and a number that is none', async () => {
    expect((await failAction(world, { ...connection, ...read, message_id: 'wamid.x' })).message).toMatch(
      /^The platform refuses the request: /,
    );
    const phone = await failAction(world, {
      ...connection,
      ...read,
      phone_number_id: '+1 212-555-0101',
      message_id: 'wamid.x',
    });
    expect(phone.message).toMatch(/^Phone number ID not found: /);
  });
});
