import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { deleteWorkflow, pauseWorkflow } from '#lib/workflows/lifecycle.ts';
import { newWorkflowSchema } from '#lib/workflows/schema.ts';
import { checkDraft } from './check-draft.ts';

let world: MessagingWorld;
let connection: Awaited<ReturnType<MessagingWorld['connect']>>;
beforeAll(async () => {
  world = await startMessagingWorld();
  connection = await world.connect({ name: 'Books' });
});
afterAll(() => world.end());

const sender = (connectionId: string) => ({
  app_connection_id: connectionId,
  phone_number_id: PLATFORM_IDS.booksOrders,
  recipient: '{{task_1_to}}',
});

test('warns of what waits for notifications while its connection has received none', async () => {
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

test('warns of other active workflows that the same messages start', async () => {
  const make = async (name: string, words: string[], publish: boolean) => {
    const settings = { starts_on: 'messages', app_connection_id: connection.id, words };
    const trigger = { id: 1, type: 'inbound_webhook', name: 'In', settings };
    return createWorkflow(world.ctx, newWorkflowSchema.parse({ name, tasks: [trigger], edges: [], publish }));
  };
  const { id } = await make('Menu', ['menu', 'card'], true);
  await make('Draft', ['menu'], false);
  expect(await checkDraft(world.ctx, { id })).toMatchObject({ problems: [] });
  await make('Hours', ['hours'], true);
  const { id: other } = await make('Old menu', ['menu'], true);
  const { id: any } = await make('Auto-reply', [], true);
  const warning = { task_id: 1, field: 'settings.words', severity: 'warning' };
  const end =
    'a customer who writes one gets the messages of both workflows. Select other words, or let one of them start only on messages that start no other one.';
  expect(await checkDraft(world.ctx, { id })).toMatchObject({
    can_publish: true,
    problems: [
      { ...warning, message: `“Auto-reply” also starts on messages with “menu”, “card”: ${end}` },
      { ...warning, message: `“Old menu” also starts on messages with “menu”: ${end}` },
    ],
  });
  await pauseWorkflow(world.ctx, { id: any });
  await deleteWorkflow(world.ctx, { id: other });
  expect(await checkDraft(world.ctx, { id })).toMatchObject({ problems: [] });
});
