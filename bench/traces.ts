// `npm run bench:traces`: the cost of metrics and traces per webhook, alternating with Patchbay without them. BENCH_ROUNDS (3)
// and BENCH_ROUND_SECONDS (4) make it shorter.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { describeMachine } from './machine.ts';
import { alternate, type Compared } from './webhooks/alternate.ts';
import { patchbay } from './webhooks/patchbay.ts';
import { round } from './webhooks/round.ts';
import { startAll, stopAll } from './webhooks/system.ts';
import { makeFlow } from './workflows.ts';

const TASKS = 5;
const CONNECTIONS = 32;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_ROUND_SECONDS ?? 4);
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A collector that accepts everything. */
const collector = createServer((req, res) => void req.resume().on('end', () => res.writeHead(200).end()));
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

async function contestant(name: string, settings: Record<string, string>) {
  const ports = { web: await findFreePort(), worker: await findFreePort() };
  const more = (part: 'web' | 'worker') => ({ METRICS_PORT: String(ports[part]), ...settings });
  return { ports, contestant: patchbay(name, more) };
}

const traced = (ratio: string): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: ratio,
});

await buildIfNeeded(root, say, new AbortController().signal);
const OFF = 'off';
const measured = {
  metrics: await contestant('metrics', {}),
  tenth: await contestant('metrics, traces at 0.1', traced('0.1')),
  all: await contestant('metrics, traces at 1', traced('1')),
};
const flow = 'immediate';
const systems = await startAll([patchbay(OFF), ...Object.values(measured).map((each) => each.contestant)], {
  [flow]: { graph: makeFlow(TASKS, flow) },
});
try {
  const cell = { cell: flow, title: `${TASKS} tasks`, load: { flow, connections: CONNECTIONS, seconds } };
  const [{ systems: compared } = { systems: [] }] = await alternate(systems, [cell], rounds, say);
  const off = webMicroseconds(compared.find(({ system }) => system === OFF));
  const results = await Promise.all(
    compared.map(async ({ system, median }) => ({
      system,
      microseconds: median.microseconds,
      webTimesOff: webMicroseconds({ median }) / off,
      requestsPerSecond: median.requestsPerSecond,
      p50Ms: median.p50Ms,
      p99Ms: median.p99Ms,
      spans: await readSpans(
        Object.values(measured).find((each) => each.contestant.name === system)?.ports.web,
      ),
    })),
  );
  for (const { system, webTimesOff } of results) say(`${system}: web ${webTimesOff.toFixed(2)} times off`);
  const json = {
    at: new Date().toISOString(),
    machine: describeMachine(),
    rounds,
    seconds,
    tasks: TASKS,
    results,
  };
  writeFileSync(`${root}bench/results/traces.json`, `${JSON.stringify(round(json), null, 2)}\n`);
} finally {
  await stopAll(systems);
  collector.closeAllConnections();
  collector.close();
}
process.exit(0);

function webMicroseconds(found: Pick<Compared, 'median'> | undefined): number {
  return found?.median.microseconds['web'] ?? NaN;
}

/** Of a web process, by outcome. */
async function readSpans(port: number | undefined): Promise<Record<string, number>> {
  if (port === undefined) return {};
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.matchAll(/patchbay_trace_spans_total\{outcome="(\w+)".*\} (\d+)/g);
  return Object.fromEntries([...lines].map(([, outcome = '', count]) => [outcome, Number(count)]));
}
