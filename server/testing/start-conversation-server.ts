// The product's web and worker processes beside a sandbox of their own, for tests of whole conversations.
import { findFreePort } from '#lib/core/db/embedded-postgres/data-folder.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { buildIfNeeded } from '../launcher/build.ts';
import { type Calls, callsOf, clientOf, connectBooks, settingsBeside } from './beside-sandbox.ts';

const root = new URL('../..', import.meta.url).pathname;

export interface ConversationServer extends Calls {
  /** The product's address. */
  base: string;
  sandboxUrl: string;
  /** Connects Harbour Street Books of the sandbox; gives the connection's id. */
  connectBooks(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything; `more` are further settings of the product. */
export async function startConversationServer(
  more: Record<string, string> = {},
): Promise<ConversationServer> {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  const database = await createTestDatabase();
  const base = `http://127.0.0.1:${await findFreePort()}`;
  const sandbox = await startSandbox({ port: 0, client: clientOf(base) });
  const settings = { ...settingsBeside(sandbox, { base, databaseUrl: database.url }), ...more };
  const processes: StartedProcess[] = [
    await startProcess('server/worker.ts', settings),
    await startProcess('server/web.ts', settings),
  ];
  const calls = callsOf(base, sandbox);
  return {
    ...calls,
    base,
    sandboxUrl: sandbox.url,
    connectBooks: () => connectBooks(calls),
    async stop() {
      await Promise.all(processes.map((started) => started.stop()));
      await sandbox.close();
      await database.drop();
    },
  };
}
