import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow, duplicateWorkflow } from './create-workflow.ts';
import { deleteWorkflow, tagWorkflow } from './lifecycle.ts';
import { getWorkflow } from './load-workflow.ts';
import { listWorkflowRows, searchWorkflows } from './list-workflow-rows.ts';
import { tagsSchema } from './schema.ts';

let world: TestContext;
let ctx: ActorContext;

beforeAll(async () => {
  world = await createTestContext();
  ({ ctx } = world);
});

afterAll(() => world.end());

const create = (name: string, taskNames: string[]) =>
  createWorkflow(ctx, {
    name,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      ...taskNames.map((each, index) => ({ id: index + 2, type: 'delay', name: each, settings: {} })),
    ],
    edges: taskNames.map((_each, index) => ({ from: index + 1, to: index + 2 })),
  });

test('tags are set, listed, and recorded once', async () => {
  const { id } = await create('Tagged', []);
  expect((await tagWorkflow(ctx, { id, tags: ['Shop', 'Orders'] })).tags).toEqual(['Shop', 'Orders']);
  await tagWorkflow(ctx, { id, tags: ['Shop', 'Orders'] });
  expect((await getWorkflow(ctx, { id })).tags).toEqual(['Shop', 'Orders']);
  expect((await listWorkflowRows(ctx)).data.find((row) => row.id === id)?.tags).toEqual(['Shop', 'Orders']);
  const { rows } = await ctx.db.$client.query(
    "select 1 from audit_entries where action = 'workflow.tagged' and workspace_id = $1",
    [ctx.workspaceId],
  );
  expect(rows).toHaveLength(1);
  await expect(tagWorkflow(world.stranger, { id, tags: [] })).rejects.toMatchObject({ code: 'not_found' });
});

test('a duplicate has the tags of its original', async () => {
  const { id } = await create('Original', []);
  await tagWorkflow(ctx, { id, tags: ['Shop', 'Orders'] });
  const copy = await duplicateWorkflow(ctx, { id });
  expect((await getWorkflow(ctx, { id: copy.id })).tags).toEqual(['Shop', 'Orders']);
});

test.each([
  [
    [' Shop ', 'shop', 'Orders'],
    ['Shop', 'Orders'],
  ],
  [[], []],
])('%j are the tags %j', (given, tags) => {
  expect(tagsSchema.parse(given)).toEqual(tags);
});

test.each([[['']], [['a,b']], [['x'.repeat(41)]], [Array.from({ length: 11 }, (_, index) => `t${index}`)]])(
  '%j cannot be tags',
  (given) => {
    expect(tagsSchema.safeParse(given).success).toBe(false);
  },
);

test('a search finds workflows by names of tasks, by token and by URL, of its own workspace only', async () => {
  const { id, webhook } = await create('Reminders', ['Wait a day', 'Wait 100 %', 'Ask again']);
  const search = (text: string) => searchWorkflows(ctx, { text });
  expect(await search('WAIT')).toEqual([{ id, tasks: ['Wait a day', 'Wait 100 %'], isItsUrl: false }]);
  expect(await search('0 %')).toEqual([{ id, tasks: ['Wait 100 %'], isItsUrl: false }]);
  for (const text of [webhook.token, webhook.production_url, `${webhook.test_url}/?a=1`])
    expect(await search(text)).toEqual([{ id, tasks: [], isItsUrl: true }]);
  expect(await search(webhook.token.slice(0, -1))).toEqual([]);
  expect(await searchWorkflows(world.stranger, { text: 'wait' })).toEqual([]);
  expect(await searchWorkflows(world.stranger, { text: webhook.token })).toEqual([]);
  await deleteWorkflow(ctx, { id });
  expect(await search('WAIT')).toEqual([]);
});
