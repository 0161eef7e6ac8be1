import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { retryRun } from '#lib/runs/change-run.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import { readTaskRun } from './read-task-run.ts';

let context: TestContext;
let engine: TestEngine;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
});
afterAll(() => context.end());

const EDITOR = { role: 'editor', masksNumbers: false } as const;
const TEXT = { id: 2, type: 'set_variables', settings: { variables: [{ name: 'text', value: 'Thanks' }] } };

async function runOf(trigger: Record<string, unknown>, body: string) {
  const workflow = await engine.publish(drawing([TEXT], [{ from: 1, to: 2 }], trigger));
  const { runId } = await engine.receive(workflow, body);
  await engine.advance(runId);
  return runId;
}

const readTrigger = (id: string, answerLimitMs = 30_000) =>
  readTaskRun({ ...context.ctx, ...EDITOR }, { id, taskId: 1, iteration: '', answerLimitMs });

test("the trigger of a run shows the response that its caller got: with the body's own fields, escaped", async () => {
  const runId = await runOf(
    { response_body: '{"hello":"{{name}}","order":{{id}},"at":"{{$date}}","later":"{{task_2_text}}"}' },
    '{"name":"Ann \\"B\\"","id":12345678901234567890}',
  );
  const { response, settings } = await readTrigger(runId);
  expect(response).toMatchObject({ status: 200, contentType: 'application/json' });
  expect(parseJson(response?.body ?? '')).toMatchObject({ hello: 'Ann "B"', later: '' });
  expect(response?.body).toContain('"order":12345678901234567890');
  expect(settings.map(({ filled }) => filled)).toEqual(settings.map(() => null));
});

test('a redirect shows where the caller was sent', async () => {
  const runId = await runOf(
    { response_type: 'redirect', redirect_url: 'https://example.com/?name={{name}}' },
    '{"name":"Ann & Bob"}',
  );
  expect((await readTrigger(runId)).response).toEqual({
    status: 302,
    contentType: null,
    body: 'https://example.com/?name=Ann%20%26%20Bob',
  });
});

test('a caller who waited for the run got what the run recorded, or was told that it takes longer', async () => {
  const runId = await runOf({ response_type: 'after_workflow', response_body: '{{task_2_text}}' }, '{}');
  const answer = { status: 500, contentType: 'application/json', body: '{"error":{}}' };
  await context.ctx.db.$client.query('update runs set answer = $2 where id = $1', [
    runId,
    JSON.stringify(answer),
  ]);
  expect((await readTrigger(runId)).response).toEqual(answer);
  expect((await readTrigger(runId, -1)).response).toMatchObject({
    status: 202,
    body: JSON.stringify({ status: 'running', run_id: runId }),
  });
});

test('a retry has no caller', async () => {
  const runId = await runOf({}, '{}');
  expect((await readTrigger(runId)).response).toMatchObject({ body: '{"status":"received"}' });
  const again = await retryRun(context.ctx, { id: runId, from: 'start' });
  await engine.advance(again.id);
  expect((await readTrigger(again.id)).response).toBeNull();
});
