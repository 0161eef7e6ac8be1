import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { memorySettings } from '../../server/launcher/environments.ts';
import { ENCRYPTION_KEYS } from '../../server/testing/beside-sandbox.ts';
import { type Product, startProduct } from '../../server/testing/product.ts';
import { startOwnDatabase } from '../own-database.ts';
import { ACCOUNT } from '../pages/seed.ts';
import { FIVE_TASKS } from '../workflows.ts';

/** The product on its own durable database, with one workspace; no process is started yet. */
export interface Installation {
  product: Product;
  ctx: ActorContext;
  /** Of the PostgreSQL server. */
  databasePid: number;
  /** A workflow of five tasks, whose webhooks are measured. */
  workflowId: string;
  token: string;
  stop(): Promise<void>;
}

export async function startInstallation(say: (line: string) => void): Promise<Installation> {
  const database = await startOwnDatabase('history', { isDurable: true });
  const db = openDatabase(database.url, { maxConnections: 4, name: 'bench-history' });
  const stopDatabase = async (): Promise<void> => {
    await db.$client.end();
    await database.stop();
  };
  try {
    const settings = memorySettings(process.env);
    const options = { databaseUrl: database.url, parts: [], settings, say };
    const product = await startProduct({ ...options, sandbox: false });
    const { id: actor } = await createFirstOwner(db, ACCOUNT);
    const workspaceId = await ensureFirstWorkspace(db);
    const { workflowId, token } = await insertWorkflow(db.$client, FIVE_TASKS, workspaceId);
    const secrets = createSecretBox(ENCRYPTION_KEYS);
    return {
      product,
      ctx: { db, workspaceId, actor, secrets, baseUrl: product.base },
      databasePid: database.postgres.pid,
      workflowId,
      token,
      stop: async () => {
        await product.stop();
        await stopDatabase();
      },
    };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}
