// Every row of docs/webhooks.md's table that answers a known workflow, through both doors.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { type InsertedWorkflow, insertWorkflow } from '#lib/testing/insert-workflow.ts';
import {
  type Answer,
  chain,
  countEvents,
  db,
  delayTask,
  DOORS,
  errorCode,
  eventOf,
  expectCommonHeaders,
  failTask,
  json,
  send,
  setTask,
  setUpDoors,
  trigger,
} from './testing/webhook-doors.ts';

setUpDoors();

const statusOfRun = async (id: string): Promise<string | undefined> => {
  const { rows } = await db.$client.query<{ status: string }>('select status from runs where id = $1', [id]);
  return rows[0]?.status;
};

/** The event is kept with its reason, without a run; replaying it starts one. */
async function expectNothingStarted(
  answer: Answer,
  { workspaceId, workflowId }: InsertedWorkflow,
  reason: string,
): Promise<void> {
  expect(await eventOf(answer)).toMatchObject({
    outcome: 'response_failed',
    reason: expect.stringContaining(reason) as string,
    run_id: null,
  });
  const countRuns = async () =>
    (await db.$client.query('select 1 from runs where workflow_id = $1', [workflowId])).rowCount;
  expect(await countRuns()).toBe(0);
  const ctx = {
    db,
    workspaceId,
    actor: 'test',
    baseUrl: '',
    secrets: createSecretBox(`k1:${randomBytes(32).toString('base64')}`),
  };
  const replay = await replayEvent(ctx, { id: String(answer.headers['x-event-id']) });
  expect(replay.outcome).toBe('triggered');
  expect(await countRuns()).toBe(1);
}

describe.each(DOORS)('webhook door: %s (docs/webhooks.md)', (door) => {
  it('the test URL answers with the trigger output as child tasks see it, whatever the state, and runs nothing', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(), setTask(2, 'x')));
    await db.$client.query('update workflows set published_version = null, active = false where id = $1', [
      workflowId,
    ]);
    const body = '{"customer":{"name":"Sample"},"items":[{"name":"Mat"}],"big":12345678901234567890}';
    const answer = await send(door, `/webhook-test/${token}`, { headers: json, body });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"task_1_big":12345678901234567890');
    expect(JSON.parse(answer.body)).toMatchObject({
      event_id: answer.headers['x-event-id'],
      task_id: 1,
      variables: {
        task_1_customer: { name: 'Sample' },
        task_1_customer_name: 'Sample',
        task_1_items: [{ name: 'Mat' }],
        task_1_items_0_name: 'Mat',
        task_1_run: true,
        task_1_run_text: 'Inbound data was received and processed successfully.',
      },
    });
    expect(await eventOf(answer)).toMatchObject({ outcome: 'tested', kind: 'test', run_id: null });
  });

  it('immediate: 200 with the rendered body, after event, run and job are committed', async () => {
    const body = '{"status":"ok","name":"{{customer.name}}","n":{{missing}},"at":"{{$now}}"}';
    const { token } = await insertWorkflow(
      db.$client,
      chain(trigger({ response_body: body }), setTask(2, 'x')),
    );
    const answer = await send(door, `/webhook/${token}`, {
      headers: json,
      body: '{"customer":{"name":"A \\"quoted\\" name"}}',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'ok', name: 'A "quoted" name', n: null });
    const event = await eventOf(answer);
    expect(event).toMatchObject({ outcome: 'triggered' });
    const { rows } = await db.$client.query('select event_id from runs where id = $1', [event?.run_id]);
    expect(rows).toEqual([{ event_id: answer.headers['x-event-id'] }]);
    expectCommonHeaders(answer);
  });

  it.each([
    ['<ok>{{name}}</ok>', 'application/xml', '<ok>&lt;b&gt;</ok>'],
    ['Hello {{name}}', 'text/plain; charset=utf-8', 'Hello <b>'],
  ])('immediate: %s is answered as %s', async (response_body, type, expected) => {
    const { token } = await insertWorkflow(db.$client, chain(trigger({ response_body })));
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{"name":"<b>"}' });
    expect([answer.headers['content-type'], answer.body]).toEqual([type, expected]);
  });

  it('redirect: 302 with variables percent-encoded, except where the whole URL is one', async () => {
    const redirect = (redirect_url: string): WorkflowGraph =>
      chain(trigger({ response_type: 'redirect', redirect_url }));
    const encoded = await insertWorkflow(db.$client, redirect('https://example.com/thanks?name={{name}}'));
    const answer = await send(door, `/webhook/${encoded.token}`, { headers: json, body: '{"name":"a&b c"}' });
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      'https://example.com/thanks?name=a%26b%20c',
    ]);
    expect(await eventOf(answer)).toMatchObject({ outcome: 'triggered' });
    const whole = await insertWorkflow(db.$client, redirect('{{next}}'));
    const there = await send(door, `/webhook/${whole.token}`, {
      headers: json,
      body: '{"next":"https://example.com/a?b=c"}',
    });
    expect([there.status, there.headers.location]).toEqual([302, 'https://example.com/a?b=c']);
  });

  it.each([
    ['', 'The redirect URL is empty'],
    ['javascript:alert(1)', 'not an absolute http or https URL'],
    ['/relative', 'not an absolute http or https URL'],
    ['https://example.com/\\r\\nSet-Cookie: a=b', 'not an absolute http or https URL'],
  ])('redirect: to "%s" is 422 invalid_redirect, and nothing starts', async (next, reason) => {
    const graph = chain(trigger({ response_type: 'redirect', redirect_url: '{{next}}' }), setTask(2, 'x'));
    const inserted = await insertWorkflow(db.$client, graph);
    const refused = await send(door, `/webhook/${inserted.token}`, {
      headers: json,
      body: `{"next":"${next}"}`,
    });
    expect([refused.status, errorCode(refused)]).toEqual([422, 'invalid_redirect']);
    expect(refused.headers['set-cookie']).toBeUndefined();
    await expectNothingStarted(refused, inserted, reason);
  });

  it('immediate: a body that grows too large is 422 invalid_response, and nothing starts', async () => {
    const graph = chain(trigger({ response_body: '{{text}}{{text}}' }), setTask(2, 'x'));
    const inserted = await insertWorkflow(db.$client, graph);
    const body = JSON.stringify({ text: 'x'.repeat(600_000) });
    const refused = await send(door, `/webhook/${inserted.token}`, { headers: json, body });
    expect([refused.status, errorCode(refused)]).toEqual([422, 'invalid_response']);
    await expectNothingStarted(refused, inserted, 'The response body could not be rendered');
  });

  it('the response is the one of the version that runs, from the first request after publishing', async () => {
    const respond = (response_body: string) => chain(trigger({ response_body }), setTask(2, response_body));
    const { token, workflowId } = await insertWorkflow(db.$client, respond('one'));
    const publish = (version: number, graph: WorkflowGraph) =>
      db.$client.query(
        `with version as (insert into workflow_versions (workflow_id, version, name, graph) values ($1, $2, 'Test', $3))
         update workflows set published_version = $2 where id = $1`,
        [workflowId, version, JSON.stringify(graph)],
      );
    const post = () => send(door, `/webhook/${token}`, { headers: json, body: '{}' });
    expect((await post()).body).toBe('one');
    await publish(2, respond('two'));
    const answers = await Promise.all(Array.from({ length: 20 }, post));
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['two']));
    await publish(
      3,
      chain(trigger({ response_type: 'redirect', redirect_url: '{{next}}' }), setTask(2, 'x')),
    );
    expect(errorCode(await post())).toBe('invalid_redirect');
    await db.$client.query('update workflows set published_version = null where id = $1', [workflowId]);
    expect(errorCode(await post())).toBe('workflow_not_active');
    await publish(4, respond('four'));
    expect((await post()).body).toBe('four');
    const { rows } = await db.$client.query<{ version: number; count: number }>(
      'select version, count(*)::int from runs where workflow_id = $1 group by version order by version',
      [workflowId],
    );
    expect(rows).toEqual([
      { version: 1, count: 1 },
      { version: 2, count: 20 },
      { version: 4, count: 1 },
    ]);
    expect(await countEvents(workflowId)).toBe(24);
  });

  it('after workflow: 200 with task outputs; a failed run is 500 workflow_failed with run_id', async () => {
    const response = {
      response_type: 'after_workflow',
      response_body: '{"text":"{{task_2_text}}","run":{{task_2_run}}}',
    };
    const { token } = await insertWorkflow(
      db.$client,
      chain(trigger(response), setTask(2, 'Hello {{task_1_name}}')),
    );
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{"name":"you"}' });
    expect([answer.status, answer.body]).toEqual([200, '{"text":"Hello you","run":true}']);
    const failing = await insertWorkflow(db.$client, chain(trigger(response), failTask(2)));
    const failed = await send(door, `/webhook/${failing.token}`, { headers: json, body: '{}' });
    expect([failed.status, errorCode(failed)]).toEqual([500, 'workflow_failed']);
    const { error } = JSON.parse(failed.body) as { error: { run_id: string } };
    expect(await statusOfRun(error.run_id)).toBe('failed');
  });

  it('after workflow: a response that cannot be rendered does not look as if nothing had run', async () => {
    const response = { response_type: 'after_workflow', response_body: '{{task_2_text}}{{task_2_text}}' };
    const graph = chain(trigger(response), setTask(2, '{{task_1_text}}'));
    const { token } = await insertWorkflow(db.$client, graph);
    const body = JSON.stringify({ text: 'x'.repeat(600_000) });
    const answer = await send(door, `/webhook/${token}`, { headers: json, body });
    expect([answer.status, errorCode(answer)]).toEqual([200, 'invalid_response']);
    const { error } = JSON.parse(answer.body) as { error: { message: string; run_id: string } };
    expect(error.message).toMatch(/could not be rendered.*The workflow ran\./);
    expect(error.run_id).toBe((await eventOf(answer))?.run_id);
    expect(await statusOfRun(error.run_id)).toBe('succeeded');
  });

  it('after workflow: at the first Delay the answer holds what is known by then (spec: Endpoints 5)', async () => {
    const response = {
      response_type: 'after_workflow',
      response_body: '{"before":"{{task_2_text}}","after":"{{task_4_text}}"}',
    };
    const graph = chain(trigger(response), setTask(2, 'known'), delayTask(3, 3600), setTask(4, 'later'));
    const { token } = await insertWorkflow(db.$client, graph);
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{}' });
    expect([answer.status, answer.body]).toEqual([200, '{"before":"known","after":""}']);
  });

  it('after workflow: not finished in time is 202 with the run_id, and the run continues', async () => {
    const looping = { ...failTask(2), settings: { count: 3, pause_seconds: 2, on_item_failure: 'stop' } };
    const { token } = await insertWorkflow(db.$client, {
      tasks: [trigger({ response_type: 'after_workflow' }), looping, setTask(3, 'x')],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
      ],
    });
    const answer = await send(door, `/webhook/${token}`, { headers: json, body: '{}' });
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'running',
      run_id: (await eventOf(answer))?.run_id,
    });
  });

  it('keeps the raw body byte for byte', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger()));
    const body =
      '\ufeff { "nul":"\\u0000", "lone":"\\ud800", "a":1, "a":2, "big":12345678901234567890, "n":1.10 }\n';
    const answer = await send(door, `/webhook/${token}`, { headers: json, body });
    expect(answer.status).toBe(200);
    expect((await eventOf(answer))?.body?.toString()).toBe(body);
  });
});
