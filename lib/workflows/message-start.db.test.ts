// What a trigger listens to is a setting of it: the draft has it, publishing applies it, copies and files take it along.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '#lib/core/db/client.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { listMigrations } from '#lib/core/db/migration-history.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
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
import { createEmptyDatabase } from '#lib/testing/test-database.ts';
import { createWorkflow } from './create-workflow.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { duplicateWorkflow } from './duplicate-workflow.ts';
import { getVersion } from './get-version.ts';
import { exportWorkflow } from './export-workflow.ts';
import { checkImport, importWorkflow } from './import-workflow.ts';
import { pauseWorkflow } from './pause-workflow.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { replaceDraft } from './replace-draft.ts';
import { unpublishWorkflow } from './unpublish-workflow.ts';
import { draftSchema, newWorkflowSchema } from './schema.ts';

const receiver = setUpNotifications();

const graphOf = (settings: object) => ({
  tasks: [{ id: 1, type: 'inbound_webhook', name: 'In', settings }],
  edges: [],
});
const onTable = () => ({
  starts_on: 'messages',
  app_connection_id: receiver.connectionId,
  phone_number_id: PHONE,
  message_kinds: ['text'],
  words: ['table'],
});
const make = (settings: object, publish = false) =>
  createWorkflow(
    receiver.world.ctx,
    newWorkflowSchema.parse({ name: 'Bookings', ...graphOf(settings), publish }),
  );
const change = (id: string, settings: object) =>
  replaceDraft(receiver.world.ctx, { ...draftSchema.parse({ name: 'Bookings', ...graphOf(settings) }), id });
const publish = (id: string) => publishWorkflow(receiver.world.ctx, { id });

const rowsOf = async (id: string): Promise<object[]> => {
  const query = 'select * from connection_subscriptions where workflow_id = $1';
  return (await receiver.world.runtime.hot.query<object>(query, [id])).rows;
};

let customers = 0;
/** @returns how many runs a message started in a workflow */
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
    await change(id, { starts_on: 'request', app_connection_id: receiver.connectionId });
    await publish(id);
    expect(await startedBy('Hello', id)).toBe(0);
    const versions = [1, 2, 3].map((version) => getVersion(receiver.world.ctx, { id, version }));
    expect((await Promise.all(versions)).map(({ tasks }) => tasks[0]?.settings['words'])).toEqual([
      ['table'],
      ['hello'],
      [],
    ]);
  });

  test('is what the draft says again, once it is unpublished', async () => {
    const { ctx } = receiver.world;
    const { id } = await make(onTable(), true);
    await change(id, {});
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
    // Nothing listens at the address of this installation, which the platform asks.
    const warnings = [expect.stringContaining('messages do not start it yet')];
    expect(await make(onTable(), true)).toMatchObject({ published_version: 1, warnings });
    const { id } = await make(onTable());
    expect(await publish(id)).toMatchObject({ published_version: 1, warnings });
    expect(await make({}, true)).toMatchObject({ published_version: 1, warnings: [] });
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

  test('needs a connection of the workspace', async () => {
    const { id } = await make({ starts_on: 'messages' });
    await expect(publish(id)).rejects.toMatchObject({
      problems: [
        {
          path: 'tasks[0].settings.app_connection_id',
          message: 'Select the connection whose messages start the workflow.',
        },
      ],
    });
    await change(id, { starts_on: 'messages', app_connection_id: newId() });
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

/** A task as drafts may hold it: with an escape that PostgreSQL does not read, one that only looks like it, and digits. */
const UNTOUCHED = String.raw`{"id":2,"type":"delay","name":"\u0000 \\u0000 \\/u","settings":{"amount":1.50}}`;

test('subscriptions of older versions become settings of drafts and published versions, and keep their messages', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'drizzle');
  const at = listMigrations(folder).findIndex(({ tag }) => tag.endsWith('_message_triggers'));
  const before = listMigrations(folder)[at - 1]?.when ?? 0;
  const database = await createEmptyDatabase();
  const { $client: pool } = openDatabase(database.url, { maxConnections: 2 });
  try {
    await migrateDatabase(database.url, folder, { upTo: before });
    const [workspace, listening, other, first, second] = [newId(), newId(), newId(), newId(), newId()];
    await pool.query(`insert into workspaces (id, name) values ($1, 'Books')`, [workspace]);
    const graph = (settings: string) =>
      `{"tasks":[{"id":1,"type":"inbound_webhook","name":"In","settings":${settings}},${UNTOUCHED}],"edges":[],"notes":[]}`;
    for (const id of [listening, other]) {
      await pool.query(
        `insert into workflows (id, workspace_id, name, draft, next_task_id, trigger_task_id, published_version, active)
         values ($1, $2, 'W', $3, 3, 1, 2, true)`,
        [id, workspace, graph('{}')],
      );
      for (const version of [1, 2])
        await pool.query(
          `insert into workflow_versions (workflow_id, version, name, graph) values ($1, $2, 'W', $3)`,
          [id, version, graph('{"response_type":"immediate"}')],
        );
    }
    for (const id of [first, second])
      await pool.query(
        `insert into connections (id, workspace_id, name, scopes, access_token_encrypted, token_issued_at, receiver_token_hash, receiver_token_encrypted)
         values ($1::uuid, $2, $1::uuid::text, '{}', '', now(), decode(md5($1::uuid::text), 'hex'), '')`,
        [id, workspace],
      );
    const subscribe = (connection: string, workflow: string, kinds: string, at: string) =>
      pool.query(
        `insert into connection_subscriptions (connection_id, workflow_id, kinds, phone_number_id, message_kinds, words, created_at)
         values ($1, $2, $3, '300', '{text}', '{table,"two words"}', $4)`,
        [connection, workflow, kinds, at],
      );
    await subscribe(first, listening, '{messages,statuses}', '2026-01-01');
    await subscribe(second, listening, '{messages}', '2026-01-02');
    await subscribe(first, other, '{statuses}', '2026-01-01');
    await migrateDatabase(database.url, folder);
    // PostgreSQL reads no field of a draft that holds \u0000.
    const settingsOf = async (query: string): Promise<unknown[]> =>
      (await pool.query<{ graph: WorkflowGraph }>(query)).rows.map(
        ({ graph: { tasks } }) => tasks[0]?.settings,
      );
    const moved = {
      starts_on: 'messages',
      app_connection_id: first,
      phone_number_id: '300',
      message_kinds: ['text'],
      words: ['table', 'two words'],
    };
    expect(await settingsOf('select draft as graph from workflows order by created_at, id')).toEqual([
      moved,
      {},
    ]);
    expect(
      await settingsOf(
        `select graph from workflow_versions where workflow_id = '${listening}' order by version`,
      ),
    ).toEqual([{ response_type: 'immediate' }, { response_type: 'immediate', ...moved }]);
    const { rows } = await pool.query<{ draft: string; draft_revision: number }>(
      'select draft::text, draft_revision from workflows where id = $1',
      [listening],
    );
    expect(rows[0]?.draft_revision).toBe(2);
    expect(rows[0]?.draft).toContain(UNTOUCHED);
    const filter = { phoneNumberId: '300', messageKinds: ['text'], words: ['table', 'two words'] };
    const { rows: kept } = await pool.query(
      'select connection_id, kinds, message_trigger from connection_subscriptions order by created_at, workflow_id',
    );
    expect(kept).toEqual([
      { connection_id: first, kinds: ['messages', 'statuses'], message_trigger: filter },
      { connection_id: first, kinds: ['statuses'], message_trigger: null },
      { connection_id: second, kinds: ['messages'], message_trigger: null },
    ]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
