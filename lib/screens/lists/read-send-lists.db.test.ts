import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapList } from '#lib/lists/change-list.ts';
import { getList } from '#lib/lists/read-list.ts';
import { runLists } from '#lib/lists/run-lists.ts';
import { createList, readObjects } from '#lib/lists/upload-list.ts';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { type ListReader, readSendList, readSendListRows, readSendListsPage } from './read-send-lists.ts';

let world: MessagingWorld;
beforeAll(async () => {
  world = await startMessagingWorld();
});
afterAll(() => world.end());

const editor = (): ListReader => ({ ...world.ctx, role: 'editor', masksNumbers: true });
const viewer = (): ListReader => ({ ...editor(), role: 'viewer' });

const ROWS = [
  { Phone: '+1 555 010 1001', Name: 'Ana' },
  { Phone: '15550101001', Name: 'Ana again' },
  { Phone: 'unknown', Name: 'Ben' },
];

/** A list of a workflow that uses `phone` and `first_name`. */
async function upload() {
  const { id: workflowId } = await createWorkflow(world.ctx, {
    name: 'Invite',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      {
        id: 2,
        type: 'set_variables',
        settings: { variables: [{ name: 'greeting', value: '{{task_1_first_name}} {{task_1_phone}}' }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const { list } = await createList(world.ctx, readObjects(ROWS), { workflowId, name: 'Readers' });
  return { workflowId, id: list.id, mapping: list.mapping };
}

/** Lets the job work until the rows are checked. */
async function check(id: string): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    await runLists(world.runtime);
    if ((await getList(world.ctx, { id })).state === 'ready') return;
  }
  throw new Error('The rows were not checked.');
}

test('a list has its plan, its skipped rows with examples, and the variables that no column fills', async () => {
  const { mapping, ...of } = await upload();
  await check(of.id);
  const view = await readSendList(editor(), of);
  expect(view).toMatchObject({
    workflowName: 'Invite',
    columns: [
      { name: 'Phone', sample: '+1 555 010 1001' },
      { name: 'Name', sample: 'Ana' },
    ],
    unfilled: ['first_name'],
    skipped: [
      { reason: 'invalid', count: 1, examples: [{ value: 'unknown' }] },
      { reason: 'duplicate', count: 1, examples: [{ value: '15550101001' }] },
    ],
    plan: { people: 1, phones: [{ recipient: '15550101001', messages: [] }] },
  });
  await mapList(world.ctx, {
    id: of.id,
    mapping: { ...mapping, variables: { phone: 'Phone', first_name: 'Name' } },
  });
  await check(of.id);
  expect((await readSendList(editor(), of)).unfilled).toEqual([]);
});

test('viewers see no numbers, and nobody a list below another workflow', async () => {
  const { workflowId, id } = await upload();
  await check(id);
  const { data } = await readSendListRows(viewer(), { workflowId, id });
  expect(data.map(({ recipient }) => recipient)).toEqual(['••••1001', '••••1001', 'unknown']);
  expect(JSON.stringify(await readSendList(viewer(), { workflowId, id }))).not.toContain('15550101001');
  const { workflowId: another } = await upload();
  await expect(readSendList(editor(), { workflowId: another, id })).rejects.toThrow('does not exist');
  await expect(readSendListRows(editor(), { workflowId: another, id })).rejects.toThrow('does not exist');
});

test('the example file has the columns that the workflow uses', async () => {
  const { workflowId } = await upload();
  const { exampleFile, firstPage, isActive } = await readSendListsPage(editor(), workflowId);
  expect(exampleFile).toBe('phone,first_name\r\n+1 555 010 1001,Ana\r\n+1 555 010 1002,Ben\r\n');
  expect(firstPage.data).toHaveLength(1);
  expect(isActive).toBe(true);
});
