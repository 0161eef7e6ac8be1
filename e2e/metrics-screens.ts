// `npm run screens:metrics`: pictures of the dashboard's queries (ops/grafana/patchbay.json) on Prometheus' own page, while
// Patchbay has a moderate load. It needs Debian's package prometheus. The load takes two minutes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium } from '@playwright/test';
import { findFreePort } from '../lib/core/find-free-port.ts';
import config from '../playwright.config.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { Api, postWebhook, Sandbox } from './http-clients.ts';
import { connectAccount } from './seed.ts';
import { startProduct } from './start-product.ts';

const LOAD_SECONDS = 120;
const WEBHOOKS_A_SECOND = 12;
const SCRAPE = '2s';
const SIZE = { width: 1100, height: 900 };
/** Panels of the dashboard by their titles, some to a picture. */
const PICTURES: Record<string, readonly string[]> = {
  'metrics-webhooks': ['Webhooks', 'Time until the answer'],
  'metrics-runs': ['Task executions', 'Queue'],
  'metrics-messages': ['Messages handed to the platform', 'Statuses of messages', "The platform's answers"],
};
/** Only the queries and their graphs. */
const STYLE = `
  nav.navbar, .form-inline, .nav-tabs, .graph_container > .clearfix, a[name=remove], .eval_stats { display: none !important }
  .expression_input { height: auto !important; min-height: 62px; resize: none }`;

/** Endings of customers' numbers at the sandbox: they receive everything, read it, are not on the platform, or receive too much. */
const ENDINGS = ['1234', '1235', '9902', '0000', '9904'];

const root = dirname(import.meta.dirname);
const metricsPort = await findFreePort();
const traced = await startCollector();
const product = await startProduct({
  METRICS_PORT: String(metricsPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: traced.url,
});
const folder = mkdtempSync(join(tmpdir(), 'patchbay-metrics-'));
const prometheus = await startPrometheus([metricsPort, metricsPort + 1]);
try {
  await load(await publish());
  const browser = await chromium.launch(config.use?.launchOptions ?? {});
  try {
    for (const [name, titles] of Object.entries(PICTURES)) await takePicture(browser, name, titles);
  } finally {
    await browser.close();
  }
} finally {
  prometheus.stop();
  await product.stop();
  traced.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A workflow that sends a message to the webhook's recipient, and calls a service. @returns the URL of its webhook */
async function publish(): Promise<string> {
  const api = new Api(product.baseUrl, product.apiKey);
  const connectionId = await connectAccount(api, new Sandbox(product.sandboxUrl), 'Books', IDS.books);
  await api.post(`/connections/${connectionId}/notifications`);
  const { webhook } = await api.post<{ webhook: { production_url: string } }>('/workflows', {
    name: 'Order confirmation',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      {
        id: 2,
        type: 'http_request',
        settings: { method: 'GET', url: `${traced.url}/stock`, fail_on_status: 'never' },
      },
      {
        id: 3,
        type: 'messaging_business',
        settings: {
          app_connection_id: connectionId,
          phone_number_id: IDS.booksOrders,
          business_account_id: IDS.books,
          action: 'send_template',
          recipient: '{{task_1_to}}',
          template_name: 'order_confirmation',
          template_parameters: '["Ada", "{{task_1_id}}"]',
        },
      },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  return webhook.production_url;
}

async function load(hook: string): Promise<void> {
  for (let second = 0; second < LOAD_SECONDS; second += 1) {
    const sent = Array.from({ length: WEBHOOKS_A_SECOND }, (_, index) => {
      const customer = String(second * WEBHOOKS_A_SECOND + index).padStart(4, '0');
      const to = `155${customer}${ENDINGS[index % ENDINGS.length]}`;
      // One body is refused.
      return postWebhook(hook, index === 9 ? '{"id":' : { id: customer, to });
    });
    await Promise.all([...sent, pause(1000)]);
  }
}

async function takePicture(browser: Browser, name: string, titles: readonly string[]): Promise<void> {
  const dashboard = JSON.parse(readFileSync(join(root, 'ops', 'grafana', 'patchbay.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const expressions = titles.flatMap((title) => {
    const panel = dashboard.panels.find((each) => each.title === title);
    if (!panel) throw new Error(`The dashboard has no panel "${title}".`);
    return panel.targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '20s'));
  });
  const query = expressions.flatMap((expr, index) =>
    Object.entries({ expr, tab: '0', range_input: '2m', stacked: '0' }).map(([key, value]) => [
      `g${index}.${key}`,
      value,
    ]),
  );
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(`${prometheus.url}/classic/graph?${new URLSearchParams(query).toString()}`);
  await page.waitForFunction((count) => document.querySelectorAll('svg path').length >= count, titles.length);
  await page.waitForLoadState('networkidle');
  await page.addStyleTag({ content: STYLE });
  const path = join(root, 'docs', 'screens', `${name}.png`);
  await page.locator('#graph_container').screenshot({ path, animations: 'disabled' });
  console.log(`docs/screens/${name}.png`);
}

async function startPrometheus(ports: readonly number[]): Promise<{ url: string; stop(): void }> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const file = join(folder, 'prometheus.json');
  const targets = ports.map((port) => `127.0.0.1:${port}`);
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      global: { scrape_interval: SCRAPE },
      scrape_configs: [{ job_name: 'patchbay', static_configs: [{ targets }] }],
    }),
  );
  const child = spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${folder}/series`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  );
  return { url: `http://${address}`, stop: () => void child.kill('SIGTERM') };
}

/** Accepts spans, and responds to the task's request. */
async function startCollector(): Promise<{ url: string; stop(): void }> {
  const server = createServer((req, res) => void req.resume().on('end', () => res.writeHead(200).end('{}')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => void server.close().closeAllConnections(),
  };
}
