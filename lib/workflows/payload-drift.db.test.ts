import { afterAll, beforeAll, expect, test } from 'vitest';
import { events } from '#lib/engine/schema/runs.ts';
import { newId } from '#lib/core/ids.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { loadPayloadDrift } from './payload-drift.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { saveDraft } from '#lib/workflows/save-draft.ts';

let world: TestContext;
let ctx: ActorContext;

beforeAll(async () => {
  world = await createTestContext();
  ({ ctx } = world);
});

afterAll(() => world.end());

const drawing = (value: string) => ({
  name: 'Drift',
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'Webhook', settings: {} },
    { id: 2, type: 'set_variables', name: 'Greet', settings: { variables: [{ name: 'x', value }] } },
  ],
  edges: [{ from: 1, to: 2 }],
});

async function receive(workflowId: string, count: number, body: string, more: object = {}): Promise<void> {
  await ctx.db.insert(events).values(
    Array.from({ length: count }, () => ({
      id: newId(),
      workspaceId: ctx.workspaceId,
      workflowId,
      kind: 'production' as const,
      outcome: 'triggered' as const,
      receivedAt: new Date(),
      headers: {},
      body: Buffer.from(body),
      ...more,
    })),
  );
}

test('counts the newest production events that have a small JSON object', async () => {
  const { id } = await createWorkflow(ctx, drawing('{{task_1_phone}}'));
  await receive(id, 100, '{"phone":"old, beyond the newest 200"}');
  await receive(id, 44, '{"phone":"1555"}');
  await receive(id, 6, '{"name":"x"}');
  await receive(id, 50, '{}', { kind: 'test', outcome: 'tested' });
  await receive(id, 50, 'no json', { outcome: 'rejected' });
  await receive(id, 50, JSON.stringify({ large: 'x'.repeat(70_000) }));
  expect(await loadPayloadDrift(ctx, { id })).toMatchObject({
    events: 50,
    findings: [{ label: 'phone', missing: 6, tasks: [{ id: 2, name: 'Greet' }], isFixed: false }],
  });
});

test('what only the published version still needs is reported', async () => {
  const { id } = await createWorkflow(ctx, drawing('{{task_1_phone}}'));
  await receive(id, 20, '{}');
  await publishWorkflow(ctx, { id });
  const { draft_revision } = await getWorkflow(ctx, { id });
  await saveDraft(ctx, { id, draft_revision, ...drawing('{{default task_1_phone "none"}}') });
  const { findings } = await loadPayloadDrift(ctx, { id });
  expect(findings).toMatchObject([{ label: 'phone', missing: 20, isFixed: true }]);
});

test('a workflow without events, and one of another workspace', async () => {
  const { id } = await createWorkflow(ctx, drawing('{{task_1_phone}}'));
  expect(await loadPayloadDrift(ctx, { id })).toEqual({ events: 0, findings: [] });
  await expect(loadPayloadDrift({ ...ctx, workspaceId: newId() }, { id })).rejects.toMatchObject({
    code: 'not_found',
  });
});
