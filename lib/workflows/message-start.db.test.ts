// The messages that start a workflow are a setting of its trigger: the draft has it, publishing applies it, copies and files
// include it.
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import {
  listSubscriptions,
  putSubscription,
  removeSubscription,
} from '#lib/messaging/connections/workflow-subscriptions.ts';
import {
  message,
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { createWorkflow, duplicateWorkflow, exportWorkflow } from './create-workflow.ts';
import { deleteWorkflow, pauseWorkflow, unpublishWorkflow } from './lifecycle.ts';
import { getVersion } from './versions.ts';
import { checkImport, importWorkflow } from './import-workflow.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { replaceDraft } from './save-draft.ts';
import { draftSchema, newWorkflowSchema } from './schema.ts';

const receiver = setUpNotifications();

const graphOf = (settings: object, type: string) => ({
  tasks: [{ id: 1, type, name: 'In', settings }],
  edges: [],
});
const onTable = () => ({
  app_connection_id: receiver.connectionId,
  phone_number_id: PHONE,
  message_kinds: ['text'],
  words: ['table'],
});
const make = (settings: object, publish = false, type = 'message_trigger') =>
  createWorkflow(
    receiver.world.ctx,
    newWorkflowSchema.parse({ name: 'Bookings', ...graphOf(settings, type), publish }),
  );
const change = (id: string, settings: object, type = 'message_trigger') =>
  replaceDraft(receiver.world.ctx, {
    ...draftSchema.parse({ name: 'Bookings', ...graphOf(settings, type) }),
    id,
  });
const REQUESTS = 'inbound_webhook';
const publish = (id: string) => publishWorkflow(receiver.world.ctx, { id });

const rowsOf = async (id: string): Promise<object[]> => {
  const query = 'select * from connection_subscriptions where workflow_id = $1';
  return (await receiver.world.runtime.hot.query<object>(query, [id])).rows;
};

let customers = 0;
/** @returns the number of runs of a workflow that a message started */
async function startedBy(text: string, id: string): Promise<number> {
  const before = (await receiver.eventsOf(id)).length;
  const said = { type: 'text', text: { body: text } };
  const customer = `1555700${String((customers += 1)).padStart(4, '0')}`;
  await receiver.deliver(notification(message(newMessageId(), customer, 1_700_000_000, said)));
  return (await receiver.eventsOf(id)).length - before;
}

describe('which messages start a workflow', () => {
  test('is what its trigger says, from publishing on', async () => {
    const { id } = await make(onTable());
    expect(await startedBy('A table for two', id)).toBe(0);
    await publish(id);
    expect(await startedBy('A table for two', id)).toBe(1);
    expect(await startedBy('Hello', id)).toBe(0);
    await change(id, { ...onTable(), words: ['hello'] });
    expect(await startedBy('Hello', id)).toBe(0);
    await publish(id);
    expect(await startedBy('Hello', id)).toBe(1);
    expect(await startedBy('A table for two', id)).toBe(0);
    await change(id, {}, REQUESTS);
    await publish(id);
    expect(await startedBy('Hello', id)).toBe(0);
    const versions = [1, 2, 3].map((version) => getVersion(receiver.world.ctx, { id, version }));
    expect((await Promise.all(versions)).map(({ tasks }) => tasks[0]?.settings['words'])).toEqual([
      ['table'],
      ['hello'],
      undefined,
    ]);
  });

  test('is what the draft says again, once it is unpublished', async () => {
    const { ctx } = receiver.world;
    const { id } = await make(onTable(), true);
    await change(id, {}, REQUESTS);
    expect(await rowsOf(id)).toHaveLength(1);
    await unpublishWorkflow(ctx, { id });
    expect(await rowsOf(id)).toEqual([]);
  });

  test('has 0.1.0 start it on the same messages, whatever the draft said before', async () => {
    const { id } = await make({ ...onTable(), phone_number_id: '', words: [] });
    await change(id, onTable());
    await publish(id);
    expect(await rowsOf(id)).toMatchObject([
      { kinds: ['messages'], phone_number_id: PHONE, message_kinds: ['text'], words: ['table'] },
    ]);
  });

  test('is asked of the platform; where it sends none, publishing says so', async () => {
    // Nothing listens at this installation's address, which the platform calls.
    const warnings = [expect.stringContaining('messages do not start it yet')];
    expect(await make(onTable(), true)).toMatchObject({ published_version: 1, warnings });
    const { id } = await make(onTable());
    expect(await publish(id)).toMatchObject({ published_version: 1, warnings });
    expect(await make({}, true, REQUESTS)).toMatchObject({ published_version: 1, warnings: [] });
  });

  test('is published at once with the workflow; paused its messages are stored, deleted nothing listens', async () => {
    const { id } = await make(onTable(), true);
    expect(await startedBy('My table, please', id)).toBe(1);
    await pauseWorkflow(receiver.world.ctx, { id });
    expect(await startedBy('My table, please', id)).toBe(0);
    const { rows } = await receiver.world.runtime.hot.query(
      `select outcome from events where workflow_id = $1 order by id`,
      [id],
    );
    expect(rows).toEqual([{ outcome: 'triggered' }, { outcome: 'not_active' }]);
    await deleteWorkflow(receiver.world.ctx, { id });
    expect(await startedBy('My table, please', id)).toBe(0);
  });

  test('leaves messages to workflows that start on them, where it is for the rest', async () => {
    const general = { ...onTable(), words: [], beside_others: 'not' };
    const { id } = await make(general, true);
    const { id: tables } = await make(onTable(), true);
    expect(await startedBy('A table for three', id)).toBe(0);
    expect(await startedBy('A table for three', tables)).toBe(1);
    expect(await startedBy('Are dogs welcome?', id)).toBe(1);
    // A second one for the rest does not take them from the first.
    const { id: second } = await make(general, true);
    expect(await startedBy('Are dogs welcome?', id)).toBe(1);
    await deleteWorkflow(receiver.world.ctx, { id: second });
    // Nor does one that gets every message, such as for an inbox.
    const { id: every } = await make({ ...onTable(), message_kinds: [], words: [] }, true);
    expect(await startedBy('Are dogs welcome?', id)).toBe(1);
    await deleteWorkflow(receiver.world.ctx, { id: every });
    await pauseWorkflow(receiver.world.ctx, { id: tables });
    expect(await startedBy('A table for four', id)).toBe(1);
    for (const done of [id, tables]) await deleteWorkflow(receiver.world.ctx, { id: done });
  });

  test('needs a connection of the workspace', async () => {
    const { id } = await make({});
    await expect(publish(id)).rejects.toMatchObject({
      problems: [
        {
          path: 'tasks[0].settings.app_connection_id',
          message: 'Select the connection whose messages start the workflow.',
        },
      ],
    });
    await change(id, { app_connection_id: newId() });
    await expect(publish(id)).rejects.toMatchObject({ code: 'invalid_workflow' });
  });

  test('goes along with copies and files; under another connection the number is left out', async () => {
    const { ctx } = receiver.world;
    const { id } = await make(onTable());
    const copy = await duplicateWorkflow(ctx, { id });
    expect(copy.tasks[0]?.settings).toEqual(onTable());
    const text = JSON.stringify(await exportWorkflow(ctx, { id }));
    expect(await checkImport(ctx, { text })).toMatchObject({ unknownConnections: [], needsSender: false });
    const imported = await importWorkflow(ctx, { text, connections: {} });
    expect(imported.tasks[0]?.settings).toEqual(onTable());
    const elsewhere = text.replaceAll(receiver.connectionId, 'old-id');
    expect((await checkImport(ctx, { text: elsewhere })).unknownConnections).toEqual([
      { id: 'old-id', taskNames: ['In'] },
    ]);
    const there = await importWorkflow(ctx, {
      text: elsewhere,
      connections: { 'old-id': receiver.connectionId },
    });
    const { phone_number_id: _, ...kept } = onTable();
    expect(there.tasks[0]?.settings).toEqual(kept);
    await publish(there.id);
    expect(await startedBy('One table', there.id)).toBe(1);
  });

  test('stands beside what the connection forwards to it', async () => {
    const { ctx } = receiver.world;
    const { id } = await make(onTable(), true);
    const of = { id: receiver.connectionId, workflowId: id };
    const ofTrigger = {
      workflow_id: id,
      message_kinds: ['text'],
      words: ['table'],
      messages_by_trigger: true,
    };
    const alone = [{ ...ofTrigger, kinds: ['messages'], phone_number_id: PHONE }];
    expect(await listSubscriptions(ctx, of)).toEqual(alone);
    const put = (input: Omit<Parameters<typeof putSubscription>[1], 'id' | 'workflow_id'>) =>
      putSubscription(ctx, { id: receiver.connectionId, workflow_id: id, ...input });
    await put({ kinds: ['statuses'], phone_number_id: null });
    expect(await startedBy('A table', id)).toBe(1);
    const both = [{ ...ofTrigger, kinds: ['statuses', 'messages'], phone_number_id: null }];
    expect(await listSubscriptions(ctx, of)).toEqual(both);
    const { words } = ofTrigger;
    await put({ kinds: ['statuses', 'messages'], phone_number_id: null, message_kinds: ['text'], words });
    await change(id, { ...onTable(), words: ['seat'] });
    await publish(id);
    expect(await listSubscriptions(ctx, of)).toEqual([{ ...both[0], words: ['seat'] }]);
    await expect(
      put({ kinds: ['messages'], phone_number_id: PHONE, message_kinds: ['text'], words }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await removeSubscription(ctx, of);
    expect(await listSubscriptions(ctx, of)).toEqual([{ ...alone[0], words: ['seat'] }]);
    await expect(removeSubscription(ctx, of)).rejects.toMatchObject({ code: 'conflict' });
    expect(await startedBy('A seat', id)).toBe(1);
  });
});

describe('a message that a run takes as its answer', () => {
  /** A run waits for the answer of a customer. */
  async function waitFor(customer: string, workflowId: string): Promise<void> {
    const { hot } = receiver.world.runtime;
    const [runId, { workspaceId }] = [newId(), receiver.world];
    await hot.query(
      `insert into runs (id, workspace_id, workflow_id, version, event_id, status, epoch, created_at)
       values ($1, $2, $3, 1, $4, 'waiting', 1, now())`,
      [runId, workspaceId, workflowId, newId()],
    );
    await hot.query(
      `insert into signal_waits (id, workspace_id, key, run_id, task_id, iteration, rule, quiet_ms, opened_at, is_open)
       values ($1, $2, $3, $4, 2, '', 'newest', 0, now(), true)`,
      [newId(), workspaceId, `customer:${PHONE}:${customer}`, runId],
    );
  }

  async function answer(customer: string, ids: readonly string[]): Promise<number[]> {
    const said = { type: 'text', text: { body: 'A table' } };
    await receiver.deliver(notification(message(newMessageId(), customer, 1_700_000_000, said)));
    return Promise.all(ids.map(async (id) => (await receiver.eventsOf(id)).length));
  }

  test('starts only other workflows whose trigger also takes those', async () => {
    const { id: alone } = await make(onTable(), true);
    const { id: also } = await make({ ...onTable(), in_conversations: 'also' }, true);
    const { id: asking } = await make({ ...onTable(), in_conversations: 'also' }, true);
    await waitFor('15557010001', asking);
    expect(await answer('15557010001', [alone, also, asking])).toEqual([0, 1, 0]);
    expect(await answer('15557010001', [alone, also, asking])).toEqual([1, 2, 1]);
  });
});
