// Checks metrics, alert rules and dashboard with Prometheus itself, where it is installed (Debian's package prometheus).
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { Installation, type Start } from '../testing/installation.ts';
import { waitingFlow } from '../testing/waiting-flow.ts';

const root = join(import.meta.dirname, '..', '..');
const UP_MS = 180_000;
const apiKey = 'an-api-key-of-a-test-0123456789abcdef';
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const queries = dashboardSchema
  .parse(JSON.parse(readFileSync(join(root, 'ops', 'grafana', 'patchbay.json'), 'utf8')))
  .panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
/** Metrics that only exist with a messaging platform, which this installation does not have, or with traces. */
const OF_MORE = /patchbay_(platform|sends|message_statuses|token_refreshes|trace_spans)/;

const answerSchema = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.unknown()) }),
});

describe.runIf(has('prometheus') && has('promtool'))('Prometheus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-prometheus-'));
  let started: Start | undefined;
  let prometheus: ChildProcess | undefined;
  let base: string;
  let metrics: string[];

  beforeAll(async () => {
    chmodSync(folder, 0o711);
    const port = await findFreePort();
    // Two ports side by side, for the web process and the worker.
    const metricsPort = await findTwoFreePorts();
    metrics = [metricsPort, metricsPort + 1].map((each) => `127.0.0.1:${each}`);
    const environment = {
      ...process.env,
      SANDBOX: 'off',
      DATABASE_URL: '',
      BASE_URL: '',
      PATCHBAY_API_KEY: apiKey,
    };
    started = new Installation(join(folder, 'data'), environment).start({
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    });
    const url = `http://localhost:${port}`;
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {
      timeout: UP_MS,
      interval: 100,
    });
    await callWebhook(await publish(url));
    base = `http://127.0.0.1:${await findFreePort()}`;
    prometheus = startPrometheus(folder, new URL(base).host, metrics);
    await vi.waitFor(async () => expect(await seriesOf('sum(up) == 2')).toHaveLength(1), {
      timeout: UP_MS,
      interval: 200,
    });
    await callWebhook(await publish(url));
  }, 2 * UP_MS);
  afterAll(async () => {
    prometheus?.kill('SIGTERM');
    started?.bootstrap.kill('SIGTERM');
    await started?.exited;
    rmSync(folder, { recursive: true, force: true });
  }, UP_MS);

  async function seriesOf(query: string): Promise<unknown[]> {
    const response = await fetch(`${base}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
    return answerSchema.parse(await response.json(), { error: () => `${query}: ${response.status}` }).data
      .result;
  }

  test('finds nothing to say about the metrics of either process', async () => {
    for (const address of metrics) {
      const text = await (await fetch(`http://${address}/metrics`)).text();
      expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
    }
  });

  test('finds nothing wrong with the alert rules', () => {
    const rules = join(root, 'ops', 'prometheus', 'alerts.yml');
    expect(execFileSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  test('each alert rule fires for what it is about, and none where nothing is wrong', () => {
    const cases = join(import.meta.dirname, 'alert-rules.yml');
    expect(execFileSync('promtool', ['test', 'rules', cases], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  test.each(queries)(
    'answers the dashboard: %s, %s',
    async (_title, query) => {
      const asked = query.replaceAll('$__rate_interval', '1m');
      if (OF_MORE.test(query)) await expect(seriesOf(asked)).resolves.toBeDefined();
      else
        await vi.waitFor(async () => expect((await seriesOf(asked)).length).toBeGreaterThan(0), {
          timeout: UP_MS,
          interval: 500,
        });
    },
    UP_MS,
  );
});

async function findTwoFreePorts(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    const next = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      next.once('error', () => resolve(false));
      next.listen(port + 1, '127.0.0.1', () => next.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** A workflow whose runs end before the commit, or are left to the worker. @returns the URL of its webhook */
async function publish(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/workflows`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(waitingFlow('Counted', 1)),
  });
  const { webhook } = z
    .object({ webhook: z.object({ production_url: z.string() }) })
    .parse(await response.json());
  return webhook.production_url;
}

async function callWebhook(hook: string): Promise<void> {
  const call = (): Promise<Response> =>
    fetch(hook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"who": "Guest"}',
    });
  for (const { status } of await Promise.all(Array.from({ length: 50 }, call))) expect(status).toBe(200);
}

function startPrometheus(folder: string, address: string, targets: readonly string[]): ChildProcess {
  const file = join(folder, 'prometheus.json');
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(root, 'ops', 'prometheus', 'alerts.yml')],
    scrape_configs: [{ job_name: 'patchbay', static_configs: [{ targets }] }],
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  return spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
}
