// For tests: a separate database and platform, and helpers for tests of connections and messages.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import type { Connection } from '#lib/messaging/connections/schema.ts';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { IDS } from '../../../sandbox/data/businesses.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import type { Settings as SandboxSettings } from '../../../sandbox/settings.ts';
import { type MessagingRuntime, toMessagingRuntime } from '../runtime.ts';

export const PLATFORM_IDS = IDS;
export const BASE_URL = 'https://patchbay.example';

interface MintedTokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

/** One call as the sandbox logged it. */
export interface LoggedCall {
  method: string;
  path: string;
  query: Record<string, string>;
  body: JsonObject;
  status: number | null;
  real_at_ms: number;
}

/** One message of the sandbox. */
export interface SandboxMessage {
  id: string;
  customer: string;
  type: string;
  text: string;
  template_name: string | null;
  payload: JsonObject;
  seen_by_business?: boolean;
}

/** Like in a separate process. */
export interface OpenedRuntime extends MessagingRuntime, Pick<ProcessRuntime, 'engine' | 'vital' | 'clock'> {
  close(): Promise<void>;
}

export type MessagingWorld = Awaited<ReturnType<typeof startMessagingWorld>>;

/** @param overrides settings of the app by their names. */
export async function startMessagingWorld(
  overrides: Record<string, string> = {},
  sandboxSettings: Partial<SandboxSettings> = {},
) {
  const clientSecret = `client-secret-${randomBytes(12).toString('hex')}`;
  const client = { id: 'connections', secret: clientSecret, redirectUris: [`${BASE_URL}/oauth/callback`] };
  const fast = { sent_after_ms: 5, delivered_after_ms: 5, read_after_ms: 5, template_review_ms: 5 };
  const sandbox = await startSandbox({ port: 0, client, settings: { ...fast, ...sandboxSettings } });
  const database = await createTestDatabase();
  const variables = {
    DATABASE_URL: database.url,
    BASE_URL,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    MESSAGING_GRAPH_URL: sandbox.url,
    MESSAGING_AUTHORIZE_URL: `${sandbox.url}/oauth/authorize`,
    MESSAGING_TOKEN_URL: `${sandbox.url}/oauth/token`,
    MESSAGING_CLIENT_ID: client.id,
    MESSAGING_CLIENT_SECRET: clientSecret,
    ...overrides,
  };
  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const openProcess = (more: Record<string, string> = {}): OpenedRuntime => {
    const runtime = openRuntime('worker', parseSettings({ ...variables, ...more }), logger);
    const { engine, vital, clock } = runtime;
    return { ...toMessagingRuntime(runtime), engine, vital, clock, close: () => runtime.close() };
  };
  const runtime = openProcess();
  const workspaceId = newId();
  await runtime.hot.query('insert into workspaces (id, name) values ($1, $2)', [
    workspaceId,
    'Test workspace',
  ]);
  const contextOf = ({ db, secrets, platform }: MessagingRuntime): MessagingActorContext => ({
    db,
    secrets,
    platform,
    workspaceId,
    baseUrl: BASE_URL,
    actor: 'test',
  });
  const ctx = contextOf(runtime);

  async function control<Answer = JsonObject>(method: string, path: string, body?: object): Promise<Answer> {
    const init =
      body === undefined
        ? { method }
        : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    // oxlint-disable-next-line no-restricted-globals -- tests talk to the sandbox's control API
    const response = await fetch(`${sandbox.url}/__sandbox/${path}`, init);
    const answer = (await response.json()) as Answer;
    if (response.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
  /** Calls the platform as the app's operator, with the app's own token. */
  async function callAsApp(method: string, path: string, body?: object): Promise<JsonObject> {
    const headers = {
      authorization: `Bearer ${client.id}|${clientSecret}`,
      'content-type': 'application/json',
    };
    // oxlint-disable-next-line no-restricted-globals -- what the operator does in the platform's dashboard
    const response = await fetch(`${sandbox.url}/v24.0/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as JsonObject;
  }
  const mint = (input: object = {}): Promise<MintedTokens> => control('POST', 'tokens', input);
  const calls = async (query = 'target=graph'): Promise<LoggedCall[]> =>
    (await control<{ data: LoggedCall[] }>('GET', `calls?${query}`)).data;
  const messages = async (query = ''): Promise<SandboxMessage[]> =>
    (await control<{ data: SandboxMessage[] }>('GET', `messages?direction=out&${query}`)).data;

  /** A connection from tokens of the sandbox. */
  async function connect(
    input: { tokens?: MintedTokens; accountId?: string | null; name?: string } = {},
  ): Promise<Connection> {
    const { access_token, refresh_token, expires_in } = input.tokens ?? (await mint());
    const accountId = input.accountId === undefined ? IDS.books : input.accountId;
    const account = accountId === null ? {} : { business_account_id: accountId };
    return createConnection(ctx, {
      name: input.name ?? 'Books',
      access_token,
      refresh_token,
      expires_in,
      ...account,
    });
  }

  /** The customer writes, so that the platform's window is open. @returns the incoming message */
  const customerWrites = (
    customer: string,
    phoneId: string = IDS.booksOrders,
    more: object = { text: 'Hello!' },
  ): Promise<SandboxMessage> =>
    control('POST', 'customer-messages', { customer, phone_number_id: phoneId, ...more });

  return {
    sandbox,
    database,
    runtime,
    variables,
    workspaceId,
    ctx,
    logged,
    clientSecret,
    appId: client.id,
    callAsApp,
    openRuntime: openProcess,
    contextOf,
    control,
    mint,
    calls,
    messages,
    connect,
    customerWrites,
    async end() {
      await runtime.close();
      await sandbox.close();
      await database.drop();
    },
  };
}
