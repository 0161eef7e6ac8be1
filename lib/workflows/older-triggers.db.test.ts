// Until version 0.3.0 the trigger for customers' messages was an inbound webhook with a setting. What was stored, exported and
// sent in that shape works (docs/decisions/triggers.md).
import { expect, test } from 'vitest';
import {
  message,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { createWorkflow, exportWorkflow } from './create-workflow.ts';
import { checkImport, importWorkflow } from './import-workflow.ts';
import { listWorkflowRows } from './list-workflow-rows.ts';
import { getWorkflow } from './load-workflow.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { replaceDraft, saveDraft } from './save-draft.ts';
import { draftSchema, newWorkflowSchema } from './schema.ts';
import { getVersion } from './versions.ts';

const receiver = setUpNotifications();

const ofMessages = () => ({
  app_connection_id: receiver.connectionId,
  phone_number_id: PHONE,
  words: ['table'],
});
const position = { x: 40, y: 80 };
const older = (settings: object = {}) => ({
  name: 'Bookings',
  tasks: [
    {
      id: 1,
      type: 'inbound_webhook',
      name: 'Guests write',
      settings: { starts_on: 'messages', ...ofMessages(), ...settings },
      position,
    },
    { id: 2, type: 'set_variables', settings: { variables: [{ name: 'who', value: '{{task_1_from}}' }] } },
  ],
  edges: [{ from: 1, to: 2 }],
});
const TRIGGER = { id: 1, type: 'message_trigger', name: 'Guests write', position };

/** A workflow as an older version stored and published it. */
async function storeOlder(): Promise<string> {
  const { ctx } = receiver.world;
  const { id } = await createWorkflow(ctx, newWorkflowSchema.parse({ ...older(), publish: true }));
  const defaults = { message_kinds: [], in_conversations: 'not', beside_others: 'also' };
  for (const [table, column, where, settings] of [
    ['workflows', 'draft', 'id', {}],
    ['workflow_versions', 'graph', 'workflow_id', defaults],
  ] as const) {
    const { rows } = await ctx.db.$client.query<{ graph: { tasks: { settings: object }[] } }>(
      `select ${column} as graph from ${table} where ${where} = $1`,
      [id],
    );
    const graph = rows[0]?.graph ?? expect.unreachable();
    const [trigger, ...others] = graph.tasks;
    const was = {
      ...trigger,
      type: 'inbound_webhook',
      settings: { ...trigger?.settings, starts_on: 'messages', ...settings },
    };
    await ctx.db.$client.query(`update ${table} set ${column} = $2 where ${where} = $1`, [
      id,
      JSON.stringify({ ...graph, tasks: [was, ...others] }),
    ]);
  }
  return id;
}

let customers = 0;
async function write(text: string): Promise<void> {
  const customer = `1555711${String((customers += 1)).padStart(4, '0')}`;
  const said = { type: 'text', text: { body: text } };
  await receiver.deliver(notification(message(newMessageId(), customer, 1_700_000_000, said)));
}

test('a stored workflow is read in the shape of today, has nothing to publish, and still starts', async () => {
  const { ctx } = receiver.world;
  const id = await storeOlder();
  const workflow = await getWorkflow(ctx, { id });
  expect(workflow.tasks[0]).toEqual({ ...TRIGGER, settings: ofMessages() });
  expect(workflow.edges).toEqual([{ from: 1, to: 2 }]);
  expect((await getVersion(ctx, { id, version: 1 })).tasks[0]).toMatchObject({
    ...TRIGGER,
    settings: ofMessages(),
  });
  const { data } = await listWorkflowRows(ctx);
  expect(data.find((row) => row.id === id)?.hasUnpublishedChanges).toBe(false);
  await write('A table for two');
  expect(await receiver.eventsOf(id)).toHaveLength(1);
  expect(await publishWorkflow(ctx, { id })).toMatchObject({ published_version: 1 });
  await write('One more table');
  expect(await receiver.eventsOf(id)).toHaveLength(2);
});

test('a draft that is sent in the older shape is stored in that of today, by the editor and by clients', async () => {
  const { ctx } = receiver.world;
  const id = await storeOlder();
  const { draft_revision } = await getWorkflow(ctx, { id });
  const again = draftSchema.parse({ ...older({ words: ['seat'] }), draft_revision });
  const { revision } = await saveDraft(ctx, { ...again, id, draft_revision });
  expect((await getWorkflow(ctx, { id })).tasks[0]?.settings).toEqual({ ...ofMessages(), words: ['seat'] });
  const sent = draftSchema.parse({ ...older({ words: ['chair'] }), draft_revision: revision });
  const saved = await replaceDraft(ctx, { ...sent, id });
  expect(saved.tasks[0]).toEqual({ ...TRIGGER, settings: { ...ofMessages(), words: ['chair'] } });
  await publishWorkflow(ctx, { id });
  await write('A chair by the window');
  expect(await receiver.eventsOf(id)).toHaveLength(1);
});

test('an older export is imported, and asks for its connection', async () => {
  const { ctx } = receiver.world;
  const text = JSON.stringify(older()).replaceAll(receiver.connectionId, 'old-id');
  expect(await checkImport(ctx, { text })).toMatchObject({
    problems: [],
    unknownConnections: [{ id: 'old-id', taskNames: ['Guests write'] }],
  });
  const imported = await importWorkflow(ctx, { text, connections: { 'old-id': receiver.connectionId } });
  const { phone_number_id: _, ...kept } = ofMessages();
  expect(imported.tasks[0]).toEqual({ ...TRIGGER, settings: kept });
  expect((await exportWorkflow(ctx, { id: imported.id })).tasks[0]).toMatchObject({
    type: 'message_trigger',
  });
});

test('an inbound webhook keeps what it says about requests, and loses what had no effect', async () => {
  const { ctx } = receiver.world;
  const settings = { starts_on: 'request', words: [], response_body: '{"ok":true}' };
  const made = await createWorkflow(
    ctx,
    newWorkflowSchema.parse({ name: 'Orders', tasks: [{ id: 1, type: 'inbound_webhook', settings }] }),
  );
  expect(made.tasks[0]).toMatchObject({
    type: 'inbound_webhook',
    settings: { response_body: '{"ok":true}' },
  });
  expect(made.tasks[0]?.settings).not.toHaveProperty('starts_on');
  const wrong = { ...older({ starts_on: 'message' }), name: 'Wrong' };
  await expect(createWorkflow(ctx, newWorkflowSchema.parse(wrong))).rejects.toMatchObject({
    code: 'invalid_workflow',
  });
});

test('a trigger becomes another one under its id; no other task does', async () => {
  const { ctx } = receiver.world;
  const id = await storeOlder();
  const { draft_revision, tasks, edges } = await getWorkflow(ctx, { id });
  const [trigger, task] = tasks;
  const webhook = { ...trigger, type: 'inbound_webhook', settings: {} };
  const as = (changed: object[]) =>
    draftSchema.parse({ name: 'Bookings', tasks: changed, edges, draft_revision });
  const saved = await replaceDraft(ctx, { ...as([webhook, { ...task }]), id });
  expect(saved.tasks.map(({ id, type }) => [id, type])).toEqual([
    [1, 'inbound_webhook'],
    [2, 'set_variables'],
  ]);
  await expect(
    replaceDraft(ctx, {
      ...as([webhook, { ...task, type: 'delay', settings: {} }]),
      draft_revision: undefined,
      id,
    }),
  ).rejects.toMatchObject({ code: 'invalid_workflow' });
});
