import { DrizzleQueryError } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import type { KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { newId } from '#lib/core/ids.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { listVersions } from '#lib/workflows/versions.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { OPERATIONS } from './operations/operations.ts';
import { MAX_API_BODY_BYTES } from './parse-input.ts';
import { type ApiRuntime, handleApiRequest } from './route.ts';

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

let context: TestContext;
let engine: TestEngine;
let runtime: ApiRuntime;
let key: string;
let strangersKey: string;
const ENVIRONMENT_KEY = 'the-key-of-the-environment-of-this-test';
const logged: string[] = [];

beforeAll(async () => {
  // Operations of sign-in read the identity provider from the settings of the process.
  vi.stubEnv('DATABASE_URL', 'postgres://unused.example/unused');
  vi.stubEnv('BASE_URL', 'http://localhost:3000');
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  const { db, secrets, baseUrl } = context.ctx;
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  runtime = { db, secrets, baseUrl, environmentKey: ENVIRONMENT_KEY, logger };
  key = (await createApiKey(context.ctx, { name: 'Test' })).key;
  strangersKey = (await createApiKey(context.stranger, { name: 'Test' })).key;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await context.end();
});

async function call(
  method: string,
  path: string,
  body?: unknown,
  init: { key?: string | null; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const headers = new Headers({
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...init.headers,
  });
  if (init.key !== null) headers.set('Authorization', `Bearer ${init.key ?? key}`);
  const payload =
    body === undefined || body instanceof Uint8Array || typeof body === 'string'
      ? body
      : JSON.stringify(body);
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    body: (payload as BodyInit | undefined) ?? null,
  });
  const response = await handleApiRequest(runtime, request);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

const errorOf = (code: string, more: object = {}) => ({
  error: expect.objectContaining({ code, ...more }) as unknown,
});
const problemAt = (path: string) =>
  expect.objectContaining({ path, message: expect.any(String) as string }) as unknown;

describe('who may ask', () => {
  test.each([
    ['nothing', {}],
    ['another scheme', { Authorization: 'Basic cGI6cGI=' }],
    ['an unknown key', { Authorization: 'Bearer pb_unknown' }],
  ])('401 with WWW-Authenticate for %s', async (_, headers) => {
    const answer = await call('GET', '/api/v1/workflows', undefined, { key: null, headers });
    expect(answer).toMatchObject({ status: 401, json: errorOf('unauthorized') });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test('no operation answers without a key', async () => {
    for (const { method, path } of OPERATIONS) {
      const answer = await call(method, `/api/v1${path.replaceAll(/\{\w+\}/g, newId())}`, undefined, {
        key: null,
      });
      expect(answer, `${method} ${path}`).toMatchObject({ status: 401 });
    }
  });

  test('the OpenAPI document needs no key', async () => {
    const answer = await call('GET', '/api/v1/openapi.json', undefined, { key: null });
    expect(answer).toMatchObject({ status: 200, json: { openapi: '3.1.0' } });
    expect(await call('POST', '/api/v1/openapi.json', {})).toMatchObject({ status: 405 });
  });
});

describe('addresses and methods', () => {
  test.each(['/api/v1/nothing', '/api/v1', '/api/v1/workflows/x/y/z', '/api/v2/workflows', '/api/other'])(
    '404 as JSON for %s',
    async (path) => {
      expect(await call('GET', path)).toMatchObject({ status: 404, json: errorOf('not_found') });
    },
  );

  test('405 with Allow for a method that an address does not have', async () => {
    const answer = await call('PATCH', `/api/v1/workflows/${newId()}`, {});
    expect(answer).toMatchObject({ status: 405, json: errorOf('method_not_allowed') });
    expect(answer.headers.get('allow')).toBe('GET, PUT, DELETE, HEAD, OPTIONS');
    expect(await call('OPTIONS', '/api/v1/workflows')).toMatchObject({ status: 204 });
  });

  test('HEAD is GET without a body', async () => {
    expect(await call('HEAD', '/api/v1/workflows')).toMatchObject({ status: 200, text: '' });
  });

  test('answers are never kept by caches and carry a request id', async () => {
    for (const path of ['/api/v1/workflows', '/api/v1/nothing']) {
      const { headers } = await call('GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('content-type')).toBe('application/json');
    }
  });
});

describe('what is sent', () => {
  const post = (body: unknown, headers?: Record<string, string>) =>
    call('POST', '/api/v1/workflows', body, headers ? { headers } : {});

  test('every problem of the body is listed by its path', async () => {
    const answer = await post({
      tasks: [
        { id: 0, type: 'inbound_webhook' },
        { id: '2', type: 'delay', colour: 'red' },
      ],
      edges: [{ from: 1 }],
    });
    expect(answer).toMatchObject({ status: 400, json: errorOf('invalid_request') });
    const { problems } = (answer.json as { error: { problems: unknown[] } }).error;
    expect(problems).toEqual(
      expect.arrayContaining(
        ['name', 'tasks[0].id', 'tasks[1].id', 'tasks[1].colour', 'edges[0].to'].map(problemAt),
      ),
    );
    expect(problems).toHaveLength(5);
  });

  test('a bad workflow is 422 with its problems', async () => {
    const answer = await post({ name: 'Bad', tasks: [{ id: 1, type: 'teleport' }] });
    expect(answer).toMatchObject({
      status: 422,
      json: errorOf('invalid_workflow', {
        problems: expect.arrayContaining([problemAt('tasks[0].type')]) as unknown,
      }),
    });
  });

  test.each([
    ['no body', undefined, 400, 'invalid_request'],
    ['no JSON', '{"name":', 400, 'invalid_json'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff]), 400, 'invalid_json'],
    ['no object', '[]', 400, 'invalid_request'],
    ['too deep', '['.repeat(300) + ']'.repeat(300), 400, 'invalid_json'],
    ['too large', ' '.repeat(MAX_API_BODY_BYTES + 1), 413, 'body_too_large'],
  ])('%s', async (_, body, status, code) => {
    expect(await post(body, { 'Content-Type': 'application/json' })).toMatchObject({
      status,
      json: errorOf(code),
    });
  });

  test('another content type is refused', async () => {
    expect(await post('name=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
      json: errorOf('unsupported_media_type'),
    });
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=many', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?cursor=nonsense', 'cursor'],
    ['?status=lost', 'status'],
    ['?workflow_id=1', 'workflow_id'],
    ['?workflowid=1', 'workflowid'],
  ])('the query %s is refused at %s', async (query, path) => {
    const answer = await call('GET', `/api/v1/runs${query}`);
    expect(answer).toMatchObject({
      status: 400,
      json: errorOf('invalid_request', { problems: [problemAt(path)] }),
    });
  });

  test('a parameter that an operation does not have is refused', async () => {
    const answer = await call('GET', `/api/v1/events/${newId()}?expand=run`);
    expect(answer).toMatchObject({
      status: 400,
      json: errorOf('invalid_request', { problems: [problemAt('expand')] }),
    });
  });
});

describe('a body sent to an operation that takes none', () => {
  const publish = (body: unknown) => call('POST', `/api/v1/workflows/${newId()}/publish`, body);

  test('is refused by its fields: they would be ignored', async () => {
    expect(await publish({ version: 3 })).toMatchObject({
      status: 400,
      json: errorOf('invalid_request', { problems: [problemAt('version')] }),
    });
    const remove = await call('DELETE', `/api/v1/workflows/${newId()}`, { force: true });
    expect(remove).toMatchObject({ status: 400, json: errorOf('invalid_request') });
  });

  test('may be empty', async () => {
    for (const body of [undefined, '', {}])
      expect(await publish(body)).toMatchObject({ status: 404, json: errorOf('not_found') });
  });
});

describe('faults', () => {
  test('the unforeseen is logged with its cause and shown with a request id only', async () => {
    const { db } = runtime;
    const broken = {
      ...runtime,
      db: {
        select: () => {
          throw new Error('secret detail');
        },
      } as unknown as ApiRuntime['db'],
    };
    runtime = broken;
    const answer = await call('GET', '/api/v1/workflows').finally(() => (runtime = { ...runtime, db }));
    expect(answer).toMatchObject({ status: 500, json: errorOf('internal') });
    expect(answer.text).not.toContain('secret detail');
    expect(answer.text).toContain(answer.headers.get('x-request-id') ?? 'none');
    expect(logged.join()).toContain('secret detail');
  });

  test('a database that is away is 503 with Retry-After', async () => {
    const { db } = runtime;
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const away = new DrizzleQueryError('select', [], refused);
    runtime = {
      ...runtime,
      db: {
        select: () => {
          throw away;
        },
      } as unknown as ApiRuntime['db'],
    };
    const answer = await call('GET', '/api/v1/workflows').finally(() => (runtime = { ...runtime, db }));
    expect(answer).toMatchObject({ status: 503, json: errorOf('overloaded') });
    expect(answer.headers.get('retry-after')).toBe('2');
  });
});

describe('the privileges of keys', () => {
  const create = (by: string) => call('POST', '/api/v1/api-keys', { name: 'Another' }, { key: by });

  const ofScope = async (scope: KeyScope, expires_at: string | null = null) =>
    createApiKey(context.ctx, { name: `To ${scope}`, scope, expires_at });

  test('only keys with the scope admin create, list and revoke keys', async () => {
    const { id } = await createApiKey(context.ctx, { name: 'Somebody else' });
    for (const answer of [
      await create(key),
      await call('GET', '/api/v1/api-keys'),
      await call('DELETE', `/api/v1/api-keys/${id}`),
    ])
      expect(answer).toMatchObject({ status: 403, json: errorOf('forbidden') });
  });

  test('a refusal names the scope that is missing', async () => {
    const { key: reader } = await ofScope('read');
    const answer = await call('POST', '/api/v1/workflows', callingGraph(), { key: reader });
    expect(answer).toMatchObject({
      status: 403,
      json: errorOf('forbidden', {
        message:
          'This API key has the scope "read"; this needs "edit". An owner creates keys in Settings → API keys.',
      }),
    });
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="patchbay", error="insufficient_scope", scope="edit"',
    );
  });

  test('a key makes no key that may do more or lives longer than itself', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const { key: admin } = await ofScope('admin', inAnHour);
    const make = (body: object) =>
      call('POST', '/api/v1/api-keys', { name: 'Child', ...body }, { key: admin });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    for (const expires_at of [null, later])
      expect(await make({ expires_at })).toMatchObject({
        status: 400,
        json: errorOf('invalid_request', { problems: [problemAt('expires_at')] }),
      });
    expect(await make({})).toMatchObject({ status: 201, json: { scope: 'edit', expires_at: inAnHour } });
    const child = (await make({ scope: 'admin' })).json as { key: string };
    const grandchild = await call('POST', '/api/v1/api-keys', { name: 'Grandchild' }, { key: child.key });
    expect(grandchild.json).toMatchObject({ expires_at: inAnHour });
  });

  test('what a key may do is told to itself', async () => {
    const { id, key: runner } = await ofScope('run');
    expect(await call('GET', '/api/v1/api-keys/current', undefined, { key: runner })).toMatchObject({
      status: 200,
      json: { id, scope: 'run', effective_scope: 'run', expires_at: null },
    });
    expect(await call('GET', '/api/v1/api-keys/current', undefined, { key: ENVIRONMENT_KEY })).toMatchObject({
      json: { id: null, effective_scope: 'admin' },
    });
  });

  test('keys that may only look see no webhook URL and no number of a customer, as viewers do', async () => {
    const { key: reader } = await ofScope('read');
    const { id, webhook } = await engine.publish(callingGraph());
    const { eventId, runId } = await engine.receive(
      await getWorkflow(context.ctx, { id }),
      '{"phone":"15550001111","number":15550002222,"15550003333":"key","url":"https://x/resume/abcdefghijklmnopqrstuvwxyz012345"}',
    );
    await engine.advance(runId);
    for (const path of [`/workflows/${id}`, '/workflows', `/events/${eventId}`, `/runs/${runId}`]) {
      const full = await call('GET', `/api/v1${path}`);
      const { text, status } = await call('GET', `/api/v1${path}`, undefined, { key: reader });
      expect(status).toBe(200);
      const hidden = [
        webhook.token,
        '15550001111',
        '15550002222',
        '15550003333',
        'abcdefghijklmnopqrstuvwxyz012345',
      ];
      expect(hidden.filter((each) => full.text.includes(each))).not.toEqual([]);
      expect(hidden.filter((each) => text.includes(each))).toEqual([]);
    }
  });

  test('what the key of the environment made may do no more than others, and ends with it', async () => {
    const made = (await create(ENVIRONMENT_KEY)).json as { key: string };
    expect(await create(made.key)).toMatchObject({ status: 403 });
    expect(await call('GET', '/api/v1/workflows', undefined, { key: made.key })).toMatchObject({
      status: 200,
    });
    const { environmentKey } = runtime;
    for (const changed of [undefined, 'another-key-of-the-environment-after-a-leak']) {
      runtime = { ...runtime, environmentKey: changed };
      const answer = await call('GET', '/api/v1/workflows', undefined, { key: made.key });
      runtime = { ...runtime, environmentKey };
      expect(answer).toMatchObject({ status: 401, json: errorOf('unauthorized') });
    }
  });
});

describe('every operation', () => {
  test('finds nothing of another workspace', async () => {
    const published = await engine.publish(callingGraph());
    const { eventId, runId } = await engine.receive(published);
    const paths = [`/workflows/${published.id}`, `/events/${eventId}`, `/runs/${runId}`];
    for (const path of paths) {
      expect(await call('GET', `/api/v1${path}`)).toMatchObject({ status: 200 });
      expect(await call('GET', `/api/v1${path}`, undefined, { key: strangersKey })).toMatchObject({
        status: 404,
        json: errorOf('not_found'),
      });
    }
  });

  test('numbers keep their digits all the way', async () => {
    const published = await engine.publish(callingGraph());
    const { eventId, runId } = await engine.receive(published, '{"id":12345678901234567890,"total":1.10}');
    await engine.advance(runId);
    expect((await call('GET', `/api/v1/events/${eventId}`)).text).toContain(
      '{"id":12345678901234567890,"total":1.10}',
    );
    expect((await call('GET', `/api/v1/runs/${runId}`)).text).toContain(
      '{"id":12345678901234567890,"total":1.10}',
    );
    const sample = '{"body":{"id":12345678901234567890,"total":1.10},"draft_revision":1.0}';
    const draftRun = await call('POST', `/api/v1/workflows/${published.id}/run-draft`, sample);
    expect(draftRun.status, draftRun.text).toBe(201);
    const { event_id: sampleId } = draftRun.json as { event_id: string };
    expect((await call('GET', `/api/v1/events/${sampleId}`)).text).toContain(
      '{"id":12345678901234567890,"total":1.10}',
    );
  });
});

describe('the audit log has what keys do, as it has what people do', () => {
  const drawing = { name: 'Audited', tasks: [{ id: 1, type: 'inbound_webhook', settings: {} }], edges: [] };
  const entries = async (limit: number) => (await listAuditEntries(context.ctx, { limit })).data.reverse();
  const newest = async (limit: number) =>
    (await entries(limit)).map(({ actorName, action, targetName }) => [actorName, action, targetName]);

  test('every change of a workflow, with its name and the name of the key', async () => {
    const made = await call('POST', '/api/v1/workflows', { ...drawing, publish: true });
    const { id } = made.json as Workflow;
    const path = `/api/v1/workflows/${id}`;
    for (const verb of ['pause', 'activate', 'unpublish', 'publish', 'rotate-token'])
      expect((await call('POST', `${path}/${verb}`)).status).toBe(200);
    await call('PUT', path, { ...drawing, name: 'Renamed' });
    await call('DELETE', path);
    await call('POST', `${path}/restore`);
    const by = 'API key “Test”';
    expect(await newest(10)).toEqual([
      [by, 'workflow.created', 'Audited'],
      [by, 'workflow.published', 'Audited'],
      [by, 'workflow.paused', 'Audited'],
      [by, 'workflow.activated', 'Audited'],
      [by, 'workflow.unpublished', 'Audited'],
      [by, 'workflow.published', 'Audited'],
      [by, 'workflow.urls_rotated', 'Audited'],
      [by, 'workflow.draft_replaced', 'Renamed'],
      [by, 'workflow.deleted', 'Renamed'],
      [by, 'workflow.restored', 'Renamed'],
    ]);
    expect((await listVersions(context.ctx, { id }))[0]?.author).toBe('the API key "Test"');
  });

  test('keys and connections; what was refused or only read leaves no entry', async () => {
    const by = { key: ENVIRONMENT_KEY };
    const made = await call('POST', '/api/v1/api-keys', { name: 'Short-lived' }, by);
    await call('DELETE', `/api/v1/api-keys/${(made.json as { id: string }).id}`, undefined, by);
    const before = await entries(100);
    expect(before.slice(-2).map(({ action, targetName }) => [action, targetName])).toEqual([
      ['api_key.created', 'Short-lived'],
      ['api_key.revoked', 'Short-lived'],
    ]);
    await call('GET', '/api/v1/workflows');
    await call('DELETE', `/api/v1/workflows/${newId()}`);
    await call('DELETE', `/api/v1/connections/${newId()}`);
    await call('POST', '/api/v1/workflows', { name: '' });
    expect(await entries(100)).toEqual(before);
  });
});

test('retention: read with any key, set with admin only, and bad input says where', async () => {
  const path = '/api/v1/workspace/retention';
  const keyOf = async (scope: KeyScope) =>
    (await createApiKey(context.ctx, { name: `Retention ${scope}`, scope })).key;
  const [reader, editor, admin] = [await keyOf('read'), await keyOf('edit'), await keyOf('admin')];
  const forever = { bodies_days: null, runs_days: null, messages_days: null, audit_days: null };
  expect(await call('GET', path, undefined, { key: reader })).toMatchObject({ status: 200, json: forever });
  const chosen = { ...forever, bodies_days: 7, runs_days: 14 };
  expect(await call('PUT', path, chosen, { key: editor })).toMatchObject({ status: 403 });
  expect(await call('PUT', path, chosen, { key: admin })).toMatchObject({ status: 200, json: chosen });
  expect(await call('GET', path, undefined, { key: reader })).toMatchObject({ json: chosen });
  expect(await call('GET', path, undefined, { key: strangersKey })).toMatchObject({ json: forever });
  const wrong = { bodies_days: 0, runs_days: 1.5, messages_days: null };
  const { status, json } = await call('PUT', path, wrong, { key: admin });
  expect(status).toBe(400);
  expect(json).toMatchObject({
    error: {
      code: 'invalid_request',
      problems: [{ path: 'bodies_days' }, { path: 'runs_days' }, { path: 'audit_days' }],
    },
  });
});

test('retention: a preview says what would be deleted now of each kind, and deletes and sets nothing', async () => {
  const path = '/api/v1/workspace/retention';
  const { key } = await createApiKey(context.ctx, { name: 'Preview', scope: 'admin' });
  const reader = (await createApiKey(context.ctx, { name: 'Preview, read', scope: 'read' })).key;
  const strangers = (await createApiKey(context.stranger, { name: 'Preview', scope: 'admin' })).key;
  const { workspaceId, db } = context.ctx;
  const at = new Date(Date.now() - 100 * 86_400_000);
  await db.$client.query(
    `insert into conversation_windows (workspace_id, phone_number_id, customer, last_message_at, last_message_id)
     select $1, '1', n::text, $2, 'wamid.' || n from generate_series(1, 3) n`,
    [workspaceId, at],
  );
  const before = await call('GET', path, undefined, { key });
  const forever = { bodies_days: null, runs_days: null, messages_days: null, audit_days: null };
  const preview = (messages_days: number, by: string) =>
    call('POST', `${path}/preview`, { ...forever, messages_days }, { key: by });
  const windowsIn = ({ json }: { json: unknown }) =>
    (json as { data: { kind: string }[] }).data.find(({ kind }) => kind === 'windows');
  expect(windowsIn(await preview(90, key))).toEqual({
    kind: 'windows',
    rows: 3,
    is_estimate: false,
    oldest_at: at.toISOString(),
  });
  expect(windowsIn(await preview(110, key))).toMatchObject({ rows: 0, oldest_at: null });
  expect(windowsIn(await preview(90, strangers))).toMatchObject({ rows: 0 });
  expect(await preview(90, reader)).toMatchObject({ status: 403 });
  expect(await preview(0, key)).toMatchObject({
    status: 400,
    json: { error: { problems: [{ path: 'messages_days' }] } },
  });
  expect((await call('GET', path, undefined, { key })).json).toEqual(before.json);
  const left = 'select from conversation_windows where workspace_id = $1';
  expect((await db.$client.query(left, [workspaceId])).rowCount).toBe(3);
});
