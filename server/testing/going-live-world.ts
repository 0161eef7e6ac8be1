// A company that goes live: the product's web and worker processes beside a sandbox that refuses what the real platform
// refuses, a browser's session of the owner, and the operator's actions at the platform.
import { createHmac } from 'node:crypto';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { startSandbox } from '../../sandbox/server.ts';
import type { Settings as SandboxSettings } from '../../sandbox/settings.ts';
import { buildIfNeeded } from '../launcher/build.ts';
import { root } from '../root.ts';
import { callAction, readActionValue, signIn } from './authorization-client.ts';
import { readBuiltActions } from './authorization-surface.ts';
import { type Calls, callsOf, settingsBeside } from './beside-sandbox.ts';

const VERSION = 'v24.0';
const APP = { id: '900000000000001', secret: 'the-secret-of-the-app-and-of-its-signatures' };
const OWNER = { email: 'owner@example.com', password: 'four words in a row' };
const CONNECTION_ACTIONS = 'app/(studio)/connections/actions.ts';

/** A call of the graph API in the sandbox's log. */
export interface GraphCallLog {
  method: string;
  version: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  account: string | null;
  status: number;
}

export interface GoingLiveWorld extends Calls {
  base: string;
  sandboxUrl: string;
  app: typeof APP;
  /** Settings of web and worker, as environment variables. */
  settings: Record<string, string>;
  pool: Pool;
  /** Calls an action of the connections' pages as the signed-in owner. */
  act: <Data>(name: string, ...args: unknown[]) => Promise<ActionResult<Data>>;
  /** Opens a page or route as the signed-in owner; redirects are not followed. */
  visit: (path: string) => Promise<Response>;
  /** Calls the platform with the app's own token. */
  asApp: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  /** Calls of the graph API by the product and others, oldest first. */
  graphCalls: (query?: string) => Promise<GraphCallLog[]>;
  /** Posts a signed notification to the app's receiver. */
  notify: (body: object, secret?: string) => Promise<Response>;
  stop: () => Promise<void>;
}

/**
 * @param platform the platform's settings @param more settings of the product, which override or extend those of the guide;
 * undefined: not set
 */
export async function startGoingLiveWorld(
  platform: Partial<SandboxSettings> = {},
  more: Record<string, string | undefined> = {},
): Promise<GoingLiveWorld> {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 2, name: 'going-live-test' });
  const base = `http://127.0.0.1:${await findFreePort()}`;
  const client = { ...APP, redirectUris: [`${base}/oauth/callback`] };
  const soon = { sent_after_ms: 5, delivered_after_ms: 5, read_after_ms: 5, template_review_ms: 5 };
  const sandbox = await startSandbox({ port: 0, client, settings: { ...soon, ...platform, strict: true } });
  const settings = withoutUndefined({
    ...settingsBeside(sandbox, { base, databaseUrl: database.url }),
    MESSAGING_GRAPH_VERSION: VERSION,
    MESSAGING_TOKEN_URL: `${sandbox.url}/${VERSION}/oauth/access_token`,
    MESSAGING_CLIENT_ID: APP.id,
    MESSAGING_CLIENT_SECRET: APP.secret,
    MESSAGING_LOGIN_CONFIG_ID: '800000000000001',
    ...more,
  });
  const processes: StartedProcess[] = [
    await startProcess('server/worker.ts', settings),
    await startProcess('server/web.ts', settings),
  ];
  await createFirstOwner(db, OWNER);
  const cookies = await signIn(base, OWNER.email, OWNER.password);
  const actions = readBuiltActions(root);
  const calls = callsOf(base, sandbox);
  const bearer = { authorization: `Bearer ${APP.id}|${APP.secret}`, 'content-type': 'application/json' };
  return {
    ...calls,
    base,
    sandboxUrl: sandbox.url,
    app: APP,
    settings,
    pool: db.$client,
    async act<Data>(name: string, ...args: unknown[]) {
      const action = actions.get(`${CONNECTION_ACTIONS}#${name}`);
      if (!action) throw new Error(`No page has the action ${name}.`);
      const { status, body } = await callAction(base, cookies, action, args);
      return readActionValue(status, body) as ActionResult<Data>;
    },
    visit: (path) =>
      fetch(new URL(path, base), { headers: { cookie: cookies.toString() }, redirect: 'manual' }),
    async asApp(method, path, body) {
      const init = { method, headers: bearer, ...(body ? { body: JSON.stringify(body) } : {}) };
      const response = await fetch(`${sandbox.url}/${VERSION}/${path}`, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
      return JSON.parse(text) as Record<string, unknown>;
    },
    graphCalls: async (query = '') =>
      (await calls.control<{ data: GraphCallLog[] }>('GET', `calls?target=graph&${query}`)).data,
    notify(body, secret = APP.secret) {
      const text = JSON.stringify(body);
      const signature = createHmac('sha256', secret).update(text).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
      return fetch(`${base}/hooks/messaging`, { method: 'POST', headers, body: text });
    },
    async stop() {
      await Promise.all(processes.map((started) => started.stop()));
      await sandbox.close();
      await db.$client.end();
      await database.drop();
    },
  };
}

const withoutUndefined = (settings: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
