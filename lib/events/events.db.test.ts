import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import {
  deleteWorkflow,
  pauseWorkflow,
  activateWorkflow,
  unpublishWorkflow,
} from '#lib/workflows/lifecycle.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { getEvent, getEventBody, listEvents } from './read-events.ts';
import { planReplay, replayEvent } from './replay-event.ts';

let context: TestContext;
let engine: TestEngine;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
});
afterAll(() => context.end());

const get = (id: string) => getEvent(context.ctx, { id });
const replay = (id: string, repeat = false) => replayEvent(context.ctx, { id, repeat });

describe('an event', () => {
  let workflow: Workflow;
  beforeAll(async () => {
    workflow = await engine.publish(callingGraph());
  });

  test('is shown with its run and its body as it arrived, no digit lost', async () => {
    const { eventId, runId } = await engine.receive(workflow, '{"order":12345678901234567890,"total":1.10}');
    const event = await get(eventId);
    expect(event).toMatchObject({
      kind: 'production',
      outcome: 'triggered',
      reason: null,
      run_id: runId,
      workflow_id: workflow.id,
    });
    expect(JSON.stringify(event.body)).toBe('{"order":12345678901234567890,"total":1.10}');
  });

  test('docs/webhooks.md: header values that look like secrets are masked where they are shown', async () => {
    const headers = { authorization: 'Bearer abcdefghijklmnopqrstuvw', host: 'example.com' };
    const { eventId } = await engine.receive(workflow, '{}', { headers });
    expect((await get(eventId)).headers).toEqual({ authorization: '••••tuvw', host: 'example.com' });
  });

  test('that was rejected says why, shows what was kept, and cannot be replayed', async () => {
    const { eventId } = await engine.receive(workflow, '{"a":', { refusal: 'Unexpected end' });
    expect(await get(eventId)).toMatchObject({
      outcome: 'rejected',
      reason: 'Unexpected end',
      body: '{"a":',
      body_format: 'text',
      run_id: null,
    });
    await expect(replay(eventId)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Unexpected end') as string,
    });
    const tooLarge = await engine.receive(workflow, null, { refusal: 'Too large' });
    expect(await get(tooLarge.eventId)).toMatchObject({ body: null, body_format: 'none', body_bytes: null });
    await expect(replay(tooLarge.eventId)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('replaying', () => {
  test('runs the published version for the same body as a new production event', async () => {
    const workflow = await engine.publish(callingGraph());
    const first = await engine.receive(workflow, '{"n":1.0}', { headers: { 'x-shop': 'north' } });
    const again = await replay(first.eventId, true);
    expect(again).toMatchObject({
      kind: 'production',
      outcome: 'triggered',
      replay_of: first.eventId,
      headers: { 'x-shop': 'north' },
    });
    expect(JSON.stringify(again.body)).toBe('{"n":1.0}');
    expect(again.run_id).not.toBe(first.runId);
    expect(await engine.advance(again.run_id ?? '')).toBe('succeeded');
    expect(await getRun(context.ctx, { id: again.run_id ?? '' })).toMatchObject({
      status: 'succeeded',
      event_id: again.id,
      awaited: false,
    });
  });

  test('enqueues a job for the new run', async () => {
    const workflow = await engine.publish(callingGraph());
    const { eventId } = await engine.receive(workflow);
    const { run_id } = await replay(eventId, true);
    const { rows } = await context.ctx.db.$client.query<{ n: number }>(
      `select count(*)::int as n from graphile_worker._private_jobs where payload::jsonb -> 'run_ids' ? $1`,
      [run_id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('what was not started because its response failed runs without a response', async () => {
    const workflow = await engine.publish(callingGraph());
    const { eventId } = await engine.receive(workflow, '{}', {
      responseProblem: 'The redirect URL is empty.',
    });
    expect(await get(eventId)).toMatchObject({
      outcome: 'response_failed',
      reason: 'The redirect URL is empty.',
      run_id: null,
    });
    const filter = { workflow_id: workflow.id, outcome: 'response_failed' as const, limit: 5 };
    expect((await listEvents(context.ctx, filter)).data.map(({ id }) => id)).toEqual([eventId]);
    const again = await replay(eventId);
    expect(again).toMatchObject({ outcome: 'triggered', replay_of: eventId });
    expect(await engine.advance(again.run_id ?? '')).toBe('succeeded');
  });

  test('a test event runs as a production one', async () => {
    const workflow = await engine.publish(callingGraph());
    const { eventId } = await engine.receive(workflow, '{}', { kind: 'test' });
    expect(await get(eventId)).toMatchObject({ outcome: 'tested', run_id: null });
    expect(await replay(eventId)).toMatchObject({ kind: 'production', outcome: 'triggered' });
  });

  test('what came while the workflow was paused runs when it is active again, and not before', async () => {
    const workflow = await engine.publish(callingGraph());
    await pauseWorkflow(context.ctx, workflow);
    const { eventId } = await engine.receive(workflow);
    expect(await get(eventId)).toMatchObject({ outcome: 'not_active', run_id: null, replayed: false });
    await expect(replay(eventId)).rejects.toMatchObject({
      code: 'workflow_not_active',
      message: expect.stringContaining('paused') as string,
    });
    await activateWorkflow(context.ctx, workflow);
    expect(await replay(eventId)).toMatchObject({
      outcome: 'triggered',
      replay_of: eventId,
      replayed: false,
    });
    const { data: kept } = await listEvents(context.ctx, {
      workflow_id: workflow.id,
      outcome: 'not_active',
      limit: 5,
    });
    expect(kept).toMatchObject([{ id: eventId, replayed: true }]);
    await unpublishWorkflow(context.ctx, workflow);
    await expect(replay(eventId)).rejects.toMatchObject({
      message: expect.stringContaining('not published') as string,
    });
    await deleteWorkflow(context.ctx, workflow);
    await expect(replay(eventId)).rejects.toMatchObject({
      message: expect.stringContaining('deleted') as string,
    });
  });
});

describe('an event that ran', () => {
  const sent = (runId: string, messageId: string) =>
    recordSent(context.ctx, {
      messageId,
      connectionId: newId(),
      phoneNumberId: '1',
      recipient: '15550100',
      kind: 'text',
      taskRun: { runId, taskId: 2, iteration: '' },
    });

  test('is replayed only if that was chosen, after being told how many messages are sent again', async () => {
    const workflow = await engine.publish(callingGraph());
    const { eventId, runId } = await engine.receive(workflow);
    await engine.advance(runId);
    await sent(runId, `m1-${runId}`);
    await sent(runId, `m2-${runId}`);
    await expect(replay(eventId)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('2 messages') as string,
    });
    expect(await planReplay(context.ctx, { ids: [eventId] })).toEqual({ events: 1, messages: 2 });
    expect(await replay(eventId, true)).toMatchObject({ outcome: 'triggered', replay_of: eventId });
  });

  test('counts the messages of its last replay', async () => {
    const workflow = await engine.publish(callingGraph());
    const { eventId } = await engine.receive(workflow, '{}', { kind: 'test' });
    expect(await planReplay(context.ctx, { ids: [eventId] })).toEqual({ events: 0, messages: 0 });
    const first = await replay(eventId);
    await sent(first.run_id ?? '', `m3-${first.id}`);
    await expect(replay(eventId)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('1 message') as string,
    });
    expect(await planReplay(context.ctx, { ids: [eventId, first.id] })).toEqual({ events: 2, messages: 2 });
    expect(await planReplay(context.stranger, { ids: [eventId] })).toEqual({ events: 0, messages: 0 });
  });

  test('is replayed once where two replay it at the same time', async () => {
    const workflow = await engine.publish(callingGraph());
    const { eventId } = await engine.receive(workflow, '{}', { kind: 'test' });
    const outcomes = await Promise.allSettled([replay(eventId), replay(eventId), replay(eventId)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the list', () => {
  test('is filtered by workflow and outcome and read page by page', async () => {
    const [one, two] = [await engine.publish(callingGraph()), await engine.publish(callingGraph())];
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await engine.receive(one)).eventId);
    const tested = await engine.receive(one, '{}', { kind: 'test' });
    const other = await engine.receive(two);
    const list = async (input: object) =>
      (await listEvents(context.ctx, { limit: 2, ...input })).data.map(({ id }) => id);
    expect(await list({})).toEqual([other.eventId, tested.eventId]);
    expect(await list({ workflow_id: one.id, outcome: 'triggered' })).toEqual(ids.slice(0, 2));
    expect(await list({ outcome: 'tested', workflow_id: one.id })).toEqual([tested.eventId]);
    expect(await list({ outcome: 'tested', workflow_id: two.id })).toEqual([]);
    const first = await listEvents(context.ctx, { limit: 3, workflow_id: one.id });
    const rest = await listEvents(context.ctx, {
      limit: 3,
      workflow_id: one.id,
      cursor: first.next_cursor ?? '',
    });
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual([tested.eventId, ...ids]);
    expect(rest.next_cursor).toBeNull();
  });
});

test('a body comes back byte for byte', async () => {
  const workflow = await engine.publish(callingGraph());
  const body = ' {"a":1, "a":2, "big":12345678901234567890, "nul":"\\u0000"}\n';
  const { eventId } = await engine.receive(workflow, body);
  expect((await getEventBody(context.ctx, { id: eventId })).toString()).toBe(body);
});

test('nothing is found of another workspace, of an unknown id, of what is no id', async () => {
  const workflow = await engine.publish(callingGraph());
  const { eventId } = await engine.receive(workflow);
  const { ctx, stranger } = context;
  for (const verb of [getEvent, getEventBody, replayEvent]) {
    await expect(verb(stranger, { id: eventId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(verb(ctx, { id: newId() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(verb(ctx, { id: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  }
  for (const outcome of [undefined, ...EVENT_OUTCOMES]) {
    expect((await listEvents(stranger, { limit: 100, outcome })).data).toEqual([]);
    expect((await listEvents(stranger, { limit: 100, outcome, workflow_id: workflow.id })).data).toEqual([]);
  }
});
