// Copies of webhooks through the real receiver and tables, with two receivers as two web processes have them
// (docs/webhooks.md, "Duplicates").
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import { openDatabase, type Database, type Queryable } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { type Arrival, pruneWebhookKeys, startRuns } from '#lib/engine/store/start-runs.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { patientLegs } from '#lib/tasks/testing/patient-legs.ts';
import { insertWorkflow, type InsertedWorkflow } from '#lib/testing/insert-workflow.ts';
import { makeArrival } from '#lib/testing/start-run.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createBodyThread } from '#lib/webhooks/body-thread/client.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { webhookRuntime, type WebhookRuntime } from '#lib/webhooks/runtime.ts';
import type { WebhookAnswer } from '#lib/webhooks/types.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let db: Database;
const closing: (() => Promise<void>)[] = [];
/** Executes first legs, as web processes do. */
let first: WebhookRuntime;
/** Leaves all runs to the workers. */
let second: WebhookRuntime;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'duplicates' });
  const open = (FIRST_LEG: string): WebhookRuntime => {
    const settings = parseSettings({ DATABASE_URL: database.url, FIRST_LEG, ANSWER_TIMEOUT_SECONDS: '10' });
    const runtime = openRuntime('web', settings, logger);
    const thread = createBodyThread(new URL('body-thread.ts', import.meta.url));
    const webhooks = webhookRuntime(runtime, { instantTasks: patientLegs, thread });
    closing.push(
      () => webhooks.close(),
      () => runtime.close(),
    );
    return webhooks;
  };
  first = open('on');
  second = open('off');
});
afterAll(async () => {
  for (const close of closing) await close();
  await db.$client.end();
  await database.drop();
});

const KEY = { deduplicate_by: 'idempotency_key' };
const trigger = (settings: object): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'In',
  settings: { response_type: 'immediate', response_body: '{"at":"{{$now}}","n":{{n}}}', ...settings },
});
const setText: WorkflowTask = {
  id: 2,
  type: 'set_variables',
  name: 'Text',
  settings: { variables: [{ name: 'text', value: 'Order {{task_1_n}} {{$now}}' }] },
};
const graph = (settings: object = KEY): WorkflowGraph => ({
  tasks: [trigger(settings), setText],
  edges: [{ from: 1, to: 2 }],
});
const AFTER = { ...KEY, response_type: 'after_workflow', response_body: '{{task_2_text}}' };
const insert = (settings?: object) => insertWorkflow(db.$client, graph(settings));

interface Sent {
  headers?: Record<string, string>;
  body?: object;
  at?: WebhookRuntime;
  kind?: 'production' | 'test';
}

function post(
  { token }: InsertedWorkflow,
  { headers = { 'idempotency-key': 'one' }, body = { n: 1 }, at = first, kind = 'production' }: Sent = {},
): Promise<WebhookAnswer> {
  const bytes = Buffer.from(JSON.stringify(body));
  return at.receive({
    kind,
    token,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    declaredBytes: bytes.byteLength,
    readBody: async (collect) => collect(bytes),
  });
}

interface StoredEvent {
  id: string;
  outcome: string;
  reason: string | null;
  run_id: string | null;
  duplicate_of: string | null;
}

/** In the order of arrival. */
const eventsOf = async ({ workflowId }: InsertedWorkflow) =>
  (
    await db.$client.query<StoredEvent>(
      'select id, outcome, reason, run_id, duplicate_of from events where workflow_id = $1 order by id',
      [workflowId],
    )
  ).rows;
const outcomesOf = async (workflow: InsertedWorkflow) =>
  (await eventsOf(workflow)).map(({ outcome }) => outcome);
const runsOf = async ({ workflowId }: InsertedWorkflow) =>
  (
    await db.$client.query<{ id: string; status: string }>(
      'select id, status from runs where workflow_id = $1 order by id',
      [workflowId],
    )
  ).rows;
const errorOf = ({ body }: WebhookAnswer) =>
  (JSON.parse(body) as { error: { code: string; message: string } }).error;
const isCopy = ({ headers }: WebhookAnswer): boolean => headers['Idempotent-Replayed'] === 'true';
const withoutMark = ({ status, headers, body }: WebhookAnswer) => {
  const { 'Idempotent-Replayed': _, ...rest } = headers;
  return { status, headers: rest, body };
};

/** Like a worker. */
async function finish(runId: string): Promise<void> {
  const store = createRunStore(db.$client, newId());
  const [run] = await store.take([runId]);
  if (!run) throw new Error('The run is not due.');
  const loaded = await store.loadGraph(run.workflowId, run.version);
  await advanceRun(new RunState(run, loaded, []), {
    store,
    clock: systemClock,
    random: () => 0.5,
    findExecutor,
    renderAnswer: (known, failed) => renderRunAnswer(known, failed, new Date()),
    onUnexpectedError: (error) => {
      throw error;
    },
    stopping: new AbortController().signal,
  });
}

describe('a copy gets the response of the first request, and starts nothing', () => {
  it.each([
    ['immediate', KEY, 200],
    [
      'redirect',
      { ...KEY, response_type: 'redirect', redirect_url: 'https://example.com/?at={{$now}}' },
      302,
    ],
  ])('%s', async (_, settings, status) => {
    const workflow = await insert(settings);
    const original = await post(workflow);
    expect([original.status, isCopy(original)]).toEqual([status, false]);
    for (const at of [first, second]) {
      const copy = await post(workflow, { at });
      expect(isCopy(copy)).toBe(true);
      expect(withoutMark(copy)).toEqual(withoutMark(original));
    }
    const [stored, ...copies] = await eventsOf(workflow);
    expect(stored).toMatchObject({ outcome: 'triggered', duplicate_of: null });
    expect(copies).toHaveLength(2);
    for (const copy of copies)
      expect(copy).toMatchObject({
        outcome: 'duplicate',
        reason: 'It is a copy of an event that was received before.',
        run_id: null,
        duplicate_of: stored?.id,
      });
    expect((await runsOf(workflow)).map(({ id }) => id)).toEqual([stored?.run_id]);
  });

  it('after the workflow, also when it ended long ago in another process', async () => {
    const workflow = await insert(AFTER);
    const original = await post(workflow);
    expect(original.body).toMatch(/^Order 1 /);
    for (const at of [first, second])
      expect(withoutMark(await post(workflow, { at }))).toEqual(withoutMark(original));
    expect(await runsOf(workflow)).toHaveLength(1);
  });

  it('also with another version, whose response would be another one', async () => {
    const workflow = await insert();
    const original = await post(workflow);
    await db.$client.query(
      `with version as (insert into workflow_versions (workflow_id, version, name, graph) values ($1, 2, 'Two', $2))
       update workflows set published_version = 2 where id = $1`,
      [workflow.workflowId, JSON.stringify(graph({ ...KEY, response_body: 'two' }))],
    );
    expect(withoutMark(await post(workflow))).toEqual(withoutMark(original));
    const other = await post(workflow, { headers: { 'idempotency-key': 'two' } });
    expect(other.body).toBe('two');
  });

  it('also while the workflow is paused: the event ran', async () => {
    const workflow = await insert();
    const original = await post(workflow);
    await db.$client.query('update workflows set active = false where id = $1', [workflow.workflowId]);
    expect(withoutMark(await post(workflow))).toEqual(withoutMark(original));
    expect(await outcomesOf(workflow)).toEqual(['triggered', 'duplicate']);
  });
});

describe('a copy that arrives while the first one runs', () => {
  it('waits for its response, in whichever process it is', async () => {
    const workflow = await insert(AFTER);
    const original = post(workflow, { at: second });
    const runs = await vi.waitFor(async () => {
      const found = await runsOf(workflow);
      expect(found).toHaveLength(1);
      return found;
    });
    const copies = [second, second, first].map((at) => post(workflow, { at }));
    await vi.waitFor(async () => expect(await eventsOf(workflow)).toHaveLength(4));
    await finish(runs[0]?.id ?? '');
    const response = withoutMark(await original);
    expect(response.body).toMatch(/^Order 1 /);
    for (const copy of await Promise.all(copies)) {
      expect(isCopy(copy)).toBe(true);
      expect(withoutMark(copy)).toEqual(response);
    }
  });

  it('gets 409 where the trigger says so, and the response later', async () => {
    const workflow = await insert({ ...AFTER, duplicate_while_running: 'refuse' });
    const original = post(workflow, { at: second });
    const run = await vi.waitFor(async () => {
      const [found] = await runsOf(workflow);
      expect(found).toBeDefined();
      return found;
    });
    const early = await post(workflow, { at: second });
    expect([early.status, errorOf(early).code, early.headers['Retry-After']]).toEqual([
      409,
      'duplicate_in_progress',
      '1',
    ]);
    await finish(run?.id ?? '');
    const response = withoutMark(await original);
    expect(withoutMark(await post(workflow))).toEqual(response);
    expect(await outcomesOf(workflow)).toEqual(['triggered', 'duplicate', 'duplicate']);
  });
});

it('another body with the same key is 422 that says what to do, and starts nothing', async () => {
  const workflow = await insert();
  const original = await post(workflow);
  const other = await post(workflow, { body: { n: 2 } });
  expect([other.status, errorOf(other).code]).toEqual([422, 'key_reused']);
  const { message } = errorOf(other);
  expect(message).toContain(original.headers['X-Event-Id']);
  expect(message).toContain('Send a new event with its own key, or the first body unchanged.');
  const [, stored] = await eventsOf(workflow);
  expect(stored).toMatchObject({ id: other.headers['X-Event-Id'], outcome: 'rejected', reason: message });
  expect(await runsOf(workflow)).toHaveLength(1);
});

it('copies and other bodies that arrive together, in one batch and in two processes, give one run a key', async () => {
  const workflow = await insert();
  const keys = ['a', 'b', 'c'];
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      post(workflow, {
        headers: { 'idempotency-key': keys[index % 3] ?? '' },
        body: { n: index % 3 === 2 && index >= 60 ? 3 : 1 },
        at: index % 2 === 0 ? first : second,
      }),
    ),
  );
  expect(await runsOf(workflow)).toHaveLength(3);
  const counts = Map.groupBy(await outcomesOf(workflow), (outcome) => outcome);
  expect(counts.get('triggered')).toHaveLength(3);
  expect(counts.get('duplicate')).toHaveLength(97);
  expect(counts.get('rejected')).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(20);
  const bodies = (at: number) =>
    new Set(
      answers.filter(({ status }, index) => index % 3 === at && status === 200).map(({ body }) => body),
    );
  for (const at of [0, 1, 2]) expect(bodies(at).size).toBe(1);
});

describe('the key', () => {
  it.each([
    ['stripe', {}, { headers: {}, body: { id: 'evt_1', n: 1 } }],
    ['github', {}, { headers: { 'x-github-delivery': 'd-1' } }],
    ['shopify', {}, { headers: { 'x-shopify-event-id': 's-1' } }],
    ['standard_webhooks', {}, { headers: { 'webhook-id': 'msg_1' } }],
    ['chatwoot', {}, { headers: {}, body: { event: 'message_created', id: 7, n: 1 } }],
    ['header', { deduplicate_header: 'X-Request-Id' }, { headers: { 'x-request-id': 'r-1' } }],
    [
      'field',
      { deduplicate_field: 'orders[0].id' },
      { headers: {}, body: { orders: [{ id: 12345678901234567890n.toString() }] } },
    ],
  ])('%s is read where its senders put it', async (deduplicate_by, more, sent: Sent) => {
    const workflow = await insert({ deduplicate_by, ...more });
    for (const at of [first, second]) await post(workflow, { ...sent, at });
    expect(await outcomesOf(workflow)).toEqual(['triggered', 'duplicate']);
  });

  it('of a large body, which is in another thread, is read there', async () => {
    const workflow = await insert({ deduplicate_by: 'field', deduplicate_field: 'id' });
    const body = { id: 'large', filler: 'x'.repeat(300_000) };
    for (const at of [first, second]) await post(workflow, { body, at });
    expect(await outcomesOf(workflow)).toEqual(['triggered', 'duplicate']);
  });

  it('that is missing makes each request a new event', async () => {
    const workflow = await insert();
    await post(workflow, { headers: {} });
    await post(workflow, { headers: { 'idempotency-key': '' } });
    expect(await outcomesOf(workflow)).toEqual(['triggered', 'triggered']);
  });

  it('belongs to its workflow, and the test URL neither asks nor keeps it', async () => {
    const [workflow, other] = [await insert(), await insert()];
    await post(workflow, { kind: 'test' });
    for (const each of [workflow, other]) await post(each);
    await post(workflow, { kind: 'test' });
    expect(await outcomesOf(workflow)).toEqual(['tested', 'triggered', 'tested']);
    expect(await outcomesOf(other)).toEqual(['triggered']);
  });

  it('of a request that started nothing is free', async () => {
    const workflow = await insert({ ...KEY, response_type: 'redirect', redirect_url: '{{next}}' });
    const setActive = (active: boolean) =>
      db.$client.query('update workflows set active = $2 where id = $1', [workflow.workflowId, active]);
    expect((await post(workflow)).status).toBe(422);
    await setActive(false);
    const body = { next: 'https://example.com/' };
    expect((await post(workflow, { body })).status).toBe(409);
    await setActive(true);
    expect((await post(workflow, { body })).status).toBe(302);
    expect(await outcomesOf(workflow)).toEqual(['response_failed', 'not_active', 'triggered']);
  });

  it('is known for 24 hours; then it is free at once, and housekeeping deletes it', async () => {
    const workflow = await insert();
    const countKeys = async () =>
      (await db.$client.query('select 1 from webhook_keys where workflow_id = $1', [workflow.workflowId]))
        .rowCount;
    const age = (hours: number) =>
      db.$client.query(
        'update webhook_keys set received_at = now() - $2 * interval $$1 hour$$ where workflow_id = $1',
        [workflow.workflowId, hours],
      );
    await post(workflow);
    await age(23.9);
    await post(workflow);
    await age(24.1);
    await post(workflow, { body: { n: 2 } });
    await post(workflow, { body: { n: 2 } });
    expect(await outcomesOf(workflow)).toEqual(['triggered', 'duplicate', 'triggered', 'duplicate']);
    await pruneWebhookKeys(db.$client);
    expect(await countKeys()).toBe(1);
    await age(24.1);
    await pruneWebhookKeys(db.$client);
    expect(await countKeys()).toBe(0);
  });
});

it('a copy cannot be replayed: the first one can', async () => {
  const workflow = await insert();
  await post(workflow);
  await post(workflow);
  const [original, copy] = await eventsOf(workflow);
  const ctx = {
    db,
    workspaceId: workflow.workspaceId,
    actor: 'test',
    baseUrl: '',
    secrets: undefined as never,
  };
  await expect(replayEvent(ctx, { id: copy?.id ?? '', repeat: true })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(original?.id ?? '') as string,
  });
  const replay = await replayEvent(ctx, { id: original?.id ?? '', repeat: true });
  expect(replay).toMatchObject({ outcome: 'triggered', duplicate_of: null });
});

it('triggers without the setting use the statements that know no keys', async () => {
  const texts: string[] = [];
  const client = {
    query: async ({ text }: { text: string }) => {
      texts.push(text);
      return { rows: [] };
    },
  } as unknown as Queryable;
  const arrival = (key: boolean): Arrival =>
    makeArrival('', {
      response: {
        version: 1,
        problem: null,
        key: key ? { hash: Buffer.alloc(32), bodyHash: Buffer.alloc(32), answer: null } : undefined,
      },
    });
  await startRuns(client, [arrival(false), arrival(false)]);
  await startRuns(client, [arrival(false), arrival(true)]);
  expect(texts.map((text) => text.includes('webhook_keys'))).toEqual([false, true]);
});

it('stores events with the key that their trigger names, small and large bodies, and without a value none', async () => {
  const workflow = await insert({ search_by: 'Order {{order.number}}' });
  const large = 'x'.repeat(2_000_000);
  const bodies = [{ order: { number: 'Ä 7' } }, { order: { number: 8 }, large }];
  for (const body of bodies) await post(workflow, { body, headers: {} });
  const other = await insert({ search_by: '{{order.number}}' });
  for (const body of [{}, { order: { number: '9'.repeat(201) } }]) await post(other, { body, headers: {} });
  const { rows } = await db.$client.query<{ key: string }>(
    'select k.key from search_keys k join events e on e.id = k.event_id where e.workflow_id = any($1::uuid[]) order by k.event_id',
    [[workflow.workflowId, other.workflowId]],
  );
  expect(rows).toEqual([{ key: 'order ä 7' }, { key: 'order 8' }]);
});
