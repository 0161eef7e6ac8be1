// The examples of docs/task-types.md, each in a workflow that is published and called.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WEEKDAYS } from '#lib/core/time/hours.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { TASK_EXAMPLES } from '#lib/tasks/examples.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { EXAMPLE_CONNECTION, EXAMPLE_WORKFLOW, type TaskExample } from '#lib/tasks/task-example.ts';
import { type DocumentedProduct, startDocumentedProduct } from './testing/documented-product.ts';
import { talkToCustomer } from './testing/talk-to-customer.ts';

const SERVICE = 'https://support.example.com';
const PHONE = '300000000000001';
let product: DocumentedProduct;
let service: Server;
let connectionId: string;
let calledId: string;

beforeAll(async () => {
  // The other system: it gives the ticket a number.
  service = createServer((req, res) => {
    void text(req).then((body) => {
      res.writeHead(201, { 'Content-Type': 'application/json' });
      res.end(JSON.stringify({ id: 4711, ...(JSON.parse(body) as object) }));
    });
  });
  await new Promise<void>((done) => void service.listen(0, '127.0.0.1', done));
  product = await startDocumentedProduct({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });
  const { access_token, refresh_token } = await product.control<Tokens>('tokens', {});
  ({ id: connectionId } = await product.api<{ id: string }>('POST', '/connections', {
    name: 'Harbour Street Books',
    access_token,
    refresh_token,
    business_account_id: '200000000000001',
  }));
  await product.api('POST', `/connections/${connectionId}/notifications`);
  ({ id: calledId } = await product.api<{ id: string }>('POST', '/workflows', {
    name: 'Called by an example',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      {
        id: 2,
        type: 'set_variables',
        settings: { variables: [{ name: 'greeting', value: 'Hi {{task_1_name}}!' }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  }));
  const always = WEEKDAYS.map((day) => [day, [{ from: '00:00', to: '00:00' }]] as const);
  await product.api('PUT', '/workspace/time', { zone: 'UTC', hours: { Shop: Object.fromEntries(always) } });
});
afterAll(async () => {
  service?.close();
  await product?.stop();
});

interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface TaskRun {
  task_id: number;
  status: string;
  output: Record<string, unknown> | null;
}

interface Run {
  status: string;
  tasks: TaskRun[];
}

/** With the values of this installation. */
function here<Value>(value: Value): Value {
  const { port } = service.address() as AddressInfo;
  const written = JSON.stringify(value)
    .replaceAll(EXAMPLE_CONNECTION, connectionId)
    .replaceAll(EXAMPLE_WORKFLOW, calledId)
    .replaceAll(SERVICE, `http://127.0.0.1:${port}`);
  return JSON.parse(written) as Value;
}

async function publish(type: string, { before = [], settings }: TaskExample): Promise<string> {
  const isTrigger = isTriggerType(type);
  const trigger = isTrigger
    ? { id: 1, type, name: 'Start', settings }
    : { id: 1, type: 'inbound_webhook', name: 'Start', settings: {} };
  const task = { id: before.length + 2, type, name: 'Example', settings };
  const tasks = here(isTrigger ? [trigger] : [trigger, ...before, task]);
  const edges = tasks.slice(1).map(({ id }) => ({ from: id - 1, to: id }));
  const created = await product.api<{ webhook: { production_url: string } }>('POST', '/workflows', {
    name: `Example of ${type}`,
    publish: true,
    tasks,
    edges,
  });
  return created.webhook.production_url;
}

const readRun = async (eventId: string): Promise<Run> => {
  const { run_id: runId } = await product.api<{ run_id: string }>('GET', `/events/${eventId}`);
  return product.api<Run>('GET', `/runs/${runId}`);
};

/** Events while the run waits. */
async function act(eventId: string, { meanwhile, event }: TaskExample, customer: Customer): Promise<void> {
  if (!meanwhile) return;
  if ('taps' in meanwhile) return customer.taps('deliver', meanwhile.taps);
  const link = await vi.waitFor(async () => {
    const { tasks } = await readRun(eventId);
    const url = tasks.find(({ output }) => typeof output?.['url'] === 'string')?.output?.['url'];
    expect(url, JSON.stringify(event)).toBeTypeOf('string');
    return String(url);
  }, 20_000);
  const response = await fetch(link, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"decision": "approve"}',
  });
  expect(response.status).toBe(200);
}

type Customer = ReturnType<typeof talkToCustomer>;

/** Writes, and waits until the message is stored: later it would be the answer to the example's question. */
async function opensWindow(customer: Customer, text: string): Promise<void> {
  await customer.writes(text);
  await vi.waitFor(async () => {
    const { data } = await product.api<{ data: { id: string; kind: string }[] }>('GET', '/events?limit=50');
    const received = data.filter(({ kind }) => kind === 'notification');
    const events = await Promise.all(received.map(({ id }) => product.api<object>('GET', `/events/${id}`)));
    expect(JSON.stringify(events)).toContain(text);
  });
}

/** `…` is any text. */
const expected = (output: TaskExample['output']): unknown =>
  JSON.parse(JSON.stringify(output), (_key, value: unknown): unknown =>
    value === '…' ? expect.any(String) : value,
  );

test.each([...TASK_EXAMPLES])('%s', async (type, example) => {
  const definition = findTaskDefinition(type);
  expect(definition && checkSettings(definition, example.settings, 'publish').problems).toEqual([]);

  const from = typeof example.event['from'] === 'string' ? example.event['from'] : '';
  const url = await publish(type, example);
  const customer = talkToCustomer(
    { control: (_method, path, body) => product.control(path, body as object | undefined) },
    { customer: from, phoneId: PHONE, known: new Set() },
  );
  if (from) await opensWindow(customer, `Hello, this is for ${type}.`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(example.event),
  });
  expect(response.status).toBe(200);
  if (isTriggerType(type)) return expect(await response.json()).toEqual(example.output);

  const eventId = response.headers.get('X-Event-Id') ?? '';
  await act(eventId, example, customer);
  const run = await vi.waitFor(async () => {
    const now = await readRun(eventId);
    expect(now.status, JSON.stringify(now, null, 1)).toBe('succeeded');
    return now;
  }, 30_000);
  const taskId = (example.before?.length ?? 0) + 2;
  expect(run.tasks.find(({ task_id }) => task_id === taskId)?.output).toMatchObject(
    expected(example.output) as object,
  );
});
