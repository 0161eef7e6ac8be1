// The product's web and worker processes beside a sandbox of their own, for tests of whole conversations.
import { findFreePort } from '#lib/core/db/embedded-postgres/data-folder.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { IDS } from '../../sandbox/data/businesses.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { buildIfNeeded } from '../launcher/build.ts';

const API_KEY = 'a-key-of-the-rest-api-for-this-test-only';
const root = new URL('../..', import.meta.url).pathname;

export interface ConversationServer {
  sandboxUrl: string;
  /** Calls the REST API. @throws Error with the answer when it is not 2xx */
  api: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Calls the sandbox's control API. @throws Error with the answer when it is not 2xx */
  control: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;
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
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const client = {
    id: 'app',
    secret: 'the-secret-of-the-app-and-of-its-signatures',
    redirectUris: [`${base}/oauth/callback`],
  };
  const sandbox = await startSandbox({ port: 0, client });
  const settings = {
    DATABASE_URL: database.url,
    PORT: String(port),
    BASE_URL: base,
    PATCHBAY_API_KEY: API_KEY,
    AUTH_SECRET: 'sessions-of-this-test-are-signed-with-this',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    MESSAGING_GRAPH_URL: sandbox.url,
    MESSAGING_AUTHORIZE_URL: `${sandbox.url}/oauth/authorize`,
    MESSAGING_TOKEN_URL: `${sandbox.url}/oauth/token`,
    MESSAGING_CLIENT_ID: client.id,
    MESSAGING_CLIENT_SECRET: client.secret,
    ...more,
  };
  const processes: StartedProcess[] = [
    await startProcess('server/worker.ts', settings),
    await startProcess('server/web.ts', settings),
  ];
  const server: ConversationServer = {
    sandboxUrl: sandbox.url,
    api: (method, path, body) => call(method, `${base}/api/v1${path}`, body),
    control: (method, path, body) => call(method, `${sandbox.url}/__sandbox/${path}`, body),
    connectBooks: () => connectBooks(server),
    async stop() {
      await Promise.all(processes.map((started) => started.stop()));
      await sandbox.close();
      await database.drop();
    },
  };
  return server;
}

async function connectBooks({ api, control }: ConversationServer): Promise<string> {
  type Tokens = { access_token: string; refresh_token: string; expires_in: number };
  const { access_token, refresh_token, expires_in } = await control<Tokens>('POST', 'tokens', {});
  const { id } = await api<{ id: string }>('POST', '/connections', {
    name: 'Books',
    access_token,
    refresh_token,
    expires_in,
    business_account_id: IDS.books,
  });
  return id;
}

async function call<Answer>(method: string, url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}
