// The two doors as processes, a client that can send anything, and queries for checks.
import { request } from 'node:http';
import { afterAll, expect } from 'vitest';
import type { Database } from '#lib/core/db/client.ts';
import { NO_PAGE_POLICY } from '#lib/core/http/answer-headers.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { StartedPart } from './product.ts';
import { share } from './share.ts';
import { startTestProduct, type TestProduct } from './test-product.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export const DOORS = ['node', 'next'] as const;
export const MEGABYTE = 1024 * 1024;
export const LIMIT = 10 * MEGABYTE;

export let db: Database;
/** The address of each door. */
export const bases = new Map<string, URL>();
export const addressOf = (door: string): URL => {
  const base = bases.get(door);
  if (!base) throw new Error(`The door ${door} is not open.`);
  return base;
};
let product: TestProduct;
const ownDoors: StartedPart[] = [];

/** A worker and a web process for each door, on one database. */
const shareDoors = share(async () => {
  const started = await startTestProduct({
    parts: ['worker'],
    sandbox: false,
    settings: { ANSWER_TIMEOUT_SECONDS: '3', MAX_BYTES_IN_FLIGHT: String(24 * MEGABYTE) },
  });
  for (const door of DOORS) {
    const { base } = await started.start('web', { WEBHOOK_DOOR: door });
    bases.set(door, new URL(base));
  }
  return started;
});

/** Opens the doors for a file's tests, which each have their own workflows. */
export function setUpDoors(): void {
  shareDoors((shared) => {
    product = shared;
    db = shared.db;
  });
  afterAll(() => Promise.all(ownDoors.splice(0).map((door) => door.stop())));
}

/** Starts a further web process on the same database; it is stopped after the file unless the test stops it. */
export async function startDoor(
  door: string,
  more: Record<string, string> = {},
): Promise<{ base: URL; process: StartedPart }> {
  const started = await product.start('web', { ...more, WEBHOOK_DOOR: door });
  ownDoors.push(started);
  return { base: new URL(started.base), process: started };
}

interface Send {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  chunked?: boolean;
}

/** Sends a request to a door, on its own connection. */
export function send(
  door: string,
  path: string,
  { method = 'POST', headers = {}, body, chunked = false }: Send = {},
): Promise<Answer> {
  const url = new URL(path, bases.get(door));
  return new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) };
    const req = request(url, { method, headers: { ...length, ...headers }, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    let answered = false;
    req.on('response', () => (answered = true));
    req.on('error', (error) => {
      if (!answered) reject(error);
    });
    if (chunked && body !== undefined) {
      const bytes = Buffer.from(body);
      for (let at = 0; at < bytes.length; at += 65_536) req.write(bytes.subarray(at, at + 65_536));
      req.end();
    } else {
      req.end(body);
    }
  });
}

export const json = { 'content-type': 'application/json' };
export const errorCode = (answer: { body: string; headers?: unknown }): string =>
  (JSON.parse(answer.body) as { error: { code: string } }).error.code;

export const trigger = (settings: Record<string, unknown> = {}): WorkflowTask => ({
  id: 1,
  type: 'inbound_webhook',
  name: 'Order arrives',
  settings: {
    response_type: 'immediate',
    response_body: '{"status":"received"}',
    response_format: 'auto',
    redirect_url: '',
    ...settings,
  },
});
export const setTask = (id: number, value: string): WorkflowTask => ({
  id,
  type: 'set_variables',
  name: 'Text',
  settings: { variables: [{ name: 'text', value }] },
});
export const failTask = (id: number): WorkflowTask => ({
  id,
  type: 'loop',
  name: 'Fails',
  settings: { items: 'no list', pause_seconds: 0, on_item_failure: 'stop' },
});
export const delayTask = (id: number, seconds: number): WorkflowTask => ({
  id,
  type: 'delay',
  name: 'Wait',
  settings: { mode: 'for', amount: seconds, unit: 'seconds', until: '' },
});
export const chain = (...tasks: WorkflowTask[]): WorkflowGraph => ({
  tasks,
  edges: tasks.slice(1).map((task, index) => ({ from: tasks[index]?.id ?? 0, to: task.id })),
});

export const eventOf = async (answer: Answer) => {
  const id = answer.headers['x-event-id'];
  const { rows } = await db.$client.query<{
    outcome: string;
    reason: string | null;
    kind: string;
    body: Buffer | null;
    run_id: string | null;
  }>('select outcome, reason, kind, body, run_id from events where id = $1', [id]);
  return rows[0];
};

export const countEvents = async (workflowId: string): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    'select count(*)::int as count from events where workflow_id = $1',
    [workflowId],
  );
  return rows[0]?.count ?? 0;
};

export function expectCommonHeaders(answer: Answer): void {
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['content-security-policy']).toBe(NO_PAGE_POLICY);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(String(answer.headers['content-type'] ?? '')).not.toContain('text/html');
}
