import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { runs, signalWaits } from '#lib/engine/schema/runs.ts';
import { webhookTokens, workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { customerKey } from '#lib/messaging/customers/customer-names.ts';
import { readEvents } from '#lib/screens/read-events.ts';
import { readRuns } from '#lib/screens/read-runs.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import { deleteWorkflow } from '../lifecycle.ts';
import { getWorkflow, listWorkflows } from '../load-workflow.ts';
import { restoreWorkflow } from '../versions.ts';
import type { Workflow } from '../schema.ts';
import { listTrash, previewDeletion, pruneTrash, purgeWorkflow } from './trash.ts';

let context: TestContext;
let engine: TestEngine;
let workflow: Workflow;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
});
afterAll(() => context.end());
beforeEach(async () => {
  const waiting = { id: 2, type: 'delay', settings: { mode: 'for', amount: 5, unit: 'days' } };
  workflow = await engine.publish(drawing([waiting], [{ from: 1, to: 2 }]));
});

const NOT_FOUND = { code: 'not_found' };
const EVERYTHING = { role: 'editor', masksNumbers: false } as const;

async function startRun(): Promise<string> {
  const { runId } = await engine.receive(workflow);
  await engine.advance(runId);
  return runId;
}

/** Like the wait of a task that asked a customer. */
async function ask(runId: string, customer: string): Promise<void> {
  const { ctx } = context;
  await ctx.db.insert(signalWaits).values({
    id: newId(),
    workspaceId: ctx.workspaceId,
    key: customerKey('300', customer),
    runId,
    taskId: 2,
    iteration: '',
    rule: 'newest',
    quietMs: 0,
    openedAt: new Date(),
    isOpen: true,
  });
}

const statusOf = async (id: string) => {
  const [run] = await context.ctx.db.select().from(runs).where(eq(runs.id, id));
  return run?.status;
};
const inTrash = async () => (await listTrash(context.ctx, { limit: 100 })).data.map(({ id }) => id);
const lastActions = async (limit: number) =>
  (await listAuditEntries(context.ctx, { limit })).data.map(({ action, actorName }) => [action, actorName]);
const deletedDaysAgo = (days: number) =>
  context.ctx.db
    .update(workflows)
    .set({ deletedAt: new Date(Date.now() - days * 24 * 60 * 60 * 1000) })
    .where(eq(workflows.id, workflow.id));

test('before a workflow is deleted, its runs in progress and the customers they wait for are counted', async () => {
  const { ctx, stranger } = context;
  const [first, second] = [await startRun(), await startRun()];
  await engine.receive(workflow);
  await ask(first, '15550001111');
  await ask(second, '15550001111');
  await ask(second, '15550002222');
  expect(await previewDeletion(ctx, workflow)).toEqual({
    isPublished: true,
    active: true,
    runsInProgress: 3,
    waitingCustomers: 2,
    calledBy: [],
  });
  await expect(previewDeletion(stranger, workflow)).rejects.toMatchObject(NOT_FOUND);
});

test('a deleted workflow is in the trash, and restored as it was but paused', async () => {
  const { ctx, stranger } = context;
  const before = await getWorkflow(ctx, workflow);
  await deleteWorkflow(ctx, workflow);
  await expect(getWorkflow(ctx, workflow)).rejects.toMatchObject(NOT_FOUND);
  await expect(deleteWorkflow(ctx, workflow)).rejects.toMatchObject(NOT_FOUND);
  expect((await listWorkflows(ctx, { limit: 100 })).data.map(({ id }) => id)).not.toContain(workflow.id);
  const { data } = await listTrash(ctx, { limit: 100 });
  const [trashed] = data.filter(({ id }) => id === workflow.id);
  expect(trashed).toMatchObject({ name: 'Orders', published_version: 1 });
  const days = Date.parse(trashed?.removed_at ?? '') - Date.parse(trashed?.deleted_at ?? '');
  expect(days).toBe(30 * 24 * 60 * 60 * 1000);
  expect((await listTrash(stranger, { limit: 100 })).data).toEqual([]);
  await expect(restoreWorkflow(stranger, workflow)).rejects.toMatchObject(NOT_FOUND);
  const restored = await restoreWorkflow(ctx, workflow);
  expect(restored).toEqual({ ...before, active: false, updated_at: restored.updated_at });
  expect(await inTrash()).not.toContain(workflow.id);
  await deleteWorkflow(ctx, workflow);
  expect(await restoreWorkflow(ctx, { ...workflow, activate: true })).toMatchObject({ active: true });
  expect((await engine.receive(workflow)).runId).toBeDefined();
});

test('runs in progress continue, unless they are cancelled with the workflow', async () => {
  const { ctx } = context;
  const run = await startRun();
  await deleteWorkflow(ctx, workflow);
  expect(await statusOf(run)).toBe('waiting');
  await restoreWorkflow(ctx, { ...workflow, activate: true });
  const queued = (await engine.receive(workflow)).runId;
  await deleteWorkflow(ctx, { ...workflow, cancel_runs: true });
  expect([await statusOf(run), await statusOf(queued)]).toEqual(['cancelled', 'cancelled']);
  expect((await lastActions(3)).map(([action]) => action)).toEqual([
    'run.cancelled',
    'run.cancelled',
    'workflow.deleted',
  ]);
});

test('deleted permanently: its URLs and its draft are gone; its runs and events keep its name', async () => {
  const { ctx, stranger } = context;
  const run = await startRun();
  await expect(purgeWorkflow(ctx, workflow)).rejects.toMatchObject(NOT_FOUND);
  await deleteWorkflow(ctx, workflow);
  await expect(purgeWorkflow(stranger, workflow)).rejects.toMatchObject(NOT_FOUND);
  await purgeWorkflow(ctx, workflow);
  expect((await lastActions(1))[0]?.[0]).toBe('workflow.deleted_permanently');
  expect(await statusOf(run)).toBe('cancelled');
  await expect(restoreWorkflow(ctx, workflow)).rejects.toMatchObject(NOT_FOUND);
  await expect(purgeWorkflow(ctx, workflow)).rejects.toMatchObject(NOT_FOUND);
  expect(await inTrash()).not.toContain(workflow.id);
  const { db } = ctx;
  expect(await db.select().from(webhookTokens).where(eq(webhookTokens.workflowId, workflow.id))).toEqual([]);
  const [row] = await db.select().from(workflows).where(eq(workflows.id, workflow.id));
  expect(row?.draft).toEqual({ tasks: [], edges: [] });
  const versions = await db
    .select()
    .from(workflowVersions)
    .where(eq(workflowVersions.workflowId, workflow.id));
  expect(versions).toHaveLength(1);
  const named = { workflowName: 'Orders', isWorkflowDeleted: true };
  const filter = { limit: 10, workflow: workflow.id } as never;
  expect((await readRuns({ ...ctx, ...EVERYTHING }, filter)).data[0]).toMatchObject({ id: run, ...named });
  expect((await readEvents({ ...ctx, ...EVERYTHING }, filter)).data[0]).toMatchObject(named);
});

test('after 30 days housekeeping deletes it permanently, and says so in the audit log', async () => {
  const { ctx } = context;
  await deleteWorkflow(ctx, workflow);
  await deletedDaysAgo(29);
  await pruneTrash(ctx.db);
  expect(await inTrash()).toContain(workflow.id);
  await deletedDaysAgo(31);
  await pruneTrash(ctx.db);
  expect(await inTrash()).not.toContain(workflow.id);
  expect(await lastActions(1)).toEqual([['workflow.deleted_permanently', 'Automatic cleanup']]);
});
