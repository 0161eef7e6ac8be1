// An assistant builds, tests, publishes and explains a workflow through the running product: by the SDK's own client, over HTTP
// and over standard input and output.
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_API_BODY_BYTES } from '#lib/api/parse-input.ts';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { hasScope, type KeyScope } from '#lib/identity/api-keys/scopes.ts';
import { startTestProduct, type TestProduct } from './testing/test-product.ts';

const root = join(import.meta.dirname, '..');
const SECRET = 'planted-secret-of-the-workspace';

let server: TestProduct;
let base: string;
const keys = new Map<KeyScope, string>();
const open: Client[] = [];

beforeAll(async () => {
  server = await startTestProduct();
  base = server.base;
  await server.api('PUT', '/secrets/shop_key', { value: SECRET });
  for (const scope of ['read', 'run', 'edit'] as const) {
    const made = await server.api<{ key: string }>('POST', '/api-keys', { name: scope, scope });
    keys.set(scope, made.key);
  }
});
afterAll(async () => {
  for (const client of open) await client.close();
  await server.stop();
});

const overHttp = (key: string) =>
  new StreamableHTTPClientTransport(new URL(`${base}/api/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });

const overStdio = (key: string) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'server', 'bootstrap.mjs'), 'server/patchbay.ts', 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', PATCHBAY_URL: base, PATCHBAY_API_KEY: key },
  });

const WAYS = { HTTP: overHttp, stdio: overStdio };

interface Assistant {
  names: string[];
  client: Client;
  /** The result of a tool. @throws Error with the tool's error */
  use: <Result>(name: string, args?: Record<string, unknown>) => Promise<Result>;
}

async function connect(way: keyof typeof WAYS, scope: KeyScope, mode?: 'auto'): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' }, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(WAYS[way](keys.get(scope) ?? ''));
  open.push(client);
  const { tools } = await client.listTools();
  return {
    client,
    names: tools.map(({ name }) => name),
    use: async <Result>(name: string, args: Record<string, unknown> = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      expect(text).not.toContain(SECRET);
      if (isError) throw new Error(text);
      if (structuredContent) expect(JSON.parse(text)).toEqual(structuredContent);
      return structuredContent as Result;
    },
  };
}

interface Workflow {
  id: string;
  tasks: object[];
  edges: object[];
  draft_revision: number;
  webhook: { production_url: string };
}
interface Run {
  id: string;
  status: string;
  event_id: string;
  error: { task_id: number; message: string } | null;
}

const settled = (assistant: Assistant, id: string): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = await assistant.use<Run>('getRun', { id });
      expect(run.status).toMatch(/succeeded|failed/);
      return run;
    },
    { interval: 100 },
  );

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('over %s', (way) => {
  test('an assistant builds a workflow, tests it, publishes it, and says why a run failed', async () => {
    const assistant = await connect(way, 'edit');
    const { use } = assistant;
    const types = await use<{ data: { type: string }[] }>('listTaskTypes');
    expect(types.data.map(({ type }) => type)).toContain('http_request');
    const { settings } = await use<{ settings: { properties: object } }>('getTaskType', {
      type: 'http_request',
    });
    expect(Object.keys(settings.properties)).toContain('url');

    const made = await use<Workflow>('createWorkflow', {
      body: {
        name: `By an assistant over ${way}`,
        tasks: [
          { id: 1, type: 'inbound_webhook' },
          {
            id: 2,
            type: 'set_variables',
            settings: { variables: [{ name: 'greeting', value: 'Hello {{task_1_nmae}}' }] },
          },
        ],
        edges: [{ from: 1, to: 2 }],
      },
    });
    const { id } = made;
    const variables = await use<{ data: { variable: string }[] }>('listVariables', { id, task_id: 2 });
    expect(variables.data.map(({ variable }) => variable)).toContain('{{$now}}');

    const tasks = [
      made.tasks[0],
      {
        id: 2,
        type: 'set_variables',
        settings: { variables: [{ name: 'greeting', value: 'Hello {{task_1_name}}' }] },
      },
      {
        id: 3,
        type: 'http_request',
        name: 'Ask the shop',
        settings: {
          url: 'http://127.0.0.1:9/{{task_1_name}}',
          headers: [{ name: 'X-Key', value: '{{secret.shop_key}}' }],
        },
      },
    ];
    const edges = [...made.edges, { from: 2, to: 3 }];
    const body = { name: 'Greeting', tasks, edges, draft_revision: made.draft_revision };
    await expect(use('replaceDraft', { id, body: { ...body, draft_revision: 99 } })).rejects.toThrow(
      /^conflict: /,
    );
    await use('replaceDraft', { id, body });
    expect(await use('checkDraft', { id })).toMatchObject({ can_publish: true });

    const tested = await use<Run>('runDraft', { id, body: { body: { name: 'Ada' } } });
    expect(await settled(assistant, tested.id)).toMatchObject({ status: 'failed' });

    const { webhook } = await use<Workflow>('publishWorkflow', { id });
    const called = await fetch(webhook.production_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Grace' }),
    });
    expect(called.status).toBe(200);
    const { data } = await use<{ data: Run[] }>('listRuns', { workflow_id: id });
    const failed = data.find((run) => run.id !== tested.id);
    const run = await settled(assistant, failed?.id ?? '');
    expect(run).toMatchObject({ status: 'failed', error: { task_id: 3 } });
    expect(await use('getEvent', { id: run.event_id })).toMatchObject({ body: { name: 'Grace' } });
    expect(await use('getTaskRun', { id: run.id, task_id: run.error?.task_id })).toMatchObject({
      settings: expect.arrayContaining([
        expect.objectContaining({ name: 'url', filled: 'http://127.0.0.1:9/Grace' }),
        expect.objectContaining({
          name: 'headers',
          set_to: expect.stringContaining('{{secret.shop_key}}') as string,
        }),
      ]) as unknown,
      error: { code: expect.any(String) as string, message: expect.any(String) as string },
    });
  });

  test.each(['read', 'run', 'edit'] as const)(
    'a key with the scope %s is given the tools of its scope',
    async (scope) => {
      const { names, client } = await connect(way, scope);
      const allowed = OPERATIONS.filter((operation) => operation.isTool && hasScope(scope, operation.scope));
      expect(names.sort()).toEqual(allowed.map(({ id }) => id).sort());
      const { tools } = await client.listTools();
      for (const { name, annotations } of tools)
        expect(annotations?.readOnlyHint, name).toBe(
          OPERATIONS.find(({ id }) => id === name)?.method === 'GET',
        );
      if (scope === 'read') expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    },
  );

  test('a key that may only read is refused when it calls a tool that changes something', async () => {
    const { use, client } = await connect(way, 'read');
    const before = await use('listWorkflows');
    await expect(
      use('createWorkflow', { body: { name: 'No', tasks: [{ id: 1, type: 'inbound_webhook' }] } }),
    ).rejects.toThrow('forbidden: This API key has the scope "read"; this needs "edit".');
    expect(await use('listWorkflows')).toEqual(before);
    await expect(client.callTool({ name: 'createApiKey', arguments: {} })).rejects.toThrow(
      'There is no tool',
    );
  });

  test('clients of the newest version of the protocol are served as those of the versions before it', async () => {
    const [older, newest] = [await connect(way, 'run'), await connect(way, 'run', 'auto')];
    expect([older.client.getProtocolEra(), newest.client.getProtocolEra()]).toEqual(['legacy', 'modern']);
    expect(newest.names).toEqual(older.names);
    expect(await newest.use('getCurrentKey')).toMatchObject({ scope: 'run' });
  });

  test('what is wrong with arguments is said by name', async () => {
    const { use } = await connect(way, 'read');
    await expect(use('getRun', { run: 'x' })).rejects.toThrow(
      'invalid_request: the arguments do not fit.\nrun: Unknown argument: remove it.\nid: Enter a value.',
    );
    await expect(use('getRun', { id: { $ne: '' } })).rejects.toThrow('id: Enter a text or a number.');
    await expect(use('listRuns', { limit: 0 })).rejects.toThrow(/^invalid_request: [\s\S]*\nlimit: /);
    await expect(use('getRun', { id: '../secrets' })).rejects.toThrow(/^not_found: /);
  });
});

describe('who may speak to /api/mcp', () => {
  const post = (headers: Record<string, string>, body = '{}') =>
    fetch(`${base}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys.get('read')}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });

  test('without a key, or with one that is none: 401', async () => {
    for (const authorization of ['', 'Bearer pb_unknown']) {
      const answer = await post({ authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('pages of other sites are refused, and no browser is told that it may ask', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      const answer = await post({ origin });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    const preflight = await fetch(`${base}/api/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect(preflight.status).toBe(405);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a host name that is not ours is refused: it may have been made to lead here', async () => {
    const { port } = new URL(base);
    expect(await statusWithHost(`rebound.example:${port}`)).toBe(403);
    expect(await statusWithHost(`localhost:${port}`)).not.toBe(403);
  });

  const statusWithHost = (host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        host,
        authorization: `Bearer ${keys.get('read')}`,
        'content-type': 'application/json',
      };
      const asked = request(`${base}/api/mcp`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.on('error', reject);
      asked.end('{}');
    });

  test('there is no session: GET and DELETE are refused, and so is a body that is too large', async () => {
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(`${base}/api/mcp`, { method })).status).toBe(405);
    expect((await post({}, ' '.repeat(MAX_API_BODY_BYTES + 1))).status).toBe(413);
  });
});
