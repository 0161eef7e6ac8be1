import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { checkDraft } from './check-draft.ts';

let world: MessagingWorld;
beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());

const sender = (connectionId: string) => ({
  app_connection_id: connectionId,
  phone_number_id: PLATFORM_IDS.booksOrders,
  recipient: '{{task_1_to}}',
});

test('warns of what waits for notifications while its connection has received none', async () => {
  const connection = await world.connect({ name: 'Books' });
  const send = { ...sender(connection.id), action: 'send_text', message_text: 'Hello' };
  const question = { ...sender(connection.id), question: 'OK?', buttons: [{ title: 'Yes' }] };
  const { id } = await createWorkflow(world.ctx, {
    name: 'Ask',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      { id: 2, type: 'messaging_business', settings: send },
      { id: 3, type: 'ask_and_wait', settings: question },
      { id: 4, type: 'messaging_business', settings: { ...send, wait_until: 'delivered' } },
      { id: 5, type: 'ask_and_wait', settings: { ...question, app_connection_id: '{{task_1_connection}}' } },
      { id: 6, type: 'delay', settings: { mode: 'for', amount: 1, unit: 'hours' } },
    ],
    edges: [2, 3, 4, 5, 6].map((to) => ({ from: 1, to })),
    publish: false,
  });
  const message = `“Books” has not received a notification yet: unless it is subscribed to notifications (POST /connections/${connection.id}/notifications), answers and statuses do not arrive.`;
  const warning = { field: 'settings.app_connection_id', message, severity: 'warning' };
  expect(await checkDraft(world.ctx, { id })).toMatchObject({
    can_publish: true,
    problems: [
      { task_id: 3, ...warning },
      { task_id: 4, ...warning },
    ],
  });
  await world.runtime.hot.query('update connections set last_notification_at = now()');
  expect(await checkDraft(world.ctx, { id })).toMatchObject({ can_publish: true, problems: [] });
});
