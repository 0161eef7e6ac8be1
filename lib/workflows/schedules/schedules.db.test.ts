// When a workflow with a schedule starts next, after everything that people do with it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import {
  activateWorkflow,
  deleteWorkflow,
  pauseWorkflow,
  unpublishWorkflow,
} from '#lib/workflows/lifecycle.ts';
import { listWorkflowRows } from '#lib/workflows/list-workflow-rows.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { replaceDraft } from '#lib/workflows/save-draft.ts';
import { draftSchema, newWorkflowSchema } from '#lib/workflows/schema.ts';
import { purgeWorkflow } from '#lib/workflows/trash/trash.ts';
import { startNow } from './start-now.ts';
import { restoreWorkflow } from '#lib/workflows/versions.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const drawn = (settings: object) => ({
  name: 'Report',
  tasks: [{ id: 1, type: 'schedule_trigger', settings }],
});
const make = (settings: object, publish = true) =>
  createWorkflow(context.ctx, newWorkflowSchema.parse({ ...drawn(settings), publish }));
const redraw = async (id: string, settings: object) => {
  await replaceDraft(context.ctx, { ...draftSchema.parse(drawn(settings)), id });
  return publishWorkflow(context.ctx, { id });
};

/** Its time, in UTC. */
const timeOf = ({ next_start_at: at }: { next_start_at: string | null }): string | undefined =>
  at?.slice(11, 16);

const IN_1999 = '1999-01-01T09:00:00.000Z';
/** As if it was due. */
const makeDue = (id: string) =>
  context.ctx.db.$client.query('update schedules set next_at = $2 where workflow_id = $1', [id, IN_1999]);

test('it has a next start from publishing on', async () => {
  const draft = await make({ cron: '0 9 * * *' }, false);
  expect(draft.next_start_at).toBeNull();
  const published = await publishWorkflow(context.ctx, draft);
  expect(timeOf(published)).toBe('09:00');
  expect(Date.parse(published.next_start_at ?? '')).toBeGreaterThan(Date.now());
  const { data } = await listWorkflowRows(context.ctx);
  expect(data.find(({ id }) => id === draft.id)?.nextStartAt).toBe(published.next_start_at);
});

test('what is due stays due when the same schedule is published again, and another schedule replaces it', async () => {
  const { id } = await make({ cron: '0 9 * * *' });
  await makeDue(id);
  expect(await redraw(id, { cron: '0 9 * * *', if_missed: 'skip' })).toMatchObject({
    next_start_at: IN_1999,
  });
  expect(timeOf(await redraw(id, { cron: '30 9 * * *' }))).toBe('09:30');
  expect(timeOf(await redraw(id, { cron: '30 9 * * *', time_zone: 'Asia/Kolkata' }))).toBe('04:00');
});

test('a trigger of another kind ends it', async () => {
  const { id } = await make({ cron: '0 9 * * *' });
  const other = { name: 'Report', tasks: [{ id: 1, type: 'inbound_webhook' }] };
  await replaceDraft(context.ctx, { ...draftSchema.parse(other), id });
  expect((await publishWorkflow(context.ctx, { id })).next_start_at).toBeNull();
});

test('it can be started at once, beside its schedule', async () => {
  const { id, next_start_at } = await make({ cron: '0 9 1 1 *', time_zone: 'Asia/Kolkata' });
  const started = await startNow(context.ctx, { id });
  const events = await context.ctx.db.$client.query<{ run_id: string; kind: string; body: Buffer }>(
    'select run_id, kind, body from events where id = $1',
    [started.event_id],
  );
  expect(events.rows).toMatchObject([{ run_id: started.run_id, kind: 'schedule' }]);
  expect(JSON.parse(String(events.rows[0]?.body))).toMatchObject({ is_manual: true, zone: 'Asia/Kolkata' });
  expect((await getWorkflow(context.ctx, { id })).next_start_at).toBe(next_start_at);
  await pauseWorkflow(context.ctx, { id });
  await expect(startNow(context.ctx, { id })).rejects.toMatchObject({ code: 'conflict' });
  const draft = await make({ cron: '0 9 * * *' }, false);
  await expect(startNow(context.ctx, draft)).rejects.toMatchObject({ code: 'conflict' });
  const stranger = { ...context.ctx, workspaceId: newId() };
  await expect(startNow(stranger, { id })).rejects.toMatchObject({ code: 'not_found' });
});

test('times that pass while it is paused are not missed', async () => {
  const { id } = await make({ cron: '0 9 * * *' });
  await makeDue(id);
  expect((await pauseWorkflow(context.ctx, { id })).next_start_at).toBeNull();
  const resumed = await activateWorkflow(context.ctx, { id });
  expect(Date.parse(resumed.next_start_at ?? '')).toBeGreaterThan(Date.now());
});

test('while runs are held, it starts runs that wait', async () => {
  const { id, next_start_at } = await make({ cron: '0 9 * * *' });
  expect(await pauseWorkflow(context.ctx, { id, hold: true })).toMatchObject({ next_start_at });
  expect(await activateWorkflow(context.ctx, { id })).toMatchObject({ next_start_at });
});

test('an unpublished or deleted workflow does not start, and continues after it is restored', async () => {
  const { id } = await make({ cron: '0 9 * * *' });
  expect((await unpublishWorkflow(context.ctx, { id })).next_start_at).toBeNull();
  expect(timeOf(await publishWorkflow(context.ctx, { id }))).toBe('09:00');
  await makeDue(id);
  await deleteWorkflow(context.ctx, { id });
  const query = 'select next_at from schedules where workflow_id = $1';
  const read = async () => (await context.ctx.db.$client.query<{ next_at: Date | null }>(query, [id])).rows;
  expect(await read()).toEqual([{ next_at: null }]);
  expect((await restoreWorkflow(context.ctx, { id })).next_start_at).toBeNull();
  await deleteWorkflow(context.ctx, { id });
  const restored = await restoreWorkflow(context.ctx, { id, activate: true });
  expect(Date.parse(restored.next_start_at ?? '')).toBeGreaterThan(Date.now());
  await deleteWorkflow(context.ctx, { id });
  await purgeWorkflow(context.ctx, { id });
  expect(await read()).toEqual([]);
});

test('it follows the zone of the workspace, unless it has its own', async () => {
  const following = await make({ cron: '0 9 1 1 *' });
  const own = await make({ cron: '0 9 1 1 *', time_zone: 'UTC' });
  const time = { hours: {}, holidays: {}, quiet_hours: null };
  await setWorkspaceTime(context.ctx, { ...time, zone: 'America/New_York' });
  expect(timeOf(await getWorkflow(context.ctx, following))).toBe('14:00');
  expect(timeOf(await getWorkflow(context.ctx, own))).toBe('09:00');
  await setWorkspaceTime(context.ctx, { ...time, zone: 'UTC' });
});

test.each([
  [{ cron: 'every day' }, 'tasks[0].settings.cron', /five parts/],
  [{ cron: '0 9 * * 1-5', time_zone: 'Berlin' }, 'tasks[0].settings.time_zone', /time zone such as/],
])('a schedule like %o is refused', async (settings, path, message) => {
  await expect(make(settings)).rejects.toMatchObject({
    code: 'invalid_workflow',
    problems: [{ path, message: expect.stringMatching(message) as string }],
  });
});

test('the job that starts schedules is woken for the next one', async () => {
  const { $client } = context.ctx.db;
  await $client.query(
    `select graphile_worker.add_job('schedules', '{}', job_key := 'schedules', run_at := now() + interval '10 years')`,
  );
  const { next_start_at: at } = await make({ cron: '0 9 1 1 *' });
  const jobs = `select run_at from graphile_worker._private_jobs where key = 'schedules'`;
  const runAt = async () => (await $client.query<{ run_at: Date }>(jobs)).rows.map((job) => job.run_at);
  expect(await runAt()).toEqual([new Date(at ?? '')]);
  const { next_start_at: sooner } = await make({ cron: '* * * * *' });
  expect(await runAt()).toEqual([new Date(sooner ?? '')]);
  await make({ cron: '0 9 1 1 *' });
  expect(await runAt()).toEqual([new Date(sooner ?? '')]);
});
