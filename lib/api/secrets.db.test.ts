// Secrets of tasks' settings over the REST API and in a run: stored, used, and never shown.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handleApiRequest } from '#lib/api/route.ts';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type TaskExecutor, TaskError } from '#lib/engine/task-executor.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { done, TestEngine } from '#lib/runs/testing/test-engine.ts';
import { httpRequest } from '#lib/tasks/http-request/definition.ts';
import { setVariables } from '#lib/tasks/set-variables/definition.ts';
import { setVariablesExecutor } from '#lib/tasks/set-variables/execute.ts';
import { revealSettings, withSecrets } from '#lib/tasks/with-secrets.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { exportWorkflow } from '#lib/workflows/create-workflow.ts';
import { getVersion } from '#lib/workflows/versions.ts';
import { importWorkflow } from '#lib/workflows/import-workflow.ts';
import { publishWorkflow } from '#lib/workflows/publish-workflow.ts';
import { saveDraft } from '#lib/workflows/save-draft.ts';
import { tryTask } from '#lib/editor/try-task.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import type { Context } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { listSecretIds, loadSecrets, pruneSecrets } from '#lib/secrets/stored-secrets.ts';
import { sealStoredGraphs } from '#lib/workflows/seal-stored-graphs.ts';

const [HEADER, PASSWORD, QUERY, BODY, TAIL] = [
  'hdr-7c1f0e',
  'pass-word-9',
  'query-55aa',
  'body-secret-1',
  'tail-3141',
] as const;
const SECRETS = [HEADER, PASSWORD, QUERY, BODY, TAIL];
const SETTINGS = {
  method: 'POST',
  url: `https://user:${PASSWORD}@example.com/{{task_1_path}}?api_key=${QUERY}`,
  headers: [
    { name: 'Authorization', value: `Bearer ${HEADER}` },
    { name: 'X-Token', value: `{{task_1_part}}-${TAIL}` },
    { name: 'X-Session', value: 'Bearer {{task_1_token}}' },
    { name: 'Accept', value: 'text/plain' },
  ],
  body_type: 'json',
  body: `{"login": {"password": "${BODY}"}, "order": {{task_1_order}}}`,
};
const drawn = (settings: Record<string, unknown> = SETTINGS) => ({
  name: 'Secrets',
  tasks: [
    { id: 1, type: 'inbound_webhook', settings: {} },
    { id: 2, type: 'http_request', name: 'Call', settings },
  ],
  edges: [{ from: 1, to: 2 }],
});

let context: TestContext;
let engine: TestEngine;
const keys = new Map<Context, string>();
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  for (const ctx of [context.ctx, context.stranger])
    keys.set(ctx, (await createApiKey(ctx, { name: 'Test' })).key);
});
afterAll(() => context.end());

async function call<Body = Workflow>(
  method: string,
  path: string,
  body?: unknown,
  ctx = context.ctx,
): Promise<{ status: number; text: string; json: Body }> {
  const { db, secrets, baseUrl } = ctx;
  const runtime = { db, secrets, baseUrl, environmentKey: undefined, logger: pino({ level: 'silent' }) };
  const response = await handleApiRequest(
    runtime,
    new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${keys.get(ctx)}`, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text || 'null') as Body };
}

const shownIn = (text: string): string[] => SECRETS.filter((secret) => text.includes(secret));
const settingsOf = ({ tasks }: Pick<Workflow, 'tasks'>) => tasks[1]?.settings ?? {};
const make = async (): Promise<Workflow> => (await call('POST', '/workflows', drawn())).json;

/** The settings of the executed task in a run of the published version. */
async function settingsInRun(workflow: Workflow): Promise<Record<string, unknown>> {
  let used: Record<string, unknown> = {};
  engine.call = ({ settings }) => {
    used = settings;
    return done();
  };
  const { runId } = await engine.receive(workflow);
  await engine.advance(runId);
  return used;
}

test('no answer holds a secret, nor does a row; variables and what is no secret stay readable', async () => {
  const { id } = await make();
  const answers = [
    await call('GET', `/workflows/${id}`),
    await call('GET', '/workflows'),
    await call('POST', `/workflows/${id}/publish`),
    await call('GET', `/workflows/${id}/export`),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(shownIn(text)).toEqual([]);
    expect(text).toContain('Bearer {{task_1_token}}');
    expect(text).toContain('text/plain');
    expect(text).toContain('https://••••••');
  }
  const { rows } = await context.ctx.db.$client.query<{ dump: string }>(
    `select string_agg(t::text, ' ') as dump from (
      select draft::text from workflows union all select graph::text from workflow_versions
      union all select s::text from setting_secrets s union all select a::text from audit_entries a) t`,
  );
  expect(shownIn(rows[0]?.dump ?? '')).toEqual([]);
});

test('an export has neither ids nor the token of the URLs; imported, it says which secrets are to be entered', async () => {
  const { id, webhook } = await make();
  const { text } = await call('GET', `/workflows/${id}/export`);
  expect(text).not.toContain(webhook.token);
  expect(text).not.toContain(id);
  expect(JSON.stringify(await exportWorkflow(context.ctx, { id }))).toBe(text);
  const imported = await importWorkflow(context.ctx, { text, connections: {} });
  const refused = await call<{ error: unknown }>('POST', `/workflows/${imported.id}/publish`);
  expect(refused.status).toBe(422);
  expect(refused.json.error).toMatchObject({
    problems: [
      { path: 'tasks[1].settings.url', message: 'Enter the secret in "URL": replace ••••••.' },
      { path: 'tasks[1].settings.headers[0].value', message: 'Enter the value of header Authorization.' },
      { path: 'tasks[1].settings.headers[1].value', message: 'Enter the value of header X-Token.' },
      {
        path: 'tasks[1].settings.body',
        message: 'Enter the value of password in "Body content": replace ••••••.',
      },
    ],
  });
});

test('what was read and sent back keeps its secrets, also in another order, and in a copy', async () => {
  const made = await make();
  const { json: read } = await call('GET', `/workflows/${made.id}`);
  const headers = (settingsOf(read)['headers'] as unknown[]).toReversed();
  const changed = {
    ...read,
    tasks: [read.tasks[0], { ...read.tasks[1], settings: { ...settingsOf(read), headers } }],
  };
  expect((await call('PUT', `/workflows/${made.id}`, changed)).status).toBe(200);
  const published = (await call('POST', `/workflows/${made.id}/publish`)).json;
  expect(await settingsInRun(published)).toMatchObject({
    ...SETTINGS,
    headers: SETTINGS.headers.toReversed(),
  });

  const copy = (await call('POST', '/workflows', { ...read, publish: true })).json;
  expect(await settingsInRun(copy)).toMatchObject(SETTINGS);
});

test('a secret is replaced alone: the others stay', async () => {
  const { id, ...read } = await make();
  const settings = settingsOf(read);
  const [, ...others] = settings['headers'] as unknown[];
  const headers = [{ name: 'Authorization', value: 'Bearer new-value-1' }, ...others];
  const tasks = [read.tasks[0], { ...read.tasks[1], settings: { ...settings, headers } }];
  expect((await call('PUT', `/workflows/${id}`, { ...read, tasks })).text).not.toContain('new-value-1');
  const published = (await call('POST', `/workflows/${id}/publish`)).json;
  const [, ...same] = SETTINGS.headers;
  expect(await settingsInRun(published)).toMatchObject({
    ...SETTINGS,
    headers: [{ name: 'Authorization', value: 'Bearer new-value-1' }, ...same],
  });
});

test('another workspace cannot use a placeholder that it got hold of', async () => {
  const { json: read } = await call('GET', `/workflows/${(await make()).id}`);
  const { json: theirs } = await call('POST', '/workflows', read, context.stranger);
  expect(JSON.stringify(theirs)).not.toMatch(/••••••\(/);
  expect((await call('POST', `/workflows/${theirs.id}/publish`, undefined, context.stranger)).status).toBe(
    422,
  );
});

test('a removed secret comes back by undo and with an older version', async () => {
  const made = await make();
  const { id } = made;
  const first = await publishWorkflow(context.ctx, { id });
  const save = async (revision: number, settings: Record<string, unknown>) =>
    saveDraft(context.ctx, { ...drawn(settings), id, draft_revision: revision });
  const removed = await save(first.draft_revision, { url: 'https://example.com' });
  await publishWorkflow(context.ctx, { id });
  await pruneSecrets(context.ctx.db.$client);
  const undone = await save(removed.revision, settingsOf(made));
  expect(undone.sealed).toEqual([]);
  expect(await settingsInRun(await publishWorkflow(context.ctx, { id }))).toMatchObject(SETTINGS);
  await save(undone.revision, settingsOf(await getVersion(context.ctx, { id, version: 1 })));
  expect(await settingsInRun(await publishWorkflow(context.ctx, { id }))).toMatchObject(SETTINGS);
});

test('the editor is told what stands for the secrets that it sent', async () => {
  const made = await make();
  const saved = await saveDraft(context.ctx, { ...drawn(), id: made.id, draft_revision: 1 });
  expect(saved.sealed).toEqual([made.tasks[1]]);
});

test('a body that is JSON keeps the types of its secrets', async () => {
  const body = { pin: 123456, note: 'open', nested: [{ client_secret: 'cs-1', amount: 5 }] };
  const settings = { url: 'https://example.com', method: 'POST', body_type: 'json', body };
  const { json } = await call('POST', '/workflows', { ...drawn(settings), publish: true });
  expect(settingsOf(json)['body']).toEqual({
    pin: expect.stringMatching(/^••••••\([\w-]{16}\)$/) as string,
    note: 'open',
    nested: [{ client_secret: expect.stringMatching(/^••••••\([\w-]{16}\)$/) as string, amount: 5 }],
  });
  expect(await settingsInRun(json)).toMatchObject({ body });
});

test('what a service answers is shown, and an error recorded, without the secrets that it repeats', async () => {
  const workflow = (await call('POST', '/workflows', { ...drawn(), publish: true })).json;
  engine.call = ({ settings }) => done({ echo: JSON.stringify(settings), [`${HEADER}`]: [BODY] });
  const first = await engine.receive(workflow);
  await engine.advance(first.runId);
  const { text } = await call('GET', `/runs/${first.runId}`);
  expect(text).toContain('••••••');
  expect(shownIn(text)).toEqual([]);

  engine.call = ({ settings }) => {
    throw new TaskError('refused', `Not for ${String(settings['url'])}`, {
      details: { said: [`${HEADER}!`] },
    });
  };
  const second = await engine.receive(workflow);
  await engine.advance(second.runId);
  const { rows } = await context.ctx.db.$client.query<{ dump: string }>(
    `select r::text || t::text as dump from runs r join task_runs t on t.run_id = r.id and t.task_id = 2 where r.id = $1`,
    [second.runId],
  );
  expect(rows[0]?.dump).toContain('Not for https://user:••••••@');
  expect(shownIn(rows[0]?.dump ?? '')).toEqual([]);
});

test('tried alone, a task is sent the secrets of its settings and of what was tried before; no answer shows them', async () => {
  const settings = {
    url: 'https://example.com',
    headers: [{ name: 'X-Token', value: '{{task_3_api_key}}' }],
  };
  const { json } = await call('POST', '/workflows', {
    ...drawn(),
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      { id: 3, type: 'set_variables', settings: { variables: [{ name: 'api_key', value: HEADER }] } },
      { id: 2, type: 'http_request', settings },
    ],
    edges: [
      { from: 1, to: 3 },
      { from: 3, to: 2 },
    ],
  });
  const source = () => Promise.resolve({ ...context.ctx, pool: context.ctx.db.$client });
  const echo: TaskExecutor = {
    execute: ({ scope }) => done({ echo: scope.resolve('task_3_api_key') ?? null }),
  };
  const findExecutor = (type: string) =>
    type === 'http_request'
      ? withSecrets(echo, httpRequest, source)
      : withSecrets(setVariablesExecutor, setVariables, source);
  const attempt = async (task_id: number, tried: Record<string, string>) => {
    const result = await tryTask(context.ctx, { id: json.id, task_id, tried, confirmed: true }, findExecutor);
    expect(shownIn(JSON.stringify(result))).toEqual([]);
    return result.kind === 'succeeded' ? result.outputText : JSON.stringify(result);
  };
  const first = await attempt(3, {});
  expect(first).toMatch(/^\{"api_key":"••••••\([\w-]{16}\)"\}$/);
  expect(await attempt(2, { 3: first })).toBe(first.replace('api_key', 'echo'));
});

test('a secret that is gone fails its task by name, not the run by accident', async () => {
  const settings = { ...SETTINGS, headers: [{ name: 'Authorization', value: `Bearer ${newId()}` }] };
  const workflow = (await call('POST', '/workflows', { ...drawn(settings), publish: true })).json;
  const [, id] = /Bearer ••••••\(([\w-]{16})\)/.exec(JSON.stringify(workflow)) ?? [];
  await context.ctx.db.$client.query('delete from setting_secrets where id = $1', [id]);
  const { runId } = await engine.receive(workflow);
  await engine.advance(runId);
  const run = (await call<{ error: unknown }>('GET', `/runs/${runId}`)).json;
  expect(run.error).toMatchObject({ code: 'missing_secret', task_id: 2 });
});

test('what nothing refers to is pruned after a month', async () => {
  const { id } = await make();
  await publishWorkflow(context.ctx, { id });
  const ofNobody = await call(
    'POST',
    '/workflows',
    drawn({ ...SETTINGS, url: 'https://x:lonely-secret@a.example' }),
  );
  const [, lonely] = /https:\/\/••••••\(([\w-]{16})\)/.exec(ofNobody.text) ?? [];
  await call('PUT', `/workflows/${ofNobody.json.id}`, drawn());
  const pool = context.ctx.db.$client;
  const list = async () =>
    (await pool.query<{ id: string }>('select id from setting_secrets')).rows.map((row) => row.id);
  await pruneSecrets(pool);
  expect(await list()).toContain(lonely);
  await pool.query(`update setting_secrets set used_at = now() - interval '31 days'`);
  await pruneSecrets(pool);
  expect(await list()).not.toContain(lonely);
  expect((await call('POST', `/workflows/${id}/publish`)).status).toBe(200);
  expect(await settingsInRun((await call('GET', `/workflows/${id}`)).json)).toMatchObject(SETTINGS);
});

test('drafts and versions that were written before are sealed when the product starts, and run as before', async () => {
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 2, name: 'older-drafts' });
  const graph = { ...drawn(), tasks: drawn().tasks.map((task) => ({ name: task.type, ...task })) };
  const { workflowId, workspaceId } = await insertWorkflow(db.$client, graph);
  for (let start = 0; start < 2; start += 1) await sealStoredGraphs(database.url, keys);
  const { rows } = await db.$client.query<{ draft: WorkflowGraph; graph: WorkflowGraph }>(
    'select draft, graph from workflows join workflow_versions on workflow_id = id where id = $1',
    [workflowId],
  );
  const [row] = rows;
  expect(shownIn(JSON.stringify(row))).toEqual([]);
  expect(row?.draft).toEqual(row?.graph);
  const settings = row?.graph.tasks[1]?.settings ?? {};
  const source = { pool: db.$client, secrets: createSecretBox(keys), workspaceId };
  const values = await loadSecrets(source, listSecretIds({ tasks: row?.graph.tasks ?? [] }));
  expect(revealSettings(settings, values)).toEqual(SETTINGS);
  await db.$client.end();
  await database.drop();
});

test('a draft that cannot be published is refused as before, and stores nothing', async () => {
  const { rows } = await context.ctx.db.$client.query('select from setting_secrets');
  const input = { ...drawn({ headers: [{ name: 'X-Token', value: newId() }] }), publish: true };
  expect((await call('POST', '/workflows', input)).status).toBe(422);
  const after = await context.ctx.db.$client.query('select from setting_secrets');
  expect(after.rows).toHaveLength(rows.length);
  await expect(getVersion(context.ctx, { id: newId(), version: 1 })).rejects.toThrow(AppError);
});
