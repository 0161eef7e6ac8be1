// `npm run bench:loops`: runs of a hundred thousand iterations: the worker's memory, the cost of an iteration from the first to
// the last, and how the run resumes after the worker is killed in the middle (see bench/README.md).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { readProcessTimes } from '#lib/testing/process-times.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { startOwnDatabase } from './own-database.ts';
import { nestedLoop, oneLoop } from './workflows.ts';
import { describeMachine } from './machine.ts';

const ITERATIONS = Number(process.env.BENCH_ITERATIONS ?? 100_000);
const SAMPLE_MS = 100;
const PARTS = 10;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Sample {
  seconds: number;
  iterations: number;
  megabytes: number;
  /** Processor time of the worker so far, without its predecessor. */
  cpuSeconds: number;
}

const database = await startOwnDatabase('loops', { isDurable: true });
const db = openDatabase(database.url, { maxConnections: 2, name: 'loops' });
const intake = createIntake(db.$client);
const startWorker = () => startProcess('server/worker.ts', { DATABASE_URL: database.url });
let worker = await startWorker();

const residentMegabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const cpuSeconds = (): number => readProcessTimes(worker.pid).ownSeconds;

/** Progress of the outer loop, by its last checkpoint. */
async function readProgress(runId: string): Promise<{ status: string; index: number }> {
  const { rows } = await db.$client.query<{ status: string; state: string | null }>(
    `select r.status, t.state from runs r left join task_runs t on t.run_id = r.id and t.task_id = 2 and t.iteration = ''
     where r.id = $1`,
    [runId],
  );
  const [row] = rows;
  const state = JSON.parse(row?.state ?? '{}') as { loop?: { index: number } };
  return { status: row?.status ?? '', index: state.loop?.index ?? 0 };
}

/** Executes one run and kills the worker in the middle. */
async function measure(name: string, graph: WorkflowGraph, items: number, iterationsPerItem = 1) {
  const { token } = await insertWorkflow(db.$client, graph);
  const runId = await startRun(intake, token, { n: 1 });
  const startedMs = performance.now();
  const samples: Sample[] = [];
  let killed: { atSeconds: number; resumedSeconds?: number; index: number } | undefined;
  for (;;) {
    const { status, index } = await readProgress(runId);
    const seconds = (performance.now() - startedMs) / 1000;
    samples.push({
      seconds,
      iterations: index * iterationsPerItem,
      megabytes: residentMegabytes(),
      cpuSeconds: cpuSeconds(),
    });
    if (status === 'succeeded') break;
    if (status === 'failed') throw new Error(`The run ${runId} failed.`);
    if (killed && killed.resumedSeconds === undefined && index > killed.index)
      killed.resumedSeconds = seconds - killed.atSeconds;
    if (!killed && index >= items / 2) {
      killed = { atSeconds: seconds, index };
      await worker.kill();
      worker = await startWorker();
    }
    await sleep(SAMPLE_MS);
  }
  const { rows } = await db.$client.query<{ count: number }>(
    'select count(*)::int as count from task_runs where run_id = $1',
    [runId],
  );
  const costs = costsOf(samples, items * iterationsPerItem, killed);
  const sampled = samples.map((sample) => sample.megabytes);
  const megabytes = { least: Math.round(Math.min(...sampled)), most: Math.round(Math.max(...sampled)) };
  say(
    `${name}: ${rows[0]?.count} task runs in ${samples.at(-1)?.seconds.toFixed(1)} s, µs of the worker’s processor time an iteration by tenths: ${costs.join(' ')}; ` +
      `worker ${megabytes.least} to ${megabytes.most} MB; ` +
      `killed in the middle, resumed after ${killed?.resumedSeconds?.toFixed(1)} s`,
  );
  return { name, taskRuns: rows[0]?.count, costs, megabytes, killed, sampled: samples.length };
}

/**
 * Microseconds of the worker's processor time per iteration, for each tenth of the iterations; the one in which the worker was
 * killed is left out.
 */
function costsOf(samples: Sample[], iterations: number, killed: { atSeconds: number } | undefined): number[] {
  const costs: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    const inside = samples.filter(
      (sample) =>
        sample.iterations >= (iterations * part) / PARTS &&
        sample.iterations <= (iterations * (part + 1)) / PARTS,
    );
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last || last.iterations === first.iterations) continue;
    if (killed && first.seconds <= killed.atSeconds && last.seconds >= killed.atSeconds) continue;
    costs.push(
      Math.round(((last.cpuSeconds - first.cpuSeconds) * 1e6) / (last.iterations - first.iterations)),
    );
  }
  return costs;
}

try {
  const side = Math.round(Math.sqrt(ITERATIONS));
  const results = [
    await measure('one loop', oneLoop(ITERATIONS, 0), ITERATIONS),
    await measure('a loop in a loop', nestedLoop(side, side), side, side),
    await measure('with pauses of 1 ms', oneLoop(ITERATIONS, 0.001), ITERATIONS),
  ];
  const machine = describeMachine();
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  writeFileSync(
    join(root, 'bench/results/loops.json'),
    `${JSON.stringify({ at: new Date().toISOString(), machine, iterations: ITERATIONS, results }, null, 2)}\n`,
  );
  say('written to bench/results/loops.json');
} finally {
  await worker.stop();
  await db.$client.end();
  await database.stop();
}
