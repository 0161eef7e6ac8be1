// The picks of workflows at the platform, checked at publishing, in the background and in the list.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkDueConnections } from '#lib/messaging/connections/recheck-connections.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { deleteConnection, getConnection } from '#lib/messaging/connections/connections.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { sendSampleMessage } from '#lib/messaging/send-sample-message.ts';
import { storeNotification } from '#lib/messaging/notifications/store-notification.ts';
import { listPhoneNumbers } from '#lib/messaging/connections/list-accounts.ts';
import { createWorkflow } from './create-workflow.ts';
import { listWorkflowRows } from './list-workflow-rows.ts';
import { publishWorkflow } from './publish-workflow.ts';
import type { Workflow } from './schema.ts';

let world: MessagingWorld;
let connectionId: string;

beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.control('POST', 'reset');
  await world.runtime.hot.query('delete from connections');
  await world.runtime.hot.query('delete from workflows');
  connectionId = (await world.connect()).id;
});

const ORDER = {
  action: 'send_template',
  business_account_id: PLATFORM_IDS.books,
  phone_number_id: PLATFORM_IDS.booksOrders,
  recipient: '{{task_1_phone}}',
  template_name: 'order_confirmation',
  template_parameters: ['{{task_1_name}}', '{{task_1_number}}'],
};

const draw = (settings: object = {}): Promise<Workflow> =>
  createWorkflow(world.ctx, {
    name: 'Orders',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Order', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Confirm',
        settings: { app_connection_id: connectionId, ...ORDER, ...settings },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });

const publish = async (settings?: object): Promise<Workflow> =>
  publishWorkflow(world.ctx, { id: (await draw(settings)).id });

/** Problems for which publishing is refused, as `field: message`. */
async function refusal(settings?: object): Promise<string[]> {
  try {
    await publish(settings);
    return [];
  } catch (error) {
    const { problems = [] } = error as { problems?: { path: string; message: string }[] };
    return problems.map(({ path, message }) => `${path.replace('tasks[1].settings.', '')}: ${message}`);
  }
}

const graphCalls = async (): Promise<number> => (await world.calls()).length;
const withCheck = (): Promise<number> => checkDueConnections(world.ctx);
const makeDue = (): Promise<unknown> =>
  world.runtime.hot.query(`update connections set check_due_at = now() - interval '1 second'`);
const broken = async () => (await listWorkflowRows(world.ctx)).data.map((row) => row.broken);

describe('publishing asks the platform', () => {
  test('what is in order is published', async () => {
    expect(await refusal()).toEqual([]);
  });

  test('a deleted connection', async () => {
    await deleteConnection(world.ctx, { id: connectionId });
    expect(await refusal()).toEqual([
      'app_connection_id: This connection was deleted. Select another one, or connect the account again.',
    ]);
  });

  test('a workflow that is published as it is made', async () => {
    const made = createWorkflow(world.ctx, {
      name: 'At once',
      tasks: [
        { id: 1, type: 'inbound_webhook', settings: {} },
        {
          id: 2,
          type: 'messaging_business',
          settings: { app_connection_id: '0198c0de-0000-7000-8000-000000000000', ...ORDER },
        },
      ],
      edges: [{ from: 1, to: 2 }],
      publish: true,
    });
    await expect(made).rejects.toMatchObject({ code: 'invalid_workflow' });
  });

  test('a dead token; the connection says so too', async () => {
    await world.control('POST', 'tokens/revoke', { kind: 'both' });
    expect(await refusal()).toEqual([
      expect.stringContaining('app_connection_id: The connection “Books” needs reconnecting.'),
    ]);
    expect(await getConnection(world.ctx, { id: connectionId })).toMatchObject({
      status: 'needs_reconnecting',
    });
  });

  test('a missing messaging scope, without a call', async () => {
    const scopes = ['chat_business_management'];
    await deleteConnection(world.ctx, { id: connectionId });
    const made = await world.connect({ tokens: await world.mint({ scopes }) });
    expect(made).toMatchObject({ status: 'needs_reconnecting' });
    connectionId = made.id;
    expect(await refusal()).toEqual([expect.stringContaining('Not granted: chat_business_messaging.')]);
  });

  test('a number of another account, and one that is disconnected', async () => {
    expect(await refusal({ phone_number_id: PLATFORM_IDS.bakeryCounter })).toEqual([
      'phone_number_id: The business account no longer has this phone number. Select another one.',
    ]);
    await world.control('POST', `phone-numbers/${PLATFORM_IDS.booksOrders}`, { connected: false });
    expect(await refusal()).toEqual([expect.stringContaining('cannot send: it is disconnected.')]);
  });

  test('an account that the connection cannot access', async () => {
    const [problem] = await refusal({ business_account_id: '299999999999999' });
    expect(problem).toContain('cannot access the business account 299999999999999');
  });

  test.each([
    ['no such template', { template_name: 'gone' }, 'no message template “gone”'],
    [
      'another language',
      { template_language: 'fr' },
      'does not exist in fr. Select its language: de, en_US.',
    ],
    ['no parameters', { template_parameters: [] }, '[0]: Enter a value for {{1}}'],
    ['an empty parameter', { template_parameters: ['{{task_1_name}}', ' '] }, '[1]: Enter a value for {{2}}'],
    ['as text', { template_parameters: '["{{task_1_name}}"]' }, '[1]: Enter a value for {{2}}'],
    ['one too many', { template_parameters: ['a', 'b', 'c'] }, 'takes 2 parameters but gets 3'],
    ['no media header', { template_name: 'shipping_update' }, 'header_value: Enter the image for the header'],
    [
      'a header too many',
      { header_value: 'Hello' },
      'header_value: The header of “order_confirmation” takes no value',
    ],
    ['a button too many', { button_parameter: 'x' }, 'button_parameter: No button of'],
    [
      'a fallback with a header',
      { action: 'send_text', message_text: 'Hi', fallback_template_name: 'shipping_update' },
      'fallback_template_name: “shipping_update” needs an image header',
    ],
    [
      'a fallback without parameters',
      { action: 'send_text', message_text: 'Hi', fallback_template_name: 'order_confirmation' },
      'fallback_template_parameters[0]: Enter a value for {{1}}',
    ],
  ])('%s', async (_what, settings, message) => {
    expect((await refusal(settings)).join('\n')).toContain(message);
  });

  test('what only a run knows is not refused', async () => {
    const dynamic = {
      template_name: '{{task_1_template}}',
      template_parameters: '{{task_1_parameters}}',
      phone_number_id: '{{task_1_sender}}',
    };
    expect(await refusal(dynamic)).toEqual([]);
    expect(await refusal({ template_parameters: '{{task_1_parameters}}' })).toEqual([]);
  });

  test('a platform that cannot be reached breaks nothing, and it is said that it was not checked', async () => {
    await world.control('POST', 'faults', { kind: 'drop_before', times: 100 });
    expect(await refusal()).toEqual([]);
    const connection = await getConnection(world.ctx, { id: connectionId });
    expect(connection).toMatchObject({ status: 'connected', checked_at: null });
    expect(connection.check_problem).toContain('response was lost');
    expect(await broken()).toEqual([null]);
  });
});

describe('the list says what is broken', () => {
  test('by a deleted connection at once', async () => {
    await publish();
    expect(await broken()).toEqual([null]);
    await deleteConnection(world.ctx, { id: connectionId });
    const message = expect.stringContaining('was deleted') as string;
    expect(await broken()).toEqual([{ taskId: 2, taskName: 'Confirm', count: 1, message }]);
  });

  test('by a dead token at the next check', async () => {
    await publish();
    await world.control('POST', 'tokens/revoke', { kind: 'both' });
    await makeDue();
    expect(await withCheck()).toBe(1);
    expect(await broken()).toMatchObject([
      { message: expect.stringContaining('needs reconnecting') as string },
    ]);
  });

  test('by a template that was paused, as soon as the platform told', async () => {
    await publish();
    expect(await withCheck()).toBe(0);
    const templates = await listMessageTemplates(world.ctx, { id: connectionId, limit: 500 });
    const found = templates.find((each) => each.name === 'order_confirmation' && each.language === 'en_US');
    await world.control('POST', `templates/${found?.id}`, { status: 'PAUSED' });
    const told = {
      object: 'chat_business_account',
      entry: [
        {
          id: PLATFORM_IDS.books,
          changes: [
            {
              field: 'message_template_status_update',
              value: {
                event: 'PAUSED',
                message_template_id: 1,
                message_template_name: 'order_confirmation',
                message_template_language: 'en_US',
                reason: null,
              },
            },
          ],
        },
      ],
    };
    const owner = { workspaceId: world.workspaceId, connectionId };
    await storeNotification(world.runtime.hot, owner, Buffer.from(JSON.stringify(told)));
    expect(await withCheck()).toBe(1);
    expect(await broken()).toMatchObject([{ message: expect.stringContaining('is paused') as string }]);
  });

  test('without asking the platform', async () => {
    await publish();
    const before = await graphCalls();
    await listWorkflowRows(world.ctx);
    await listWorkflowRows(world.ctx);
    expect(await graphCalls()).toBe(before);
  });

  test('a pass ends early where the platform does not answer, and no connection counts as broken', async () => {
    await publish();
    await makeDue();
    await world.control('POST', 'faults', { kind: 'drop_before', times: 100 });
    expect(await withCheck()).toBe(1);
    expect(await withCheck()).toBe(0);
    expect(await broken()).toEqual([null]);
  });
});

describe('while most of the platform’s calls are used up', () => {
  /** Hourly limit of an account's calls: the response to the next call contains the used share. */
  const allow = async (management_calls_per_hour: number): Promise<void> => {
    await world.control('POST', 'settings', { management_calls_per_hour, strict: false });
    await listPhoneNumbers(world.ctx, { id: connectionId });
  };
  afterEach(() => allow(5000));

  /** Minutes until the connection is checked next. */
  const nextCheck = async (): Promise<number> => {
    const { rows } = await world.runtime.hot.query<{ minutes: number }>(
      `select round(extract(epoch from check_due_at - now()) / 60)::int as minutes from connections where id = $1`,
      [connectionId],
    );
    return rows[0]?.minutes ?? -1;
  };

  test('a pass checks few connections, and each again later', async () => {
    for (const name of ['2', '3', '4', '5', '6']) await world.connect({ name, accountId: null });
    await makeDue();
    expect(await withCheck()).toBe(6);
    expect(await nextCheck()).toBe(30);
    await allow(1);
    await makeDue();
    expect(await withCheck()).toBe(4);
    await withCheck();
    expect(await nextCheck()).toBe(120);
  });

  test('an account that the platform answers no more is checked when it does, and may be sent from', async () => {
    await allow(1);
    await world.control('POST', 'settings', { strict: true });
    await makeDue();
    await withCheck();
    // In an hour, less the time since the first call of this file; without the platform's headers it would be 20.
    expect(await nextCheck()).toBeGreaterThan(40);
    const message = { templateName: 'hello_world' };
    const { booksOrders: phoneNumberId } = PLATFORM_IDS;
    const sample = { id: connectionId, phoneNumberId, recipient: '15550001111', message };
    expect(await sendSampleMessage(world.ctx, sample)).toMatch(/./);
  });
});
