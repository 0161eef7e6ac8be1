// Rules of the spec that need the whole product and are not a row of the doors' contract (webhook-doors.integration.test.ts).
// docs/webhook-trigger-rules.md lists the test of each rule.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import {
  type Answer,
  chain,
  errorOf,
  setTextTask,
  startWebhookServer,
  triggerTask,
  type WebhookServer,
} from './testing/start-webhook-server.ts';

const PATIENCE_MS = 30_000;
const BYTES_IN_FLIGHT = 1024 * 1024;
const ORDER = {
  name: 'Ann',
  customer: { name: 'Ann', address: { city: 'Oslo' } },
  items: [{ name: 'Desk' }, { name: 'Lamp' }],
  total: 1.5,
  paid: true,
};

let server: WebhookServer;

beforeAll(async () => {
  server = await startWebhookServer({ MAX_BYTES_IN_FLIGHT: String(BYTES_IN_FLIGHT) });
});
afterAll(() => server.stop());

async function post(graph: WorkflowGraph, body: object = ORDER, url = 'webhook'): Promise<Answer> {
  const { token } = await insertWorkflow(server.pool, graph);
  return server.post(`/${url}/${token}`, JSON.stringify(body));
}

const afterWorkflow = (response_body: string): WorkflowTask =>
  triggerTask({ response_type: 'after_workflow', response_body });

interface EventRow {
  kind: string;
  outcome: string;
  body: Buffer;
  headers: Record<string, string>;
  run_id: string | null;
  status: string | null;
}

async function eventOf({ headers }: Answer): Promise<EventRow> {
  const { rows } = await server.pool.query<EventRow>(
    'select e.kind, e.outcome, e.body, e.headers, e.run_id, r.status from events e left join runs r on r.id = e.run_id where e.id = $1',
    [headers['x-event-id']],
  );
  if (!rows[0]) throw new Error('The request left no event.');
  return rows[0];
}

async function taskRunsOf(
  runId: string | null,
): Promise<{ task_id: number; status: string; run_text: string; error: unknown }[]> {
  const { rows } = await server.pool.query<{
    task_id: number;
    status: string;
    run_text: string;
    error: unknown;
  }>('select task_id, status, run_text, error from task_runs where run_id = $1 order by task_id', [runId]);
  return rows;
}

async function expectRunToSucceed(answer: Answer): Promise<void> {
  await vi.waitFor(async () => expect((await eventOf(answer)).status).toBe('succeeded'), {
    timeout: PATIENCE_MS,
  });
  const { run_id } = await eventOf(answer);
  expect((await taskRunsOf(run_id)).map(({ task_id, status }) => [task_id, status])).toEqual([
    [1, 'succeeded'],
    [2, 'succeeded'],
  ]);
}

/** Left to a worker, whatever its duration. */
const shortDelay: WorkflowTask = {
  id: 2,
  type: 'delay',
  name: 'Moment',
  settings: { mode: 'for', amount: '0.1', unit: 'seconds' },
};

describe('spec, "Endpoints", while no worker runs', () => {
  const answered: Answer[] = [];

  it('2, "Limits" 2: the immediate answer comes within a second, before any task has run', async () => {
    const { token } = await insertWorkflow(server.pool, chain(triggerTask(), shortDelay));
    const times: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const started = performance.now();
      const answer = await server.post(`/webhook/${token}`, JSON.stringify(ORDER));
      times.push(performance.now() - started);
      expect(answer.status).toBe(200);
      expect(await eventOf(answer)).toMatchObject({ outcome: 'triggered', status: 'queued' });
      answered.push(answer);
    }
    // The best of several: the machine may be busy.
    expect(Math.min(...times)).toBeLessThan(1_000);
  });

  it('3: the redirect comes before any task has run', async () => {
    const trigger = triggerTask({
      response_type: 'redirect',
      redirect_url: 'https://example.com/{{customer.address.city}}',
    });
    const answer = await post(chain(trigger, shortDelay));
    expect([answer.status, answer.headers.location]).toEqual([302, 'https://example.com/Oslo']);
    expect((await eventOf(answer)).status).toBe('queued');
    answered.push(answer);
  });

  it('2 and 3: the workflows continue in the background', async () => {
    await server.start('worker');
    expect(answered).toHaveLength(6);
    for (const answer of answered) await expectRunToSucceed(answer);
  });
});

describe('spec, "Endpoints"', () => {
  it('4: the answer waits for all child tasks, whatever way they are on', async () => {
    const answer = await post({
      tasks: [
        afterWorkflow('{{task_2_text}} {{task_4_text}} {{task_5_text}}'),
        ...[2, 3, 4, 5].map((id) => setTextTask(id, `t${id}`)),
      ],
      edges: [
        { from: 1, to: 2 },
        { from: 1, to: 3 },
        { from: 3, to: 4 },
        { from: 4, to: 5 },
      ],
    });
    expect(answer).toMatchObject({ status: 200, body: 't2 t4 t5' });
    expect((await eventOf(answer)).status).toBe('succeeded');
  });

  it('2: an XML or plain-text body is returned as written', async () => {
    for (const [response_body, type] of [
      ['<?xml version="1.0"?>\n<ok  a=\'1\'>\n</ok>\n', 'application/xml'],
      ['Thanks,\n  we have it. & < > "\n', 'text/plain; charset=utf-8'],
    ] as const) {
      const answer = await post(chain(triggerTask({ response_body })));
      expect([answer.headers['content-type'], answer.body]).toEqual([type, response_body]);
    }
  });
});

describe('spec, "Variables"', () => {
  const text = '{{name}}|{{Name}}|{{customer.address.city}}|{{task_1_customer_name}}|{{missing}}';

  it('{{<field>}} stands in the immediate response body, case-sensitive; what matches nothing is empty', async () => {
    expect((await post(chain(triggerTask({ response_body: text })))).body).toBe('Ann||Oslo|Ann|');
  });

  it('{{<field>}} stands in the redirect URL', async () => {
    const trigger = triggerTask({
      response_type: 'redirect',
      redirect_url: 'https://example.com/?a={{name}}&b={{Name}}',
    });
    expect((await post(chain(trigger))).headers.location).toBe('https://example.com/?a=Ann&b=');
  });

  it('{{<field>}}, {{task_<id>_<field>}}, _run and _run_text stand in the after-workflow body', async () => {
    const more = '|{{task_2_text}}|{{task_2_run}}|{{task_1_run_text}}|{{task_2_run_text}}|{{task_9_run}}';
    const answer = await post(chain(afterWorkflow(text + more), setTextTask(2, 'set')));
    const expected =
      'Ann||Oslo|Ann||set|true|Inbound data was received and processed successfully.|Set 1 variable.|';
    expect(answer.body).toBe(expected);
  });

  it('{{task_<id>_<field>}}, _run and _run_text stand in child tasks', async () => {
    const value = '{{task_1_name}}|{{task_1_Name}}|{{task_1_run}}|{{task_1_run_text}}|{{task_9_x}}';
    const answer = await post(
      chain(afterWorkflow('{{task_3_text}}'), setTextTask(2, value), setTextTask(3, '{{task_2_text}}')),
    );
    expect(answer.body).toBe('Ann||true|Inbound data was received and processed successfully.|');
  });

  it('{{$now}} and {{$date}} stand in both response bodies', async () => {
    for (const trigger of [
      triggerTask({ response_body: '{{$now}} {{$date}}' }),
      afterWorkflow('{{$now}} {{$date}}'),
    ]) {
      const before = Date.now();
      const { body } = await post(chain(trigger));
      const [now = '', date] = body.split(' ');
      expect(now).toBe(new Date(now).toISOString());
      expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
      expect(date).toBe(now.slice(0, 10));
    }
  });
});

describe('spec, "Trigger output and flattening", in a child task', () => {
  const valueOf = async (value: string): Promise<unknown> => {
    const answer = await post(chain(afterWorkflow('{"value":{{task_2_text}}}'), setTextTask(2, value)));
    return (JSON.parse(answer.body) as { value: unknown }).value;
  };

  it.each([
    ['1: a top-level field', '{{task_1_total}}', 1.5],
    ['2: nested keys joined by underscores', '{{task_1_customer_address_city}}', 'Oslo'],
    [
      '3: array elements by zero-based index',
      '{{task_1_items_0_name}}{{task_1_items_1_name}}{{task_1_items_2_name}}',
      'DeskLamp',
    ],
    ['4: JSON notation', '{{task_1.JSON.customer.name}} {{task_1.JSON.items[0].name}}', 'Ann Desk'],
    [
      '5: dot notation on the flattened name',
      '{{task_1_customer.name}} {{task_1_customer.address.city}}',
      'Ann Oslo',
    ],
    ['6: a top-level scalar keeps its type', '{{task_1_paid}}', true],
    ['6: a top-level array keeps its type', '{{task_1_items}}', ORDER.items],
  ])('%s', async (_rule, variable, expected) => {
    expect(await valueOf(variable)).toEqual(expected);
  });

  it('4: a Loop goes over an array by JSON notation', async () => {
    const loop: WorkflowTask = {
      id: 2,
      type: 'loop',
      name: 'Items',
      settings: { items: '{{task_1.JSON.items}}', pause_seconds: 0, on_item_failure: 'stop' },
    };
    const answer = await post({
      tasks: [afterWorkflow('{{task_2_count}}'), loop, setTextTask(3, '{{task_2_item_name}}')],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
      ],
    });
    expect(answer.body).toBe('2');
    const { run_id } = await eventOf(answer);
    const { rows } = await server.pool.query<{ output: string }>(
      'select output from task_runs where run_id = $1 and task_id = 3 order by iteration',
      [run_id],
    );
    expect(rows.map(({ output }) => JSON.parse(output) as unknown)).toEqual([
      { text: 'Desk' },
      { text: 'Lamp' },
    ]);
  });
});

describe('spec, "Events"', () => {
  it('1: every request to either URL is an event that holds the incoming data', async () => {
    const { token, workflowId } = await insertWorkflow(
      server.pool,
      chain(triggerTask(), setTextTask(2, 'x')),
    );
    const body = '{"n": 1.10, "text": "\\u00e9"}';
    for (const [url, kind] of [
      ['webhook', 'production'],
      ['webhook-test', 'test'],
      ['webhook', 'production'],
    ] as const) {
      const event = await eventOf(await server.post(`/${url}/${token}`, body));
      expect(event).toMatchObject({ kind, headers: { 'content-type': 'application/json' } });
      expect(event.body.toString()).toBe(body);
    }
    const { rows } = await server.pool.query('select 1 from events where workflow_id = $1', [workflowId]);
    expect(rows).toHaveLength(3);
  });

  it('2: child tasks run for requests to the production URL only', async () => {
    const graph = chain(triggerTask(), setTextTask(2, 'x'));
    const tested = await post(graph, ORDER, 'webhook-test');
    expect(tested.status).toBe(200);
    expect(tested.body).not.toContain('task_2');
    expect(await eventOf(tested)).toMatchObject({ outcome: 'tested', run_id: null });
    await expectRunToSucceed(await post(graph));
  });

  it('3: the trigger sends nothing to anybody, whatever addresses it is given', async () => {
    const requests: string[] = [];
    const sink = createServer((req, res) => {
      requests.push(`${req.method} ${req.url}`);
      res.end();
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/x`;
    const body = { url: address, callback_url: address, webhook: { url: address } };
    for (const response_type of ['immediate', 'redirect', 'after_workflow']) {
      const trigger = triggerTask({ response_type, redirect_url: address, response_body: address });
      await expectRunToSucceed(await post(chain(trigger, setTextTask(2, '{{task_1_url}}')), body));
    }
    expect(requests).toEqual([]);
    await new Promise((resolve) => sink.close(resolve));
  });
});

describe('spec, "Errors"', () => {
  it('a workflow that fails answers with an error, and its log has the details', async () => {
    const failing = setTextTask(2, '{{#each task_1_items}}{{/if}}');
    const answer = await post(chain(afterWorkflow('{}'), setTextTask(3, 'x'), failing));
    expect([answer.status, errorOf(answer).code]).toEqual([500, 'workflow_failed']);
    const { run_id, status } = await eventOf(answer);
    expect(status).toBe('failed');
    const log = await taskRunsOf(run_id);
    expect(log.map(({ task_id, status: each }) => [task_id, each])).toEqual([
      [1, 'succeeded'],
      [2, 'failed'],
      [3, 'succeeded'],
    ]);
    expect(log[1]?.error).toMatchObject({ code: 'invalid_text' });
    expect(log[1]?.run_text).toContain('cannot be filled in');
  });
});

describe('spec, "Limits" 4 and docs/webhooks.md: rates', () => {
  it('a workspace that sends more than its rate is told 429 with Retry-After, and no event is kept', async () => {
    const { token, workspaceId, workflowId } = await insertWorkflow(server.pool, chain(triggerTask()));
    await server.pool.query('update workspaces set webhook_rate_per_second = 1 where id = $1', [workspaceId]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.post(`/webhook/${token}`, '{}')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(accepted.length + refused.length).toBe(20);
    for (const answer of refused) {
      expect(errorOf(answer).code).toBe('rate_limited');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    const { rows } = await server.pool.query('select 1 from events where workflow_id = $1', [workflowId]);
    expect(rows).toHaveLength(accepted.length);
  });

  it('more bytes in flight than the server holds are told 503 with Retry-After, and no event is kept', async () => {
    const { token, workflowId } = await insertWorkflow(server.pool, chain(triggerTask()));
    const tooMuch = JSON.stringify({ a: 'x'.repeat(BYTES_IN_FLIGHT) });
    const answer = await server.post(`/webhook/${token}`, tooMuch);
    expect([answer.status, errorOf(answer).code]).toEqual([503, 'overloaded']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await server.post(`/webhook/${token}`, '{}')).status).toBe(200);
    const { rows } = await server.pool.query('select 1 from events where workflow_id = $1', [workflowId]);
    expect(rows).toHaveLength(1);
  });
});
