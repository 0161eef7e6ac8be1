// Hostile texts in published workflows of the running product (docs/variables.md: no generated code, a step budget). Times are
// asserted in lib/variables/injection.test.ts; this checks that each request is answered, and the next one, too.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { MAX_TEXT_CHARACTERS } from '#lib/tasks/setting-values.ts';
import { canaryCode, hostileBody, readHostileTexts } from '#lib/variables/testing/injection.ts';
import {
  type Answer,
  chain,
  errorOf,
  setTextTask,
  startWebhookServer,
  triggerTask,
  type WebhookServer,
} from './testing/start-webhook-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-canary-'));
const CANARY = { CANARY_FILE: join(folder, 'file'), CANARY_SECRET: randomBytes(12).toString('hex') };
const wholeBody = Buffer.from(stringifyJson(hostileBody));
const { id, total, big, customer, items, nested } = hostileBody as Record<string, JsonValue>;
const smallBody = Buffer.from(stringifyJson({ id, total, big, customer, items, nested } as JsonObject));
/** The whole body has 2 MB: only for texts that read its large parts. */
const bodyFor = (text: string): Buffer => (/@root|#each|a_/.test(text) ? wholeBody : smallBody);
const texts = readHostileTexts();

let server: WebhookServer;

/** The texts refer to the trigger as task 5. */
const trigger = (settings: Record<string, unknown>): WorkflowTask => ({ ...triggerTask(settings), id: 5 });

beforeAll(async () => {
  server = await startWebhookServer(CANARY);
  await server.start('worker');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  expect(server.isAlive()).toBe(true);
  expect(existsSync(CANARY.CANARY_FILE)).toBe(false);
  const settings = { response_type: 'after_workflow', response_body: '{{task_2_text}}' };
  const { token } = await insertWorkflow(
    server.pool,
    chain(trigger(settings), setTextTask(2, 'on {{task_5_n}}')),
  );
  expect(await server.post(`/webhook/${token}`, '{"n":1}')).toMatchObject({ status: 200, body: 'on 1' });
});

async function answerTo(text: string, ...tasks: WorkflowTask[]): Promise<Answer> {
  const { token } = await insertWorkflow(server.pool, chain(...tasks));
  const answer = await server.post(`/webhook/${token}`, bodyFor(text));
  expect(answer.body).not.toContain(CANARY.CANARY_SECRET);
  return answer;
}

async function taskErrorOf(answer: Answer): Promise<{ code: string; message: string } | undefined> {
  const { error } = JSON.parse(answer.body) as { error: { run_id: string } };
  const { rows } = await server.pool.query<{ error: { code: string; message: string } }>(
    'select error from task_runs where run_id = $1 and task_id = 2',
    [error.run_id],
  );
  return rows[0]?.error;
}

it('the canary would tell: run as code, it leaves its file and gives away the secret', () => {
  const script = `console.log(new Function(${JSON.stringify(canaryCode)})())`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...CANARY },
  });
  expect(printed.toString().trim()).toBe(CANARY.CANARY_SECRET);
  expect(existsSync(CANARY.CANARY_FILE)).toBe(true);
  rmSync(CANARY.CANARY_FILE);
  expect(texts.filter(({ text }) => text.includes(canaryCode)).length).toBeGreaterThan(3);
});

describe('as the response body of a published trigger', () => {
  it.each(texts)('$what', async ({ text, result, error }) => {
    const answer = await answerTo(text, trigger({ response_body: text, response_format: 'text' }));
    if (result !== undefined) expect(answer).toMatchObject({ status: 200, body: result });
    else if (error === null) expect([200, 422]).toContain(answer.status);
    else {
      expect(answer.status).toBe(422);
      expect(errorOf(answer).code).toBe('invalid_response');
      expect(errorOf(answer).message).toContain(error);
    }
  });
});

/** A task only sees the body as the trigger's output. */
const forTask = (text: string): string =>
  text.replaceAll('@root.', 'task_5.JSON.').replace(/#each (?:\.\.\/)*n\}/g, '#each task_5.JSON.n}');

describe('as a value of set_variables in a published workflow', () => {
  it.each(texts)('$what', async ({ text, error }) => {
    const settings = {
      response_type: 'after_workflow',
      response_body: '{{task_2_text}}',
      response_format: 'text',
    };
    const answer = await answerTo(text, trigger(settings), setTextTask(2, forTask(text)));
    if (answer.status === 200) return;
    expect([answer.status, errorOf(answer).code]).toEqual([500, 'workflow_failed']);
    const failure = await taskErrorOf(answer);
    // Longer than the editor allows.
    if (forTask(text).length > MAX_TEXT_CHARACTERS) return expect(failure?.code).toBe('invalid_settings');
    expect(failure?.code).toBe('invalid_text');
    if (typeof error === 'string') expect(failure?.message).toContain(error);
  });
});

describe('as the redirect URL of a published trigger', () => {
  it.each(texts)('$what', async ({ text }) => {
    const redirect_url = `https://example.com/?a=${text}`;
    const { token } = await insertWorkflow(
      server.pool,
      chain(trigger({ response_type: 'redirect', redirect_url })),
    );
    const answer = await server.post(`/webhook/${token}`, bodyFor(text));
    expect([302, 422]).toContain(answer.status);
    expect(String(answer.headers.location ?? '') + answer.body).not.toContain(CANARY.CANARY_SECRET);
    expect(answer.headers.location ?? '').not.toMatch(/[\r\n]/);
  });
});

describe('in the body of a webhook', () => {
  const program = {
    type: 'Program',
    body: [
      {
        type: 'MustacheStatement',
        path: { type: 'PathExpression', original: 'if', parts: ['if'], data: false, depth: 0 },
        params: [{ type: 'NumberLiteral', value: canaryCode, original: 1 }],
        loc: { start: 0, end: 0 },
      },
    ],
  };
  const hostile = [
    ['a text', JSON.stringify({ value: `{{constructor.constructor "${canaryCode}"}}` })],
    ['a parsed template', JSON.stringify({ value: program })],
    [
      'a prototype',
      `{"value":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}}`,
    ],
    [
      'functions by name',
      JSON.stringify({ value: { toString: canaryCode, valueOf: 'x', toJSON: 'y', then: 'z', length: 1e9 } }),
    ],
  ] as const;

  it.each(hostile)('%s is data: it comes back as it was', async (_what, sent) => {
    const settings = {
      response_type: 'after_workflow',
      response_body: '{"value":{{task_5_value}},"task":{{task_2_text}},"other":{{polluted}}}',
    };
    const { token } = await insertWorkflow(
      server.pool,
      chain(trigger(settings), setTextTask(2, '{{task_5_value}}')),
    );
    const answer = await server.post(`/webhook/${token}`, sent);
    const value = sent.slice('{"value":'.length, -1);
    expect(answer).toMatchObject({ status: 200, body: `{"value":${value},"task":${value},"other":null}` });
  });
});
