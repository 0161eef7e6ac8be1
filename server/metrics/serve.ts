// `/metrics` for Prometheus, and `/healthz` for supervisors, on their own port (METRICS_PORT), so that they are not exposed
// with the app.
import { createServer } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { VERSION } from '#lib/core/version.ts';
import {
  openBodyGauge,
  openPoolGauge,
  openQueueGauges,
  openDatabaseGauges,
  openRetentionGauge,
  openWorkersGauge,
} from './gauges.ts';
import { openInstruments } from './instruments.ts';
import { listenOrRetry } from './listen-or-retry.ts';

/** Gauges of prom-client with names of counters, which Prometheus' own check refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export interface MetricsServer {
  close(): void;
}

/** Starts it where METRICS_PORT is set; without, nothing is counted. Where the port is taken, it waits for it. */
export async function serveMetrics(
  runtime: ProcessRuntime,
  part: 'web' | 'worker',
): Promise<MetricsServer | undefined> {
  const { METRICS_PORT: port, METRICS_HOST: host } = runtime.settings;
  if (port === undefined) return undefined;
  const registry = new Registry();
  registry.setDefaultLabels({ process: part, version: VERSION });
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  openInstruments(registry);
  openPoolGauge(registry, runtime);
  if (part === 'web') {
    openBodyGauge(registry, runtime);
    openWorkersGauge(registry, runtime);
  } else {
    openQueueGauges(registry, runtime);
    openRetentionGauge(registry, runtime);
    openDatabaseGauges(registry, runtime);
  }
  const server = createServer((req, res) => {
    // Whether this process is alive, independent of the database: a worker that waits for its database must not be ended.
    if (req.method === 'GET' && req.url === '/healthz') {
      res
        .writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
        .end(`ok ${VERSION}\n`);
      return;
    }
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res
        .writeHead(404, { 'Content-Type': 'text/plain' })
        .end('The metrics are at /metrics, and whether the process lives at /healthz.\n');
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      (error: unknown) => {
        runtime.logger.warn({ err: error }, 'the metrics could not be read');
        res.writeHead(503, { 'Content-Type': 'text/plain' }).end('The metrics cannot be read right now.\n');
      },
    );
  });
  const listening = await listenOrRetry(server, { port, host, logger: runtime.logger });
  return {
    close: () => {
      listening.close();
      server.closeAllConnections();
    },
  };
}
