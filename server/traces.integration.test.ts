// From a webhook with a `traceparent` to the message at the platform and its status, through the running processes: one trace
// at a collector. Without OpenTelemetry's settings, none of it is loaded.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { connectBooks } from './testing/beside-sandbox.ts';
import { type CollectedSpan, type Collector, startCollector } from './testing/otlp-collector.ts';
import {
  chain,
  forEachOf,
  setTextTask,
  startWebhookServer,
  triggerTask,
} from './testing/start-webhook-server.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const CUSTOMER = '15550001234';
/** More than the web process skips after an abandoned first leg (lib/engine/first-leg.ts). */
const MOST_FIRST_LEGS = 20;
const CALLER_SPAN = '00f067aa0ba902b7';
const newTrace = (): string => crypto.randomUUID().replaceAll('-', '');

/** A service for HTTP tasks; it responds with 200 and stores the headers. */
async function startService() {
  const calls: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    calls.push(req.headers);
    req.resume().on('end', () => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, calls, stop: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
}

describe('With OpenTelemetry', () => {
  let collector: Collector;
  let service: Awaited<ReturnType<typeof startService>>;
  let product: TestProduct;
  let hook: string;

  beforeAll(async () => {
    collector = await startCollector();
    service = await startService();
    product = await startTestProduct({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        ALLOWED_PRIVATE_HOSTS: service.host,
      },
    });
    hook = await publish();
  });
  afterAll(async () => {
    await product.stop();
    await service.stop();
    await collector.stop();
  });

  /** It waits for longer than a worker holds runs, calls a service and sends a message. @returns the URL of its webhook */
  async function publish(): Promise<string> {
    const connectionId = await connectBooks(product);
    await product.api('POST', `/connections/${connectionId}/notifications`);
    const { webhook } = await product.api<{ webhook: { production_url: string } }>('POST', '/workflows', {
      name: 'Order confirmation',
      publish: true,
      tasks: [
        { id: 1, type: 'inbound_webhook', settings: {} },
        setTextTask(2, '{{task_1_customer_name}}'),
        { id: 3, type: 'delay', settings: { amount: 6, unit: 'seconds' } },
        {
          id: 4,
          type: 'http_request',
          settings: { method: 'POST', url: `http://${service.host}/to/${CUSTOMER}` },
        },
        {
          id: 5,
          type: 'messaging_business',
          settings: {
            app_connection_id: connectionId,
            phone_number_id: IDS.booksOrders,
            action: 'send_template',
            business_account_id: IDS.books,
            recipient: CUSTOMER,
            template_name: 'order_confirmation',
            template_parameters: '["{{task_2_text}}", "7"]',
          },
        },
      ],
      edges: [1, 2, 3, 4].map((id) => ({ from: id, to: id + 1 })),
    });
    return webhook.production_url;
  }

  /** @returns the event's id */
  async function call(headers: Record<string, string>): Promise<string> {
    const response = await fetch(hook, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ customer_name: 'Ada Lovelace' }),
    });
    expect(response.status).toBe(200);
    return response.headers.get('x-event-id') ?? '';
  }

  /** A webhook whose first tasks the web process itself executed: while it is busy, it leaves them to the worker. */
  async function callWithFirstLeg(): Promise<{ traceId: string; eventId: string }> {
    for (let attempt = 1; attempt <= MOST_FIRST_LEGS; attempt += 1) {
      const traceId = newTrace();
      const eventId = await call({ traceparent: `00-${traceId}-${CALLER_SPAN}-01`, tracestate: 'shop=7' });
      await expect.poll(() => spansOf(traceId).map(({ name }) => name)).toContain('message delivered');
      const runs = spansOf(traceId).filter(({ name }) => name === 'run');
      if (runs.some(({ resource }) => resource['patchbay.process'] === 'web')) return { traceId, eventId };
    }
    return expect.fail('The web process left the first tasks of every webhook to the worker.');
  }

  const spansOf = (traceId: string): CollectedSpan[] =>
    collector.spans.filter((span) => span.traceId === traceId);
  const named = (traceId: string, name: string): CollectedSpan =>
    spansOf(traceId).find((span) => span.name === name) ?? expect.fail(`There is no span ${name}.`);

  test('a webhook, its run in both processes, its requests and its message are one trace of the caller’s', async () => {
    const { traceId, eventId } = await callWithFirstLeg();

    const webhook = named(traceId, 'POST /webhook/{token}');
    expect(webhook).toMatchObject({ parentId: CALLER_SPAN, kind: 'server', state: 'shop=7', isError: false });
    expect(webhook.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/webhook/{token}',
      'http.response.status_code': '200',
      'patchbay.event.id': eventId,
    });
    const [first, second] = spansOf(traceId)
      .filter(({ name }) => name === 'run')
      .toSorted((a, b) => a.startMs - b.startMs);
    expect(first).toMatchObject({ parentId: webhook.spanId, resource: { 'patchbay.process': 'web' } });
    expect(first?.attributes).toMatchObject({
      'patchbay.run.status': 'waiting',
      'patchbay.event.id': eventId,
    });
    expect(second).toMatchObject({ parentId: webhook.spanId, resource: { 'patchbay.process': 'worker' } });
    expect(second?.attributes['patchbay.run.status']).toBe('succeeded');
    expect(named(traceId, 'task set_variables').parentId).toBe(first?.spanId);
    expect(named(traceId, 'task delay').attributes['patchbay.task.outcome']).toBe('waits');

    const request = named(traceId, 'POST');
    expect(request).toMatchObject({ parentId: named(traceId, 'task http_request').spanId, kind: 'client' });
    expect(named(traceId, 'task http_request').parentId).toBe(second?.spanId);
    expect(service.calls.find(({ traceparent }) => traceparent?.includes(traceId))).toMatchObject({
      traceparent: `00-${traceId}-${request.spanId}-01`,
      tracestate: 'shop=7',
    });
    const send = named(traceId, 'platform POST messages');
    expect(send).toMatchObject({
      parentId: named(traceId, 'task messaging_business').spanId,
      kind: 'client',
    });
    expect(named(traceId, 'message delivered').parentId).toBe(webhook.spanId);

    expect(webhook.resource).toMatchObject({
      'service.name': 'patchbay',
      'deployment.environment.name': 'test',
    });
    expect(collector.headers[0]).toMatchObject({
      'x-key': 'of-the-collector',
      'content-type': 'application/x-protobuf',
    });
    for (const span of spansOf(traceId)) expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
    const everything = JSON.stringify(collector.spans);
    for (const secret of [CUSTOMER, 'Ada', 'Lovelace', new URL(hook).pathname.split('/').at(-1) ?? ''])
      expect(everything).not.toContain(secret);
  });

  test('who does not sample is heard, and whoever is called hears it', async () => {
    const [unsampled, sampled] = [newTrace(), newTrace()];
    await call({ traceparent: `00-${unsampled}-${CALLER_SPAN}-00` });
    await call({ traceparent: `00-${sampled}-${CALLER_SPAN}-01` });
    await expect.poll(() => spansOf(sampled).map(({ name }) => name)).toContain('message delivered');
    await expect
      .poll(() => service.calls.map(({ traceparent = '' }) => traceparent))
      .toContainEqual(expect.stringMatching(`^00-${unsampled}-.*-00$`));
    expect(spansOf(unsampled)).toEqual([]);
  });

  test('a replay is its own trace, with a link to what it repeats', async () => {
    const traceId = newTrace();
    const eventId = await call({ traceparent: `00-${traceId}-${CALLER_SPAN}-01` });
    await expect.poll(() => spansOf(traceId).map(({ name }) => name)).toContain('task delay');
    const replay = await product.api<{ id: string }>('POST', `/events/${eventId}/replay`, { repeat: true });
    const entry = () =>
      collector.spans.find(
        ({ name, attributes }) => name === 'replay' && attributes['patchbay.event.id'] === replay.id,
      );
    await expect
      .poll(() => spansOf(entry()?.traceId ?? '').map(({ name }) => name))
      .toContain('task http_request');
    expect(entry()?.traceId).not.toBe(traceId);
    expect(entry()?.parentId).toBe('');
    expect(entry()?.links).toEqual([{ traceId, spanId: named(traceId, 'POST /webhook/{token}').spanId }]);
    const runs = spansOf(entry()?.traceId ?? '').filter(({ name }) => name === 'run');
    expect(runs.map(({ parentId }) => parentId)).toContain(entry()?.spanId);
  });
});

test('webhooks are answered while the collector is away, and the spans that are lost are counted', async () => {
  const [collectorPort, metricsPort] = [await findFreePort(), await findFreePort()];
  const product = await startWebhookServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'silent',
  });
  onTestFinished(() => product.stop());
  const { token } = await insertWorkflow(product.pool, chain(triggerTask(), setTextTask(2, 'text')));
  const statuses = new Set<number>();
  await forEachOf(
    Array.from({ length: 200 }, () => '{}'),
    async (body) => void statuses.add((await product.post(`/webhook/${token}`, body)).status),
  );
  expect([...statuses]).toEqual([200]);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lost = /patchbay_trace_spans_total\{outcome="queue_full",.*\} (\d+)/.exec(metrics)?.[1];
  expect(Number(lost)).toBeGreaterThan(400);
});

/** Lists every module that a process loads. */
const RECORDER = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    appendFileSync(process.env.LOADED_MODULES, resolved.url + '\\n');
    return resolved;
  },
});`;

describe('Without OpenTelemetry', () => {
  async function startRecorded(settings: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-traces-'));
    const [recorder, modules] = [join(folder, 'recorder.mjs'), join(folder, 'modules')];
    writeFileSync(recorder, RECORDER);
    writeFileSync(modules, '');
    const service = await startService();
    const product = await startTestProduct({
      settings: {
        NODE_OPTIONS: `--import ${pathToFileURL(recorder).href}`,
        LOADED_MODULES: modules,
        ALLOWED_PRIVATE_HOSTS: service.host,
        ...settings,
      },
    });
    onTestFinished(async () => {
      await product.stop();
      await service.stop();
      rmSync(folder, { recursive: true });
    });
    return { product, service, listModules: () => readFileSync(modules, 'utf8').split('\n') };
  }

  const OURS = /@opentelemetry\/(sdk|exporter|otlp|resources|core|semantic)|(server|\.programs[^/]*)\/traces/;

  test('nothing of it is loaded, and a caller’s trace reaches whom tasks call', async () => {
    const { product, service, listModules } = await startRecorded();
    const { webhook } = await product.api<{ webhook: { production_url: string } }>('POST', '/workflows', {
      name: 'Forward',
      publish: true,
      tasks: [
        { id: 1, type: 'inbound_webhook', settings: {} },
        { id: 2, type: 'http_request', settings: { method: 'GET', url: `http://${service.host}/` } },
      ],
      edges: [{ from: 1, to: 2 }],
    });
    const traceparent = `00-${newTrace()}-${CALLER_SPAN}-01`;
    await fetch(webhook.production_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: '{}',
    });
    await expect.poll(() => service.calls.map((headers) => headers.traceparent)).toEqual([traceparent]);
    expect(listModules().length).toBeGreaterThan(100);
    expect(listModules().filter((url) => OURS.test(url))).toEqual([]);
  });

  test('is where it is switched off, whatever else is set', async () => {
    const { listModules } = await startRecorded({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_SDK_DISABLED: 'true',
    });
    expect(listModules().filter((url) => OURS.test(url))).toEqual([]);
  });
});
