import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { events } from '#lib/engine/schema/runs.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { activateWorkflow, pauseWorkflow } from '#lib/workflows/lifecycle.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { publishDraft } from '#lib/workflows/publish-workflow.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import { previewReplay, replayMatching } from './replay-matching.ts';

let context: TestContext;
let engine: TestEngine;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
});
afterAll(() => context.end());

const send = (id: number, recipient: string) => ({
  id,
  type: 'messaging_business',
  settings: {
    action: 'send_text',
    app_connection_id: newId(),
    phone_number_id: '300000000000003',
    recipient,
    message_text: 'Hello',
  },
});

/** Two messages for each event, one of them to a recipient that is only known in the run. */
const GRAPH = drawing(
  [
    send(2, '{{task_1_phone}}'),
    { id: 3, type: 'set_variables', settings: { variables: [{ name: 'to', value: '15550009999' }] } },
    send(4, '{{task_3_to}}'),
  ],
  [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 3, to: 4 },
  ],
);

/** Like publishing, without querying the platform about the tasks' picks. */
async function publish(): Promise<Workflow> {
  const { ctx } = context;
  const { id } = await createWorkflow(ctx, GRAPH);
  return ctx.db.transaction((tx) => publishDraft(ctx, tx, { id }));
}

test('all matching: tests, receipts and what ran are left out; messages and people are counted before', async () => {
  const { ctx, stranger } = context;
  const workflow = await publish();
  const filter = { workflow_id: workflow.id, hidesNumbers: false };
  await engine.receive(workflow, '{"phone":"15550000000"}');
  await engine.receive(workflow, '{"phone":"15550000000"}', { kind: 'test' });
  await engine.receive(workflow, 'no json', { refusal: 'It is no JSON.' });
  await pauseWorkflow(ctx, workflow);
  const kept = [];
  for (const phone of ['15550001111', '15550002222', '15550001111'])
    kept.push((await engine.receive(workflow, JSON.stringify({ phone }))).eventId);
  await ctx.db.insert(events).values({
    id: newId(),
    workspaceId: ctx.workspaceId,
    workflowId: workflow.id,
    kind: 'notification',
    outcome: 'not_active',
    receivedAt: new Date(),
    headers: {},
    body: Buffer.from('{"kind":"status","status":"read"}'),
  });
  await activateWorkflow(ctx, workflow);

  const { preview, fresh, ran } = await previewReplay(ctx, filter);
  expect(preview).toEqual({
    new_events: 3,
    already_ran: 1,
    tests: 1,
    receipts: 1,
    rejected: 1,
    removed: 0,
    is_complete: true,
    messages: 6,
    people: 2,
    unknown_recipients: 3,
    has_loops: false,
  });
  expect(fresh.map(({ id }) => id)).toEqual(kept);
  expect(ran).toHaveLength(1);
  expect((await previewReplay(stranger, filter)).preview).toMatchObject({ new_events: 0, already_ran: 0 });

  const first = await replayMatching(ctx, { ...filter, limit: 2 });
  expect(first).toMatchObject({ failed: [], remaining: 1 });
  expect(first.replayed.map(({ event_id }) => event_id)).toEqual(kept.slice(0, 2));
  const second = await replayMatching(ctx, { ...filter, limit: 2 });
  expect(second.replayed.map(({ event_id }) => event_id)).toEqual(kept.slice(2));
  const { data } = await listAuditEntries(ctx, { limit: 3 });
  expect(data.map(({ action }) => action)).toEqual(['event.replayed', 'event.replayed', 'event.replayed']);
  expect(await replayMatching(ctx, { ...filter, limit: 2 })).toEqual({
    replayed: [],
    failed: [],
    remaining: 0,
  });
});

test('one that cannot be replayed is listed with its reason', async () => {
  const { ctx } = context;
  const workflow = await publish();
  await pauseWorkflow(ctx, workflow);
  const { eventId } = await engine.receive(workflow);
  const done = await replayMatching(ctx, { workflow_id: workflow.id, hidesNumbers: false, limit: 10 });
  expect(done).toEqual({
    replayed: [],
    failed: [{ event_id: eventId, message: 'The workflow is paused. Activate it first.' }],
    remaining: 0,
  });
});
