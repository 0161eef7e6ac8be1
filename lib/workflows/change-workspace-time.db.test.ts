import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWorkspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { changeWorkspaceTime } from './change-workspace-time.ts';

let world: TestContext;
beforeAll(async () => {
  world = await createTestContext();
});
afterAll(() => world.end());

const change = (...names: string[]) =>
  changeWorkspaceTime(
    world.ctx,
    newWorkspaceTimeSchema.parse({
      zone: 'UTC',
      hours: Object.fromEntries(names.map((name) => [name, {}])),
    }),
  );

const CONDITION = { left: '{{$now}}', operator: 'is_open', calendar: 'Office' };

test.each([
  ['Shop', { type: 'opening_hours', settings: { action: 'if_open', calendar: 'Shop' } }],
  ['Office', { type: 'if_condition', settings: { match: 'all', conditions: [CONDITION] } }],
])('a calendar that a published workflow uses is neither removed nor renamed: %s', async (name, task) => {
  await change('Shop', 'Office', 'Other');
  const { db, workspaceId } = world.ctx;
  const trigger = { id: 1, type: 'inbound_webhook', name: 'In', settings: {} };
  const { workflowId } = await insertWorkflow(
    db.$client,
    { tasks: [trigger, { id: 2, name: 'Open?', ...task }], edges: [{ from: 1, to: 2 }] },
    workspaceId,
  );
  await expect(change('Renamed', 'Other')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(
      `“${name}” cannot be removed or renamed: the workflow “Test workflow” uses it in its task “Open?”`,
    ) as string,
  });
  expect(Object.keys((await getWorkspaceTime(world.ctx)).hours)).toEqual(['Shop', 'Office', 'Other']);
  await change(name, 'New');
  await db.$client.query('update workflows set published_version = null where id = $1', [workflowId]);
  await change('Other');
  expect(Object.keys((await getWorkspaceTime(world.ctx)).hours)).toEqual(['Other']);
});
