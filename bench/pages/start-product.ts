import { randomBytes } from 'node:crypto';
import { openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { buildIfNeeded } from '../../server/launcher/build.ts';
import { memorySettings } from '../../server/launcher/environments.ts';
import { programFile } from '../../server/launcher/settings.ts';
import { startChild } from '../children.ts';
import { startOwnDatabase } from '../own-database.ts';
import { seed } from './seed.ts';

/** Starts the product (built, if need be) on its own database, with the stand-in platform, and fills it with so many workflows. */
export async function startProduct(
  root: string,
  say: (line: string) => void,
  { workflows }: { workflows: number },
) {
  await buildIfNeeded(root, say, new AbortController().signal);
  const database = await startOwnDatabase('pages', { isDurable: false });
  const db = openDatabase(database.url, { maxConnections: 2, name: 'bench-pages' });
  const sandbox = await startSandbox({ port: 0 });
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const environment = {
    ...memorySettings(process.env),
    DATABASE_URL: database.url,
    PORT: String(port),
    BASE_URL: base,
    LOG_LEVEL: 'warn',
    AUTH_SECRET: randomBytes(24).toString('hex'),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    MESSAGING_GRAPH_URL: sandbox.url,
  };
  const web = await startChild(programFile(root, 'web'), environment);
  const worker = await startChild(programFile(root, 'worker'), environment);
  const seeded = await seed(db, environment, { base, sandboxUrl: sandbox.url, workflows });
  // Runs are over before anything is measured: pages that show them would change meanwhile.
  await db.$client.query('vacuum analyze');
  while (await hasOpenRuns(db.$client)) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    base,
    ...seeded,
    /** Starts one more web process, to be measured alone. */
    async startWeb() {
      const ownPort = await findFreePort();
      const child = await startChild(programFile(root, 'web'), { ...environment, PORT: String(ownPort) });
      return { ...child, base: `http://127.0.0.1:${ownPort}` };
    },
    async stop(): Promise<void> {
      await Promise.all([web.stop(), worker.stop()]);
      await sandbox.close();
      await db.$client.end();
      await database.stop();
    },
  };
}

async function hasOpenRuns(pool: ReturnType<typeof openDatabase>['$client']): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from runs where status not in ('succeeded', 'failed', 'cancelled') limit 1`,
  );
  return rowCount !== 0;
}
