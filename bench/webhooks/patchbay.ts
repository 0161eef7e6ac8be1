// Patchbay as it runs: a web process, a worker and a PostgreSQL of its own.
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import type { Child } from '../children.ts';
import { type BenchDatabase, startBenchDatabase } from './database.ts';
import { startProgram } from './programs.ts';
import type { Contestant, Flows } from './system.ts';

type Part = 'web' | 'worker';

/** Patchbay with these settings besides the benchmark's own. */
export const patchbay = (
  name: string,
  settingsOf: (part: Part) => Record<string, string> = () => ({}),
): Contestant => ({
  name,
  start: async (flows) => {
    const database = await startBenchDatabase();
    const children: Child[] = [];
    const stop = async (): Promise<void> => {
      await Promise.all(children.map((child) => child.stop()));
      await database.stop();
    };
    try {
      const tokens = await insertFlows(database, flows);
      const port = await findFreePort();
      const web = await startProgram('web', database.url, port, settingsOf('web'));
      children.push(web);
      const worker = await startProgram('worker', database.url, port, settingsOf('worker'));
      children.push(worker);
      return {
        name,
        parts: {
          web: { pid: web.pid },
          worker: { pid: worker.pid },
          PostgreSQL: { pid: database.pid, without: [database.watcherPid] },
        },
        urlsOf: (flow) =>
          (tokens.get(flow) ?? []).map((token) => `http://127.0.0.1:${port}/webhook/${token}`),
        settle: () => database.untilDrained(),
        prepare: () => database.emptyTables(),
        stop,
      };
    } catch (error) {
      await stop();
      throw error;
    }
  },
});

async function insertFlows(database: BenchDatabase, flows: Flows): Promise<Map<string, string[]>> {
  const tokens = new Map<string, string[]>();
  for (const [name, { graph, copies = 1 }] of Object.entries(flows)) {
    const inserted = Array.from({ length: copies }, () => insertWorkflow(database.pool, graph));
    tokens.set(
      name,
      (await Promise.all(inserted)).map(({ token }) => token),
    );
  }
  return tokens;
}
