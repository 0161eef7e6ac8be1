// Secrets of the workspace, from Settings to the service that a task calls: used, replaced, and never shown.
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleApiRequest } from '#lib/api/route.ts';
import { startTestServer } from '#lib/core/http/testing/test-server.ts';
import { tryTask } from '#lib/editor/try-task.ts';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { httpRequest } from '#lib/tasks/http-request/definition.ts';
import { createHttpRequestExecutor } from '#lib/tasks/http-request/execute.ts';
import { withSecrets } from '#lib/tasks/with-secrets.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { deleteSecret, listSecrets, setSecret } from './secrets.ts';

const OLD = 'old-value "of/the key"';
const NEW = 'new-value+of the key';
const HTML_ANSWER = 'x'.repeat(180);

let context: TestContext;
let engine: TestEngine;
let key: string;
let strangersKey: string;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  key = (await createApiKey(context.ctx, { name: 'Test' })).key;
  strangersKey = (await createApiKey(context.stranger, { name: 'Other' })).key;
});
afterAll(() => context.end());

const logged: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });

interface Answer<Body> {
  status: number;
  text: string;
  json: Body;
}
const answers: string[] = [];
async function call<Body = Workflow>(
  method: string,
  path: string,
  body?: unknown,
  by = key,
): Promise<Answer<Body>> {
  const { db, secrets, baseUrl } = context.ctx;
  const runtime = { db, secrets, baseUrl, environmentKey: undefined, logger };
  const response = await handleApiRequest(
    runtime,
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${by}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  answers.push(text);
  return { status: response.status, text, json: JSON.parse(text || 'null') as Body };
}

/** Tasks that use the secret in each place, and one that forwards the service's response. */
const drawn = (url: string, name: string, more: Record<string, unknown> = {}) => ({
  name: 'Uses a secret',
  tasks: [
    { id: 1, type: 'inbound_webhook', settings: {} },
    {
      id: 2,
      type: 'http_request',
      name: 'Call',
      settings: {
        method: 'POST',
        url,
        query: [{ name: 'q', value: `{{secret.${name}}}` }],
        headers: [{ name: 'X-Signed-By', value: `Key {{secret.${name}}}` }],
        body_type: 'json',
        body: `{"password": {{secret.${name}}}, "text": "is {{secret.${name}}}"}`,
        ...more,
      },
    },
    {
      id: 3,
      type: 'set_variables',
      name: 'Pass on',
      settings: { variables: [{ name: 'echo', value: '{{task_2_body}}' }] },
    },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ],
});

interface Received {
  url: string;
  header: unknown;
  body: string;
}

/** A service that echoes its requests. */
async function startEcho(
  status = 200,
  before = '',
): Promise<{ url: string; host: string; received: Received[] }> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [url = '', body] = [request.url, Buffer.concat(chunks).toString()];
      received.push({ url, header: request.headers['x-signed-by'], body });
      response.writeHead(status, {
        'content-type': 'text/plain',
        'x-echo': String(request.headers['x-signed-by']),
      });
      response.end(`${before}${body} ${url} ${String(request.headers['x-signed-by'])}`);
    });
  };
  const { origin, host } = await startTestServer(listener);
  return { url: `${origin}/hook`, host, received };
}

const executorFor = (host: string) => createHttpRequestExecutor({ allowedPrivateHosts: [host] });

async function run(
  workflow: Pick<Workflow, 'id' | 'webhook'> & Workflow,
  host: string,
  body = '{}',
): Promise<string> {
  engine.call = (executed) => executorFor(host).execute(executed);
  const { runId } = await engine.receive(workflow, body);
  await engine.advance(runId);
  return runId;
}

/** Every row of every table in the database. */
async function dump(): Promise<string> {
  const { $client: pool } = context.ctx.db;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const parts = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string | null }>(
      `select string_agg(t::text, ' ') as text from ${name} t`,
    );
    parts.push(rows[0]?.text ?? '');
  }
  return parts.join('\n');
}

const FORMS = [OLD, NEW].flatMap((value) => [
  value,
  encodeURIComponent(value),
  new URLSearchParams({ a: value }).toString().slice(2),
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('base64').slice(0, 12),
  Buffer.from(value).toString('hex'),
]);
const shownIn = (text: string): string[] => FORMS.filter((form) => text.includes(form));

test('a service gets the value; nothing that is stored, answered or logged has it', async () => {
  const { ctx } = context;
  await setSecret(ctx, { name: 'shop_key', value: OLD });
  const service = await startEcho();
  const { json: made } = await call('POST', '/workflows', {
    ...drawn(service.url, 'shop_key'),
    publish: true,
  });
  const runId = await run(made, service.host);

  const sent = service.received[0];
  expect(sent?.header).toBe(`Key ${OLD}`);
  expect(new URLSearchParams(sent?.url.split('?')[1]).get('q')).toBe(OLD);
  expect(JSON.parse(sent?.body ?? '')).toEqual({ password: OLD, text: `is ${OLD}` });

  const shown = await call<{ status: string }>('GET', `/runs/${runId}`);
  expect(shown.json.status).toBe('succeeded');
  expect(shown.text).toContain('Key {{secret.shop_key}}');
  for (const path of ['', '/export']) {
    const { text } = await call('GET', `/workflows/${made.id}${path}`);
    expect(text).toContain('{{secret.shop_key}}');
  }
  expect((await call('GET', '/secrets')).text).toContain('shop_key');
  const tried = await tryTask(ctx, { id: made.id, task_id: 2, tried: {}, confirmed: true }, (type) =>
    type === 'http_request'
      ? withSecrets(executorFor(service.host), httpRequest, () =>
          Promise.resolve({ ...ctx, pool: ctx.db.$client }),
        )
      : undefined,
  );
  expect(tried).toMatchObject({ kind: 'succeeded' });
  answers.push(JSON.stringify(tried));

  await setSecret(ctx, { name: 'shop_key', value: NEW }, 'replace');
  await run(made, service.host);
  expect(service.received.at(-1)?.header).toBe(`Key ${NEW}`);

  expect(shownIn(await dump())).toEqual([]);
  expect(shownIn(answers.join('\n'))).toEqual([]);
  expect(shownIn(logged.join('\n'))).toEqual([]);
});

test('a failure shows the name, also where the excerpt of the answer ends within the value', async () => {
  await setSecret(context.ctx, { name: 'failing_key', value: OLD });
  for (const before of ['', ...[0, 3, 7, 12].map((more) => 'y'.repeat(HTML_ANSWER.length - 13 + more))]) {
    const service = await startEcho(400, before);
    const { json: made } = await call('POST', '/workflows', {
      ...drawn(service.url, 'failing_key', { body_type: 'text', body: `{{secret.failing_key}}` }),
      publish: true,
    });
    const runId = await run(made, service.host);
    const { text } = await call('GET', `/runs/${runId}`);
    expect(text).toContain('http_status');
    expect(text).toContain('{{secret.failing_key}}');
    expect(text).not.toContain(OLD.slice(0, 10));
  }
  expect(await dump()).not.toContain(OLD.slice(0, 10));
});

test('a redirect to another site gets nothing', async () => {
  await setSecret(context.ctx, { name: 'redirected_key', value: OLD });
  const other = await startEcho();
  const { origin, host } = await startTestServer((_request, response) => {
    response.writeHead(307, { location: other.url }).end();
  });
  const { json: made } = await call('POST', '/workflows', {
    ...drawn(`${origin}/a`, 'redirected_key'),
    publish: true,
  });
  const { text } = await call('GET', `/runs/${await run(made, host)}`);
  expect(text).toContain(`redirects to ${other.host}, which must not get the secrets of this request`);
  expect(other.received).toEqual([]);
});

const CHOSEN = 'A variable chooses where the secret chosen_key is sent';

test('a caller never chooses where a secret goes: not when it is published, run or tried', async () => {
  const { ctx } = context;
  await setSecret(ctx, { name: 'chosen_key', value: OLD });
  const service = await startEcho();
  const { json: made } = await call('POST', '/workflows', drawn('{{task_1_url}}', 'chosen_key'));
  const refused = await call<{ error: { problems: unknown } }>('POST', `/workflows/${made.id}/publish`);
  expect(refused.status).toBe(422);
  expect(refused.json.error.problems).toEqual([
    { path: 'tasks[1].settings.url', message: expect.stringContaining(CHOSEN) as string },
  ]);
  const { json: checked } = await call<{ can_publish: boolean; problems: unknown[] }>(
    'GET',
    `/workflows/${made.id}/problems`,
  );
  expect(checked.can_publish).toBe(false);
  expect(checked.problems).toContainEqual(
    expect.objectContaining({
      field: 'settings.url',
      severity: 'error',
      message: expect.stringContaining(CHOSEN) as string,
    }),
  );
  const tried = await tryTask(ctx, { id: made.id, task_id: 2, tried: {}, confirmed: true }, () =>
    withSecrets(executorFor(service.host), httpRequest, () =>
      Promise.resolve({ ...ctx, pool: ctx.db.$client }),
    ),
  );
  expect(tried).toMatchObject({ kind: 'failed', message: expect.stringContaining(CHOSEN) as string });

  // Published by a version without this check.
  await call('PUT', `/workflows/${made.id}`, drawn(service.url, 'chosen_key'));
  const { json: published } = await call('POST', `/workflows/${made.id}/publish`);
  await ctx.db.$client.query(
    `update workflow_versions set graph = replace(graph::text, $2, '{{task_1_url}}')::json where workflow_id = $1`,
    [made.id, service.url],
  );
  engine = new TestEngine(ctx);
  const { text } = await call(
    'GET',
    `/runs/${await run(published, service.host, JSON.stringify({ url: service.url }))}`,
  );
  expect(text).toContain('secret_not_allowed');
  expect(text).toContain(CHOSEN);
  expect(service.received).toEqual([]);
});

test('a secret goes to its hosts only, over HTTPS where a variable chooses one', async () => {
  const { ctx } = context;
  const put = (allowed_hosts?: string[], value = OLD) =>
    call<{ error: unknown }>('PUT', '/secrets/bound_key', { value, allowed_hosts });
  expect((await put(['API.example.com', ' api.example.com:443', 'b.example:8443'])).status).toBe(204);
  const service = await startEcho();

  const { json: made } = await call('POST', '/workflows', drawn(service.url, 'bound_key'));
  const refused = await call<{ error: { problems: unknown } }>('POST', `/workflows/${made.id}/publish`);
  expect(refused.json.error.problems).toEqual([
    {
      path: 'tasks[1].settings.url',
      message: `The secret bound_key must not be sent to ${service.host}: it is only for api.example.com or b.example:8443. Change the URL, or the secret's allowed hosts in Settings → Secrets.`,
    },
  ]);

  await call('PUT', `/workflows/${made.id}`, drawn('{{task_1_url}}', 'bound_key'));
  const { json: published } = await call('POST', `/workflows/${made.id}/publish`);
  expect(published.published_version).toBe(1);
  const failureAt = async (url: string) => {
    const { json } = await call<{ tasks: { task_id: number; error: { message: string } | null }[] }>(
      'GET',
      `/runs/${await run(published, service.host, JSON.stringify({ url }))}`,
    );
    return json.tasks.find(({ task_id }) => task_id === 2)?.error?.message;
  };
  expect(await failureAt(service.url)).toContain('is only sent over HTTPS where a variable chooses the URL');
  expect(await failureAt(service.url.replace('http:', 'https:'))).toContain(
    `must not be sent to ${service.host}`,
  );
  expect(await failureAt('https://api.example.com@other.example/')).toContain(
    'must not be sent to other.example',
  );
  // Nothing is listening there: the request was attempted.
  await put(['127.0.0.1:1'], OLD);
  expect(await failureAt('https://127.0.0.1:1/{{x}}')).not.toContain('secret');
  await put(['api.example.com', 'b.example:8443'], OLD);

  // A new value keeps the hosts, which only change together with the value.
  expect((await put(undefined, NEW)).status).toBe(204);
  const listed = async () => (await listSecrets(ctx)).find(({ name }) => name === 'bound_key')?.allowed_hosts;
  expect(await listed()).toEqual(['api.example.com', 'b.example:8443']);
  expect((await put([new URL(service.url).host], NEW)).status).toBe(204);
  await call('PUT', `/workflows/${made.id}`, drawn(service.url, 'bound_key'));
  const { json: bound } = await call('POST', `/workflows/${made.id}/publish`);
  await run(bound, service.host);
  expect(service.received).toHaveLength(1);
  expect((await put([])).status).toBe(204);
  expect(await listed()).toEqual([]);
  const wrong = await put(['https://api.example.com/']);
  expect([wrong.status, wrong.json.error]).toMatchObject([400, { problems: [{ path: 'allowed_hosts[0]' }] }]);
});

test('a secret that is not there is a problem of publishing, and fails a task that was published with it', async () => {
  const service = await startEcho();
  const { json: made } = await call('POST', '/workflows', drawn(service.url, 'removed_key'));
  const refused = await call<{ error: unknown }>('POST', `/workflows/${made.id}/publish`);
  expect(refused.status).toBe(422);
  const message = 'There is no secret removed_key: add it in Settings → Secrets, or select another one.';
  expect(refused.json.error).toMatchObject({
    problems: ['query[0].value', 'headers[0].value', 'body', 'body'].map((field) => ({
      path: `tasks[1].settings.${field}`,
      message,
    })),
  });
  await setSecret(context.ctx, { name: 'removed_key', value: OLD });
  const { json: published } = await call('POST', `/workflows/${made.id}/publish`);
  await context.ctx.db.$client.query(`delete from named_secrets where name = 'removed_key'`);
  const { text } = await call('GET', `/runs/${await run(published, service.host)}`);
  expect(text).toContain('missing_secret');
  expect(text).toContain('There is no secret removed_key');
  expect(service.received).toEqual([]);
});

test('a published text that names a secret where none may stand fails, whatever let it through', async () => {
  await setSecret(context.ctx, { name: 'stray_key', value: OLD });
  const service = await startEcho();
  const { json: made } = await call('POST', '/workflows', {
    ...drawn(service.url, 'stray_key'),
    publish: true,
  });
  const stray = async (change: string) => {
    await context.ctx.db.$client.query(
      `update workflow_versions set graph = replace(graph::text, $2, $3)::json where workflow_id = $1`,
      [made.id, service.url, `${service.url}/{{secret.stray_key}}`],
    );
    await context.ctx.db.$client.query(
      `update workflow_versions set graph = replace(graph::text, '{{task_2_body}}', $2)::json where workflow_id = $1`,
      [made.id, change],
    );
    // Another engine, which has no version in memory yet.
    engine = new TestEngine(context.ctx);
    return (await call('GET', `/runs/${await run(made, service.host)}`)).text;
  };
  const text = await stray('{{secret.stray_key}}');
  expect(text).toContain('secret_not_allowed');
  expect(text).toContain('a secret can be used only in');
  expect(service.received).toEqual([]);
  expect(shownIn(text)).toEqual([]);
});

test('the list says who set it and who uses it; one that is used cannot be deleted', async () => {
  const { ctx } = context;
  const service = await startEcho();
  expect((await call('PUT', '/secrets/listed_key', { value: OLD })).status).toBe(204);
  const listed = async () => (await listSecrets(ctx)).find(({ name }) => name === 'listed_key');
  expect(await listed()).toMatchObject({ set_by: 'API key “Test”', used_by: [] });
  const { json: made } = await call('POST', '/workflows', {
    ...drawn(service.url, 'listed_key'),
    publish: true,
  });
  const users = [{ id: made.id, name: 'Uses a secret' }];
  expect((await listed())?.used_by).toEqual(users);
  const kept = await call<{ error: { message: string } }>('DELETE', '/secrets/listed_key');
  expect(kept.status).toBe(409);
  expect(kept.json.error.message).toBe(
    'The secret listed_key is used by "Uses a secret": remove it there first.',
  );

  // The draft no longer uses it, the published version still does.
  await call('PUT', `/workflows/${made.id}`, drawn(service.url, 'other_key'));
  expect((await listed())?.used_by).toEqual(users);
  await call('POST', `/workflows/${made.id}/unpublish`);
  expect((await listed())?.used_by).toEqual([]);
  expect((await call('DELETE', '/secrets/listed_key')).status).toBe(204);
  expect(await listed()).toBeUndefined();
  expect((await call('DELETE', '/secrets/listed_key')).status).toBe(404);
});

test('another workspace has its own', async () => {
  const { ctx, stranger } = context;
  await setSecret(ctx, { name: 'ours', value: OLD });
  expect(await listSecrets(stranger)).toEqual([]);
  await expect(deleteSecret(stranger, { name: 'ours' })).rejects.toMatchObject({ code: 'not_found' });
  expect((await call('PUT', '/secrets/ours', { value: NEW }, strangersKey)).status).toBe(204);
  expect((await listSecrets(ctx)).find(({ name }) => name === 'ours')?.set_by).not.toBe('API key “Other”');
});

test('names and values are checked, and adding replaces nothing', async () => {
  const { ctx } = context;
  const { json, status } = await call<{ error: unknown }>('PUT', '/secrets/Stripe-Key', { value: OLD });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({
    problems: [
      { path: 'name', message: 'Use lowercase letters, digits and underscores, and start with a letter.' },
    ],
  });
  expect((await call('PUT', '/secrets/short', { value: ' 12345 ' })).status).toBe(400);
  await setSecret(ctx, { name: 'added', value: OLD }, 'add');
  await expect(setSecret(ctx, { name: 'added', value: NEW }, 'add')).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(setSecret(ctx, { name: 'unknown', value: NEW }, 'replace')).rejects.toMatchObject({
    code: 'not_found',
  });
});
