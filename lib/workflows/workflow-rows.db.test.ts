import { toLocal } from '#lib/core/time/zones.ts';
import { newWorkspaceTimeSchema } from '#lib/identity/schema/time-types.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '#lib/engine/schema/runs.ts';
import { newId } from '#lib/core/ids.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow, exportWorkflow } from './create-workflow.ts';
import { checkImport, importWorkflow } from './import-workflow.ts';
import { listWorkflowRows } from './list-workflow-rows.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { renameWorkflow, tagWorkflow } from './lifecycle.ts';

/** Every hour of the day. */
const ZONES = Array.from(
  { length: 25 },
  (_, hour) => `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(12 - hour)}`,
);
const DAY_MS = 86_400_000;
const FOREIGN = '0199aaaa-0000-7000-8000-000000000000';

let world: TestContext;
let ctx: ActorContext;

beforeAll(async () => {
  world = await createTestContext();
  ({ ctx } = world);
});

afterAll(() => world.end());

const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
const withConnection = (id: string) => ({
  name: 'With a connection',
  tasks: [
    trigger,
    {
      id: 2,
      type: 'messaging_business',
      name: 'Send',
      settings: {
        action: 'send_text',
        app_connection_id: id,
        phone_number_id: '3001',
        message_text: 'Hello',
      },
    },
  ],
  edges: [{ from: 1, to: 2 }],
});

test('a row has the state, the last run and the runs since midnight UTC, of its own workspace only', async () => {
  const { id } = await createWorkflow(ctx, { name: 'Row', tasks: [trigger], edges: [] });
  await publishWorkflow(ctx, { id });
  const { workspaceId } = ctx;
  const run = () => ({ workspaceId, workflowId: id, version: 1, eventId: newId(), createdAt: new Date() });
  const [first = '', last = ''] = [newId(), newId()].sort();
  await ctx.db.insert(runs).values([
    { ...run(), id: first, status: 'succeeded' },
    { ...run(), id: last, status: 'failed' },
  ]);
  const [row] = (await listWorkflowRows(ctx)).data;
  expect(row).toMatchObject({
    id,
    publishedVersion: 1,
    active: true,
    hasUnpublishedChanges: false,
    runsToday: 2,
  });
  expect(row?.lastRun).toMatchObject({ id: last, status: 'failed' });
  const [tomorrow] = (await listWorkflowRows(ctx, {}, new Date(Date.now() + DAY_MS))).data;
  expect(tomorrow?.runsToday).toBe(0);
  // Ten hours later it is another day where it is five then, and the same one where it is eight in the evening.
  const later = new Date(Date.now() + (10 / 24) * DAY_MS);
  const runsWhereItIs = async (hour: number): Promise<number | undefined> => {
    const zone = ZONES.find((each) => toLocal(later, each).getUTCHours() === hour) ?? '';
    await setWorkspaceTime(ctx, newWorkspaceTimeSchema.parse({ zone }));
    return (await listWorkflowRows(ctx, {}, later)).data[0]?.runsToday;
  };
  expect([await runsWhereItIs(5), await runsWhereItIs(20)]).toEqual([0, 2]);
  await setWorkspaceTime(ctx, newWorkspaceTimeSchema.parse({ zone: 'UTC' }));
  expect(await listWorkflowRows({ ...ctx, workspaceId: newId() })).toMatchObject({ data: [], total: 0 });
});

test('a new name shows in the list and is no unpublished change', async () => {
  const { id } = await createWorkflow(ctx, { name: 'Before', tasks: [trigger], edges: [] });
  await publishWorkflow(ctx, { id });
  await renameWorkflow(ctx, { id, name: 'After' });
  const [row] = (await listWorkflowRows(ctx)).data;
  expect(row).toMatchObject({ id, name: 'After', hasUnpublishedChanges: false });
  const elsewhere = { ...ctx, workspaceId: newId() };
  await expect(renameWorkflow(elsewhere, { id, name: 'Stolen' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('an export holds no ids, URLs or tokens of this installation, and can be imported (docs/api.md)', async () => {
  const { id, webhook } = await createWorkflow(ctx, { name: 'Export me', tasks: [trigger], edges: [] });
  const text = JSON.stringify(await exportWorkflow(ctx, { id }));
  expect(text).not.toContain(webhook.token);
  expect(text).not.toContain(id);
  const copy = await importWorkflow(ctx, { text, connections: {} });
  expect(copy.id).not.toBe(id);
  expect(copy.webhook.token).not.toBe(webhook.token);
});

test('a file is checked by path before anything is made of it', async () => {
  expect((await checkImport(ctx, { text: '{"name":' })).problems[0]?.message).toContain('not JSON');
  const shape = await checkImport(ctx, {
    text: JSON.stringify({ name: 'X', tasks: [{ id: 0, type: 'delay' }] }),
  });
  expect(shape.problems.map(({ path }) => path)).toEqual(['tasks[0].id']);
  const drawing = { name: 'X', tasks: [trigger], edges: [{ from: 1, to: 9 }] };
  const graph = await checkImport(ctx, { text: JSON.stringify(drawing) });
  expect(graph.problems.map(({ path }) => path)).toEqual(['edges[0].to']);
});

test('connections that are not of this workspace are asked for, and what belongs to them is cleared', async () => {
  const text = JSON.stringify(withConnection(FOREIGN));
  const check = await checkImport(ctx, { text });
  expect(check).toMatchObject({ problems: [], unknownConnections: [{ id: FOREIGN, taskNames: ['Send'] }] });
  const later = await importWorkflow(ctx, { text, connections: { [FOREIGN]: '' } });
  expect(later.tasks[1]?.settings).toEqual({ action: 'send_text', message_text: 'Hello' });
  const ours = newId();
  const mapped = await importWorkflow(ctx, { text, connections: { [FOREIGN]: ours } });
  expect(mapped.tasks[1]?.settings).toMatchObject({ app_connection_id: ours });
  expect(mapped.tasks[1]?.settings).not.toHaveProperty('phone_number_id');
});

test('a page shows 50 workflows, whatever there are; filters and orders are over all of them', async () => {
  const world = await createTestContext();
  const make = (name: string) => createWorkflow(world.ctx, { name, tasks: [trigger], edges: [] });
  const oldest = await make('Flow 1, the oldest');
  await tagWorkflow(world.ctx, { id: oldest.id, tags: ['Shop'] });
  for (let number = 60; number > 1; number -= 1) await make(`Flow ${number}`);
  const first = await listWorkflowRows(world.ctx);
  expect(first).toMatchObject({ total: 60, matching: 60, tags: ['Shop'] });
  expect(first.data).toHaveLength(50);
  const rest = await listWorkflowRows(world.ctx, { cursor: first.next_cursor ?? '' });
  expect(rest.next_cursor).toBeNull();
  const ids = [...first.data, ...rest.data].map(({ id }) => id);
  expect(new Set(ids).size).toBe(60);
  expect(ids.at(-1)).toBe(oldest.id);
  const named = async (input: Parameters<typeof listWorkflowRows>[1]) =>
    (await listWorkflowRows(world.ctx, input)).data.map(({ name }) => name);
  expect((await named({ order: 'name' })).slice(0, 2)).toEqual(['Flow 1, the oldest', 'Flow 2']);
  expect(await named({ text: 'OLDEST' })).toEqual(['Flow 1, the oldest']);
  expect(await named({ tag: 'Shop' })).toEqual(['Flow 1, the oldest']);
  expect(await named({ order: 'last_run', limit: 1 })).toEqual(['Flow 1, the oldest']);
  expect(await named({ order: 'runs_today', limit: 1 })).toEqual(['Flow 1, the oldest']);
  await world.end();
});
