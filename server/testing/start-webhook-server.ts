// The product as a process for tests with many webhooks: the door on its own database and a client that keeps its connections.
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Pool } from '#lib/core/db/client.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { startTestProduct, type TestProduct } from './test-product.ts';

/** Maximum number of concurrent requests. */
export const CONNECTIONS = 32;

/** A redirect's target may be long: that only affects the client. */
const MAX_HEADER_BYTES = 1024 * 1024;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookServer extends TestProduct {
  pool: Pool;
  /** Posts a body as `application/json`. */
  post(path: string, body: string | Buffer): Promise<Answer>;
}

/** Starts the web process under these settings, without a platform, on its own database. */
export async function startWebhookServer(settings: Record<string, string> = {}): Promise<WebhookServer> {
  const product = await startTestProduct({
    parts: ['web'],
    sandbox: false,
    settings: { WEBHOOK_DOOR: 'node', ...settings },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const { stop } = product;
  return Object.assign(product, {
    pool: product.db.$client,
    post: (path: string, body: string | Buffer) => post(new URL(path, product.base), body, agent),
    async stop() {
      agent.destroy();
      await stop();
    },
  });
}

function post(url: URL, body: string | Buffer, agent: Agent): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, agent, maxHeaderSize: MAX_HEADER_BYTES };
    const req = request(url, options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
      res.on('error', reject);
    });
    req.on('error', reject);
    req.end(body);
  });
}

/** The `code` and `message` of an error response; both empty for other responses. */
export function errorOf({ body }: Answer): { code: string; message: string } {
  const { error } = JSON.parse(body) as { error?: { code: string; message: string } };
  return error ?? { code: '', message: '' };
}

/** A trigger with id 1 that responds immediately by default. */
export function triggerTask(settings: Record<string, unknown> = {}): WorkflowTask {
  const defaults = {
    response_type: 'immediate',
    response_body: '{"status":"received"}',
    response_format: 'auto',
    redirect_url: '',
  };
  return { id: 1, type: 'inbound_webhook', name: 'Order arrives', settings: { ...defaults, ...settings } };
}

/** A task whose output is one value under the name `text`. */
export function setTextTask(id: number, value: unknown): WorkflowTask {
  return { id, type: 'set_variables', name: 'Text', settings: { variables: [{ name: 'text', value }] } };
}

/** Tasks one after another. */
export function chain(...tasks: WorkflowTask[]): WorkflowGraph {
  return {
    tasks,
    edges: tasks.slice(1).map((task, index) => ({ from: tasks[index]?.id ?? 0, to: task.id })),
  };
}

/** Processes every item, with limited concurrency. */
export async function forEachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}
