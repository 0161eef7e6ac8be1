// Patchbay as it runs: a web process, a worker and a separate PostgreSQL.
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { memorySettings } from '../../server/launcher/environments.ts';
import { type Part, type Product, startProduct } from '../../server/testing/product.ts';
import { type BenchDatabase, startBenchDatabase } from './database.ts';
import type { Contestant, Flows } from './system.ts';

/** None of its processes yet; they use memory as those of a launcher do. */
export const prepareProduct = (
  { url }: BenchDatabase,
  settings: Record<string, string> = {},
): Promise<Product> =>
  startProduct({
    databaseUrl: url,
    parts: [],
    settings: { ...memorySettings(process.env), ...settings },
    sandbox: false,
  });

/** Patchbay with these settings besides the benchmark's own. */
export const patchbay = (
  name: string,
  settingsOf: (part: Part) => Record<string, string> = () => ({}),
): Contestant => ({
  name,
  start: async (flows) => {
    const database = await startBenchDatabase();
    const product = await prepareProduct(database);
    const stop = async (): Promise<void> => {
      await product.stop();
      await database.stop();
    };
    try {
      const tokens = await insertFlows(database, flows);
      const web = await product.start('web', settingsOf('web'));
      const worker = await product.start('worker', settingsOf('worker'));
      return {
        name,
        parts: {
          web: { pid: web.pid },
          worker: { pid: worker.pid },
          PostgreSQL: { pid: database.pid, without: [database.watcherPid] },
        },
        urlsOf: (flow) => (tokens.get(flow) ?? []).map((token) => `${product.base}/webhook/${token}`),
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
