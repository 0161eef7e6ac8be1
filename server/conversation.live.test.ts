// Webhook in, conversation out, through the running product and the stand-in platform: a message template reaches the
// customer's phone, the answer comes back to a second workflow, which marks it as read and replies inside the window.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '#lib/db/embedded-postgres/data-folder.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { IDS } from '../sandbox/data/businesses.ts';
import { startSandbox } from '../sandbox/server.ts';
import { buildIfNeeded } from './launcher/build.ts';

const API_KEY = 'a-key-of-the-rest-api-for-this-test-only';
const CUSTOMER = '15550001234';
/** The number of Harbour Street Books. */
const PHONE = '300000000000001';
const root = new URL('..', import.meta.url).pathname;

let database: TestDatabase;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let base: string;
const processes: StartedProcess[] = [];

beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createTestDatabase();
  const port = await findFreePort();
  base = `http://127.0.0.1:${port}`;
  const client = {
    id: 'app',
    secret: 'the-secret-of-the-app-and-of-its-signatures',
    redirectUris: [`${base}/oauth/callback`],
  };
  sandbox = await startSandbox({ port: 0, client });
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
  };
  processes.push(
    await startProcess('server/worker.ts', settings),
    await startProcess('server/web.ts', settings),
  );
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await sandbox.close();
  await database.drop();
});

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

const api = <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
  call(method, `${base}/api/v1${path}`, body);
const control = <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
  call(method, `${sandbox.url}/__sandbox/${path}`, body);

interface Workflow {
  id: string;
  webhook: { production_url: string };
}

interface Message {
  id: string;
  type: string;
  text: string;
  direction: string;
  seen_by_business?: boolean;
}

const messages = async (): Promise<Message[]> =>
  (await control<{ data: Message[] }>('GET', `messages?to=${CUSTOMER}`)).data;

const messagingTask = (id: number, settings: Record<string, unknown>) => ({
  id,
  type: 'messaging_business',
  settings,
});

test('a webhook sends a message template in under a second; the answer is marked as read and replied to', async () => {
  const tokens = await control<{ access_token: string; refresh_token: string; expires_in: number }>(
    'POST',
    'tokens',
    {},
  );
  const connection = await api<{ id: string }>('POST', '/connections', {
    name: 'Books',
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_in: tokens.expires_in,
    business_account_id: IDS.books,
  });
  const common = { app_connection_id: connection.id, phone_number_id: PHONE };
  const outgoing = await api<Workflow>('POST', '/workflows', {
    name: 'Order confirmation',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      messagingTask(2, {
        ...common,
        action: 'send_template',
        business_account_id: IDS.books,
        recipient: '{{task_1_phone}}',
        template_name: 'order_confirmation',
        template_parameters: '["{{task_1_customer_name}}", "{{task_1_id}}"]',
      }),
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const answering = await api<Workflow>('POST', '/workflows', {
    name: 'Auto-reply',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      messagingTask(2, { ...common, action: 'mark_as_read', message_id: '{{task_1_message_id}}' }),
      messagingTask(3, {
        ...common,
        action: 'send_text',
        recipient: '{{task_1_from}}',
        message_text: 'You wrote: {{task_1_text}}',
      }),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ],
  });
  await api('POST', `/connections/${connection.id}/notifications`);
  await api('PUT', `/connections/${connection.id}/subscriptions/${answering.id}`, { kinds: ['messages'] });

  const posted = performance.now();
  await call('POST', outgoing.webhook.production_url, {
    id: 'A-17',
    phone: `+${CUSTOMER}`,
    customer: { name: 'Guest' },
  });
  await vi.waitFor(async () => expect(await messages()).toHaveLength(1), { timeout: 5000, interval: 10 });
  expect(performance.now() - posted).toBeLessThan(1000);
  expect((await messages())[0]).toMatchObject({
    type: 'template',
    text: expect.stringContaining('order A-17') as string,
  });

  await control('POST', 'customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    text: 'Can I have it gift-wrapped?',
  });
  await vi.waitFor(
    async () => {
      const all = await messages();
      expect(all.find((message) => message.text === 'You wrote: Can I have it gift-wrapped?')).toMatchObject({
        type: 'text',
      });
      expect(all.find((message) => message.text === 'Can I have it gift-wrapped?')?.seen_by_business).toBe(
        true,
      );
    },
    { timeout: 10_000, interval: 25 },
  );
  const { data: runs } = await api<{ data: { status: string }[] }>(
    'GET',
    `/runs?workflow_id=${answering.id}`,
  );
  expect(runs.map((run) => run.status)).toEqual(['succeeded']);
});
