// Alerts that are sent: to a receiver that verifies signatures, and to workflows.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { makeJobsDue, workOff } from '#lib/core/queue/testing/work-off.ts';
import { startTestServer } from '#lib/core/http/testing/test-server.ts';
import { createDestination, deleteDestination } from '../destinations/save-destination.ts';
import { recordFailures } from '#lib/alerts/failures/record-failures.ts';
import { alertDeliveries, alertDestinations, alerts, alertStates } from '../schema.ts';
import { testDestination } from '../test-destination.ts';
import { AlertWorld } from '../testing/alert-world.ts';
import { retryDelivery } from './retry-delivery.ts';
import { adoptDeliveries, createDeliveryHandler } from './deliver-alert.ts';
import { DELIVER_ALERT } from './delivery-types.ts';

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let world: AlertWorld;
let origin: string;
let received: Received[];
let statuses: number[];
/** Answers in place of the next of `statuses`. */
let answer: ((response: ServerResponse, url: string) => void) | undefined;

beforeAll(async () => {
  world = await AlertWorld.open();
  const { settings } = world.runtime;
  world.runtime = { ...world.runtime, settings: { ...settings, ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } };
});
afterAll(async () => {
  await world.end();
});
beforeEach(async () => {
  received = [];
  statuses = [];
  answer = undefined;
  ({ origin } = await startTestServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '' } = request;
      received.push({ url, headers, body: Buffer.concat(chunks).toString() });
      if (answer) answer(response, url);
      else response.writeHead(statuses.shift() ?? 204).end();
    });
  }));
});
afterEach(async () => {
  for (const table of [alerts, alertStates, alertDestinations]) await world.ctx.db.delete(table);
});

/** Verifies as specified by Standard Webhooks. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  const [version, given = ''] = (headers['webhook-signature'] as string).split(',');
  const isFresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300;
  return version === 'v1' && isFresh && timingSafeEqual(expected, Buffer.from(given, 'base64'));
}

const addWebhook = (path = '/alerts') =>
  createDestination(world.ctx, {
    name: 'On call',
    config: { channel: 'webhook', url: origin + path },
    kinds: ['run_failed'],
    enabled: true,
  });
const addWorkflow = (workflowId: string) =>
  createDestination(world.ctx, {
    name: 'Handler',
    config: { channel: 'workflow', workflow_id: workflowId },
    kinds: ['run_failed'],
    enabled: true,
  });
const deliveriesOf = async (channel: string) =>
  (await world.alerts()).flatMap(({ deliveries }) => deliveries.filter((each) => each.channel === channel));
const sendDue = (runtime = world.runtime) => workOff(world.ctx.db.$client, createDeliveryHandler(runtime));
const makeDue = () => makeJobsDue(world.ctx.db.$client, DELIVER_ALERT);

test('a webhook gets the alert with a signature that its receiver can check', async () => {
  const { secret } = await addWebhook();
  const workflow = await world.publish('Orders');
  const runId = await world.fail(workflow);
  await recordFailures(world.runtime);
  await Promise.all([1, 2].map(() => sendDue()));
  const [message, ...others] = received as [Received, ...Received[]];
  expect(others).toEqual([]);
  expect(isSigned(message, secret ?? '')).toBe(true);
  expect(isSigned({ ...message, body: `${message.body} ` }, secret ?? '')).toBe(false);
  expect(JSON.parse(message.body)).toMatchObject({
    type: 'alert.run_failed',
    data: {
      title: '“Orders”: a run failed',
      workflow_id: workflow.id,
      run_id: runId,
      count: 1,
      url: `https://patchbay.example/runs/${runId}`,
    },
  });
  expect(message.body).not.toContain('491715550123');
  expect(await deliveriesOf('webhook')).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  expect(JSON.stringify(await world.ctx.db.select().from(alertDestinations))).not.toContain(secret);
});

test('an attempt that fails is repeated later under the same id, until it is accepted', async () => {
  await addWebhook();
  await world.fail(await world.publish());
  await recordFailures(world.runtime);
  statuses = [500, 503];
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await sendDue();
    await sendDue();
    expect(received).toHaveLength(attempt);
    await makeDue();
  }
  await sendDue();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await deliveriesOf('webhook')).toMatchObject([{ state: 'delivered', attempts: 3, problem: null }]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['long', (response) => response.end('x'.repeat(100_000))],
  ['compressed', (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('thanks'))],
  ['cut off', (response) => response.write('x', () => response.destroy())],
])('what was accepted is not sent again, though the answer is %s', async (_how, end) => {
  const { id } = await addWebhook();
  answer = (response) => end(response.setHeader('connection', 'close'));
  await testDestination({ ...world.ctx, ...world.runtime }, { id });
  await sendDue();
  expect(await deliveriesOf('webhook')).toMatchObject([{ state: 'delivered', attempts: 1, problem: null }]);
});

test('a receiver that does not answer holds up no other', async () => {
  const unanswered = new Set<ServerResponse>();
  answer = (response, url) => (url === '/silent' ? unanswered.add(response) : response.writeHead(204).end());
  const { id: silent } = await addWebhook('/silent');
  const { id: quick } = await addWebhook('/quick');
  for (const id of [silent, ...Array<string>(14).fill(quick)])
    await testDestination({ ...world.ctx, ...world.runtime }, { id });
  const sending = sendDue();
  await vi.waitFor(() => expect(received).toHaveLength(15), { interval: 20 });
  expect(unanswered.size).toBe(1);
  for (const response of unanswered) response.writeHead(204).end();
  await sending;
  expect((await deliveriesOf('webhook')).filter(({ state }) => state !== 'delivered')).toEqual([]);
});

test('a receiver that is gone, a private address and a deleted destination are final, and can be tried again', async () => {
  const { id } = await addWebhook();
  statuses = [410];
  await testDestination({ ...world.ctx, ...world.runtime }, { id });
  await sendDue();
  const [gone] = await deliveriesOf('webhook');
  expect(gone).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('answered 410') as unknown,
  });
  await retryDelivery({ ...world.ctx, settings: world.runtime.settings }, { id: gone?.id ?? '' });
  await sendDue();
  expect(await deliveriesOf('webhook')).toMatchObject([{ state: 'delivered' }]);
  expect(JSON.parse(received.at(-1)?.body ?? '')).toMatchObject({ type: 'alert.test' });
  await expect(
    retryDelivery({ ...world.ctx, settings: world.runtime.settings }, { id: gone?.id ?? '' }),
  ).rejects.toMatchObject({ code: 'conflict' });

  const strict = { ...world.runtime.settings, ALLOWED_PRIVATE_HOSTS: '' };
  await testDestination({ ...world.ctx, ...world.runtime }, { id });
  await sendDue({ ...world.runtime, settings: strict });
  expect((await deliveriesOf('webhook')).at(-1)?.problem).toContain('not a public address');

  await testDestination({ ...world.ctx, ...world.runtime }, { id });
  await deleteDestination(world.ctx, { id });
  await sendDue();
  expect((await deliveriesOf('webhook')).at(-1)?.problem).toBe('The destination was deleted.');
  expect(received).toHaveLength(2);
});

test('a workflow is started with the alert as its payload, once; its own failure starts none', async () => {
  const handler = await world.publish('Handler');
  await addWorkflow(handler.id);
  await world.fail(await world.publish('Orders'));
  await recordFailures(world.runtime);
  await Promise.all([1, 2].map(() => sendDue()));
  const { rows } = await world.ctx.db.$client.query<{ body: Buffer; run_id: string; outcome: string }>(
    'select body, run_id, outcome from events where workflow_id = $1',
    [handler.id],
  );
  expect(rows).toMatchObject([{ outcome: 'triggered' }]);
  expect(JSON.parse(rows[0]?.body.toString() ?? '')).toMatchObject({ type: 'alert.run_failed' });
  expect(await deliveriesOf('workflow')).toMatchObject([{ state: 'delivered', target: 'Handler' }]);

  await world.engine.advance(rows[0]?.run_id ?? '');
  await recordFailures(world.runtime);
  await sendDue();
  const [, own] = await world.alerts();
  expect(own).toMatchObject({ title: '“Handler”: a run failed', deliveries: [{ channel: 'email' }] });
  expect(
    (await world.ctx.db.$client.query('select from events where workflow_id = $1', [handler.id])).rowCount,
  ).toBe(1);
});

test('a workflow that is not published does not start, and the alert says why', async () => {
  const handler = await world.publish('Handler');
  await addWorkflow(handler.id);
  await world.ctx.db.$client.query('update workflows set active = false where id = $1', [handler.id]);
  await world.fail(await world.publish());
  await recordFailures(world.runtime);
  await sendDue();
  expect(await deliveriesOf('workflow')).toMatchObject([
    { state: 'failed', problem: expect.stringContaining('not published, or paused') as unknown },
  ]);
});

test('what fails for a day is given up, and its job with it', async () => {
  await addWebhook();
  await world.fail(await world.publish());
  await recordFailures(world.runtime);
  answer = (response) => response.writeHead(503).end();
  await world.ctx.db.update(alertDeliveries).set({ attempts: 15 });
  await sendDue();
  expect(await deliveriesOf('webhook')).toMatchObject([{ state: 'failed', attempts: 16 }]);
  await makeDue();
  await sendDue();
  expect(received).toHaveLength(1);
});

test('what a process of 0.2.0 queued is sent once, unless a worker of that version has it', async () => {
  const { id } = await addWebhook();
  for (let n = 0; n < 2; n += 1) await testDestination({ ...world.ctx, ...world.runtime }, { id });
  await world.ctx.db.$client.query('delete from graphile_worker._private_jobs');
  const [first, second] = await deliveriesOf('webhook');
  const setDueAt = (delivery: string | undefined, dueAt: Date) =>
    world.ctx.db
      .update(alertDeliveries)
      .set({ dueAt })
      .where(eq(alertDeliveries.id, delivery ?? ''));
  await setDueAt(first?.id, new Date(0));
  await setDueAt(second?.id, new Date(Date.now() + 120_000));
  await Promise.all([1, 2].map(() => adoptDeliveries(world.runtime)));
  await sendDue();
  expect(received).toHaveLength(1);
  expect((await deliveriesOf('webhook')).map(({ state }) => state).toSorted()).toEqual([
    'delivered',
    'waiting',
  ]);
});

test('a workflow is started once by two workers that have the same job', async () => {
  const handler = await world.publish('Handler');
  await addWorkflow(handler.id);
  await world.fail(await world.publish('Orders'));
  await recordFailures(world.runtime);
  const { handle } = createDeliveryHandler(world.runtime);
  const [delivery] = await deliveriesOf('workflow');
  const job = { id: '1', failures: 0, task: DELIVER_ALERT.task, payload: { delivery_id: delivery?.id } };
  await Promise.all([handle(job), handle(job)]);
  const { rowCount } = await world.ctx.db.$client.query('select from events where workflow_id = $1', [
    handler.id,
  ]);
  expect(rowCount).toBe(1);
});
