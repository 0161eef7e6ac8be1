// Exports of thousands of rows through the operations of the API, on a real database.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiRuntime, handleApiRequest } from '#lib/api/route.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { listMessages } from '#lib/messaging/sending/find-message.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { openExport } from './open-export.ts';

const GRAPH = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'Order', settings: {} }], edges: [] };
const NUMBER = '491705556677';
const START_MS = Date.parse('2026-03-01T00:00:00Z');
const STEP_MS = 1000;
const COUNT = 2500;
/** Messages of one statement have the same instant, here more than a batch. */
const SHARED = 700;

let context: TestContext;
let runtime: ApiRuntime;
let editor: string;
let viewer: string;
let strangers: string;
let workflowId: string;

const idOf = (index: number, mark = '8'): string =>
  `${lowestIdAt(START_MS + index * STEP_MS).slice(0, 13)}-7000-${mark}000-${index.toString(16).padStart(12, '0')}`;

beforeAll(async () => {
  context = await createTestContext();
  const { ctx, stranger } = context;
  const { db, secrets, baseUrl } = ctx;
  runtime = { db, secrets, baseUrl, environmentKey: undefined, logger: pino({ level: 'silent' }) };
  const keyOf = async (of: typeof ctx, scope: 'read' | 'edit') =>
    (await createApiKey(of, { name: scope, scope })).key;
  [editor, viewer, strangers] = [
    await keyOf(ctx, 'edit'),
    await keyOf(ctx, 'read'),
    await keyOf(stranger, 'edit'),
  ];
  workflowId = (await insertWorkflow(db.$client, GRAPH, ctx.workspaceId)).workflowId;
  await insertHistory();
  // What logs a failure reads the settings of the process.
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://unused.example/unused'],
    ['BASE_URL', 'http://localhost:3000'],
    ['LOG_LEVEL', 'silent'],
  ] as const)
    vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await context.end();
});

/** Bodies have a customer's number, and what CSV and spreadsheets treat specially. */
async function insertHistory(): Promise<void> {
  const { $client: pool } = context.ctx.db;
  const { workspaceId } = context.ctx;
  const indexes = Array.from({ length: COUNT }, (_, index) => index);
  const [ids, runIds] = [indexes.map((index) => idOf(index)), indexes.map((index) => idOf(index, '9'))];
  const instants = indexes.map((index) => new Date(START_MS + index * STEP_MS));
  const bodies = indexes.map((index) =>
    Buffer.from(`{"index":${index},"from":"${NUMBER}","amount":1.10,"note":"=a, \\"b\\"\\nc"}`),
  );
  await pool.query(
    `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
    select id, $1, $2, 'production', 'triggered', at, '{"authorization":"Bearer abcdefghijklmnopqrstuvwxyz"}', body, run
    from unnest($3::uuid[], $4::timestamptz[], $5::bytea[], $6::uuid[]) as given (id, at, body, run)`,
    [workspaceId, workflowId, ids, instants, bodies, runIds],
  );
  await pool.query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at, error)
    select id, $1, $2, 1, event, 'failed', at, $6::json
    from unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) as given (id, event, at)`,
    [
      workspaceId,
      workflowId,
      runIds,
      ids,
      instants,
      JSON.stringify({ code: 'refused', message: `No account for ${NUMBER}`, task_id: 2 }),
    ],
  );
  const sentAt = instants.map((at, index) => (index < SHARED ? new Date(START_MS) : at));
  await pool.query(
    `insert into sent_messages (workspace_id, message_id, connection_id, phone_number_id, recipient, kind, run_id, task_id,
      iteration, status, status_at, timeline, created_at)
    select $1, 'wamid.' || index, $2, '106540352242922', $3, 'text', run, 2, '0.1', 'delivered', at, '[]', at
    from unnest($4::int[], $5::uuid[], $6::timestamptz[]) as given (index, run, at)`,
    [workspaceId, workflowId, NUMBER, indexes, runIds, sentAt],
  );
}

const ask = (path: string, key = editor, init: RequestInit = {}): Promise<Response> =>
  handleApiRequest(
    runtime,
    new Request(`http://localhost/api/v1/export/${path}`, {
      headers: { authorization: `Bearer ${key}` },
      ...init,
    }),
  );

const ALL = 'from=2026-03-01&to=2026-03-02';

async function read(path: string, key?: string): Promise<Record<string, unknown>[]> {
  const response = await ask(`${path}&format=jsonl`, key);
  expect(response.status).toBe(200);
  const text = await response.text();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a file', () => {
  test('has every event of the span once, newest first, whatever the size of a batch', async () => {
    const rows = await read(`events?${ALL}`);
    expect(rows.map(({ id }) => id)).toEqual(
      Array.from({ length: COUNT }, (_, index) => idOf(COUNT - 1 - index)),
    );
    expect(rows[0]).toMatchObject({
      workflow_name: 'Test workflow',
      outcome: 'triggered',
      body_format: 'json',
      body: { index: COUNT - 1, from: NUMBER, note: '=a, "b"\nc' },
    });
  });

  test('has every run and every message, also those of one millisecond', async () => {
    const runs = await read(`runs?${ALL}`);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(COUNT);
    expect(runs).toHaveLength(COUNT);
    expect(runs[0]).toMatchObject({ status: 'failed', version: 1, error: { code: 'refused', task_id: 2 } });
    const messages = await read(`messages?${ALL}`);
    expect(messages).toHaveLength(COUNT);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(COUNT);
    expect(messages[0]).toMatchObject({
      id: `wamid.${COUNT - 1}`,
      recipient: NUMBER,
      status: 'delivered',
      workflow_id: workflowId,
      workflow_name: 'Test workflow',
      iteration: [0, 1],
    });
  });

  test('reads a batch of messages by the index over their time', async () => {
    const [from, before] = [new Date(START_MS), new Date(START_MS + 2000 * STEP_MS)];
    const { rows } = await readsOfWork(context.ctx.db.$client, () =>
      listMessages(context.ctx, { from, before, rows: 100 }),
    );
    expect(rows['sent_messages']).toBeLessThan(110);
  });

  test.each(['events', 'runs', 'messages'])(
    'of %s begins with its first instant and ends before its last',
    async (kind) => {
      const at = (index: number): string => new Date(START_MS + index * STEP_MS).toISOString();
      const rows = await read(`${kind}?from=${at(800)}&to=${at(1300)}`);
      expect(rows).toHaveLength(500);
      const newest = kind === 'messages' ? 'wamid.1299' : idOf(1299, kind === 'runs' ? '9' : '8');
      const oldest = kind === 'messages' ? 'wamid.800' : idOf(800, kind === 'runs' ? '9' : '8');
      expect([rows[0]?.['id'], rows.at(-1)?.['id']]).toEqual([newest, oldest]);
    },
  );

  test('keeps the digits of numbers, and has one record a row in CSV', async () => {
    const response = await ask(`events?${ALL}&format=csv`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="events-2026-03-01-to-2026-03-02.csv"',
      'cache-control': 'no-store',
    });
    const text = await response.text();
    const [header = '', first = ''] = text.split('\r\n');
    expect(header).toMatch(/^id,received_at,workflow_id,workflow_name,/);
    expect(first).toContain('""amount"":1.10');
    expect(text.split('\r\n')).toHaveLength(COUNT + 2);
    const jsonl = await ask(`runs?${ALL}&format=jsonl`);
    expect(jsonl.headers.get('content-type')).toBe('application/jsonl');
    await jsonl.body?.cancel();
  });

  test('without rows has the header', async () => {
    const response = await ask('runs?from=2020-01-01&to=2020-01-02');
    expect((await response.text()).split('\r\n')).toEqual([expect.stringMatching(/^id,created_at,/), '']);
  });

  test('for spreadsheets begins with a byte order mark', async () => {
    const query = { kind: 'runs', format: 'csv', from: '2020-01-01', to: '2020-01-02' } as const;
    const { content } = await openExport(context.ctx, { role: 'owner', masksNumbers: true }, query, {
      isForSpreadsheets: true,
    });
    const bytes = Buffer.from(await new Response(content).arrayBuffer());
    expect([...bytes.subarray(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64]);
  });
});

describe('who exports', () => {
  test.each(['events', 'runs', 'messages'])('viewers get %s masked as on screen', async (kind) => {
    const response = await ask(`${kind}?${ALL}&format=jsonl`, viewer);
    const text = await response.text();
    expect(text).not.toContain(NUMBER);
    expect(text).toContain('••••6677');
    expect(await (await ask(`${kind}?${ALL}&format=jsonl`)).text()).toContain(NUMBER);
  });

  test('nobody gets the secrets in headers', async () => {
    expect(await (await ask(`events?${ALL}`)).text()).not.toContain('abcdefghij');
  });

  test.each(['events', 'runs', 'messages'])('strangers get none of the %s', async (kind) => {
    expect(await read(`${kind}?${ALL}`, strangers)).toEqual([]);
  });

  test('is recorded with kind, span and format before the first row', async () => {
    const response = await ask(
      'messages?from=2026-03-01T12:00:00%2B02:00&to=2026-03-02&format=jsonl',
      viewer,
    );
    await response.body?.cancel();
    const { data } = await listAuditEntries(context.ctx, { limit: 1 });
    expect(data).toMatchObject([
      {
        action: 'messages.exported',
        actorName: 'API key “read”',
        targetName: '2026-03-01T10:00:00.000Z to 2026-03-02T00:00:00.000Z, jsonl',
      },
    ]);
  });
});

describe('bad input', () => {
  test.each([
    ['from=yesterday', 'from', /Enter a date such as 2026-11-01/],
    ['to=2026-02-30', 'to', /Enter a date such as/],
    ['from=2026-03-01T10:00:00', 'from', /with its offset/],
    ['from=2026-03-02&to=2026-03-01', 'from', /"from" must be before "to"/],
    ['from=2026-03-01&to=2026-03-01', 'from', /must be before/],
    ['format=xlsx', 'format', /one of "csv", "jsonl"/],
    ['form=csv', 'form', /Unknown field: remove it/],
  ])('%s is refused with the parameter and what to do', async (query, path, message) => {
    const response = await ask(`events?${query}`);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { problems: { path: string; message: string }[] } };
    expect(error.problems).toEqual([{ path, message: expect.stringMatching(message) as string }]);
  });

  test('the headers alone begin no export', async () => {
    const before = await listAuditEntries(context.ctx, { limit: 1 });
    expect((await ask(`events?${ALL}`, editor, { method: 'HEAD' })).status).toBe(200);
    expect(await listAuditEntries(context.ctx, { limit: 1 })).toEqual(before);
  });
});

describe('while it is read', () => {
  test('another one of the workspace is refused, one of another workspace is not; then it may start', async () => {
    const first = await ask(`events?${ALL}`);
    const second = await ask(`runs?${ALL}`);
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('10');
    expect(await second.text()).toContain('Another export of this workspace is in progress.');
    await (await ask(`runs?${ALL}`, strangers)).text();
    await first.text();
    expect((await (await ask(`runs?${ALL}`)).text()).length).toBeGreaterThan(0);
  });

  test('nothing is read ahead of a slow reader, and nothing after one that has gone', async () => {
    const response = await ask(`events?${ALL}&format=jsonl`);
    const spy = vi.spyOn(context.ctx.db.$client, 'query');
    const batches = (): number =>
      spy.mock.calls.filter(([text]) => String(text).includes('with newest as')).length;
    const reader = response.body!.getReader();
    await reader.read();
    // Another whole export passes in the meantime.
    await (await ask(`runs?${ALL}`, strangers)).text();
    expect(batches()).toBe(1);
    await reader.read();
    expect(batches()).toBe(2);
    await reader.cancel();
    await (await ask(`runs?${ALL}`)).text();
    expect(batches()).toBe(2);
    spy.mockRestore();
  });

  test('a failure in the middle breaks it off, and the next one may start', async () => {
    const response = await ask(`events?${ALL}&format=jsonl`);
    const reader = response.body!.getReader();
    await reader.read();
    const spy = vi.spyOn(context.ctx.db.$client, 'query').mockImplementation(() => {
      throw new Error('the connection was lost');
    });
    await expect(reader.read()).rejects.toThrow('the connection was lost');
    spy.mockRestore();
    await (await ask(`runs?${ALL}`)).text();
  });

  test('one that nobody reads anymore ends', async () => {
    const query = { kind: 'runs', format: 'csv', from: '2026-03-01', to: '2026-03-02' } as const;
    const { content } = await openExport(context.ctx, { role: 'owner', masksNumbers: true }, query, {
      idleMs: 5,
    });
    const reader = content.getReader();
    await expect(reader.closed).rejects.toThrow('was not read for');
    await (await ask(`runs?${ALL}`)).text();
  });
});
