// After "Use this" the workflow is complete, once connection and number are selected.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDraft } from '#lib/editor/canvas/check-draft.ts';
import { toDocument } from '#lib/editor/canvas/document.ts';
import { findSample } from '#lib/editor/load-sample.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { checkPlatform } from '#lib/messaging/connections/platform-facts.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { listKnownSecrets, setSecret } from '#lib/workflows/secrets/secrets.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { importWorkflow } from '#lib/workflows/import-workflow.ts';
import { createFromStarter } from './create-from-starter.ts';
import { STARTERS } from './starters.ts';

let world: MessagingWorld;
let sender: { connectionId: string; phoneNumberId: string };

beforeAll(async () => {
  world = await startMessagingWorld();
  await setSecret(world.ctx, { name: 'chatwoot', value: 'the-token-of-the-inbox' });
  sender = { connectionId: (await world.connect()).id, phoneNumberId: PLATFORM_IDS.booksOrders };
});
afterAll(() => world.end());

async function problemsOf(id: string): Promise<string[]> {
  const workflow = await getWorkflow(world.ctx, { id });
  const facts = await checkPlatform(world.ctx, listConnectionUses(workflow.tasks), 60_000);
  const secrets = await listKnownSecrets(world.ctx, world.ctx.db);
  const { problems } = await checkDraft(toDocument(workflow), null, facts, secrets);
  return problems.map(({ message }) => message);
}

test.each(STARTERS.map((starter) => [starter.id, starter] as const))(
  '%s has no problems, its sample is its first event, and it can be published',
  async (starterId, { graph, sample, startedBy }) => {
    const { id } = await createFromStarter(world.ctx, { starterId, sender });
    expect(await problemsOf(id)).toEqual([]);
    const found = await findSample(world.ctx, { workflowId: id });
    expect(found && JSON.parse(found.bodyText)).toEqual(sample);
    expect(await publishWorkflow(world.ctx, { id })).toMatchObject({ published_version: 1 });
    const { rows } = await world.runtime.hot.query(
      'select connection_id, kinds, message_trigger from connection_subscriptions where workflow_id = $1',
      [id],
    );
    const {
      in_conversations: inConversations,
      beside_others: besideOthers,
      words = [],
    } = graph.tasks[0]?.settings ?? {};
    const listened = {
      phoneNumberId: null,
      messageKinds: [],
      words,
      ...(inConversations === 'also' ? { isAlsoInConversations: true } : {}),
      ...(besideOthers === 'not' ? { isForRest: true } : {}),
    };
    expect(rows).toEqual(
      startedBy === 'messages'
        ? [{ connection_id: sender.connectionId, kinds: ['messages'], message_trigger: listened }]
        : [],
    );
  },
);

test('without a sender every task says what it lacks', async () => {
  const { id } = await createFromStarter(world.ctx, { starterId: 'order-confirmation' });
  expect(await problemsOf(id)).toContain('No app connection selected');
});

test('a connection of nobody here', async () => {
  const foreign = { ...sender, connectionId: '0198c0de-0000-7000-8000-000000000000' };
  await expect(
    createFromStarter(world.ctx, { starterId: 'order-confirmation', sender: foreign }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('an import takes the sender for every task that has none of this workspace', async () => {
  const theirs = {
    app_connection_id: '0198c0de-0000-7000-8000-000000000001',
    phone_number_id: '399999999999999',
  };
  const message = { action: 'send_text', recipient: '{{task_1_phone}}', message_text: 'Hello' };
  const text = JSON.stringify({
    name: 'Imported',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      { id: 2, type: 'messaging_business', settings: { ...message, ...theirs } },
      { id: 3, type: 'messaging_business', settings: message },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  const { tasks } = await importWorkflow(world.ctx, { text, connections: {}, sender });
  for (const id of [2, 3]) {
    expect(tasks.find((task) => task.id === id)?.settings).toMatchObject({
      app_connection_id: sender.connectionId,
      phone_number_id: sender.phoneNumberId,
    });
  }
});
