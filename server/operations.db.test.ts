// Every operation of the API is called with its sample, and responds as documented (docs/api.md).
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OPERATIONS } from '#lib/api/operations/operations.ts';
import { handleApiRequest } from '#lib/api/route.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { type MessagingWorld, startMessagingWorld } from '#lib/messaging/testing/messaging-world.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { OPERATION_CASES } from './testing/authorization-operations.ts';
import { createTargets, type Targets } from './testing/authorization-targets.ts';
import { PASSWORD } from './testing/authorization-world.ts';

const SAMPLES = 'server/testing/authorization-operations.ts';
/** The operator's key has all rights. */
const KEY = 'the-key-of-the-environment-of-this-test';
const SILENT = { sent_after_ms: 3_600_000, template_review_ms: 3_600_000 };

let world: MessagingWorld;
let things: Targets;
let receiver: Server;
let baseUrl: string;

beforeAll(async () => {
  world = await startMessagingWorld({}, SILENT);
  // The operations read the platform's address from the settings of the process.
  for (const [name, value] of Object.entries({ ...world.variables, LOG_LEVEL: 'silent' }))
    vi.stubEnv(name, value);
  const owner = await createFirstOwner(world.ctx.db, { email: 'owner@example.com', password: PASSWORD });
  // The platform performs the handshake before it sends notifications.
  receiver = createServer(({ url = '' }, response) => {
    response.end(new URL(url, 'http://receiver').searchParams.get('hub.challenge'));
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const ctx = { ...world.ctx, actor: owner.id, baseUrl };
  const engine = new TestEngine(ctx);
  things = createTargets({
    ctx,
    mark: 'sample',
    receive: async (...event) => (await engine.receive(...event)).eventId,
    sandboxUrl: world.sandbox.url,
    secrets: new Set(),
    planted: new Set(),
  });
  // So that no list is empty.
  for (const make of ['failedRun', 'deletedWorkflowId', 'failedDeliveryId', 'message'] as const)
    await things[make]();
});
afterAll(async () => {
  await (await processRuntime()).close();
  vi.unstubAllEnvs();
  receiver.close();
  await world.end();
});

test(`every operation has a sample in ${SAMPLES}, and nothing else has`, () => {
  const ids = OPERATIONS.map(({ id }) => id);
  const samples = Object.keys(OPERATION_CASES);
  expect(ids.filter((id) => !samples.includes(id)).map((id) => `${id}: add a sample to ${SAMPLES}`)).toEqual(
    [],
  );
  expect(samples.filter((id) => !ids.includes(id))).toEqual([]);
});

/** Creating operations are first, then listing ones, then deleting ones. */
const ORDER = ['PUT', 'POST', 'GET', 'DELETE'];
const withSample = OPERATIONS.filter(({ id }) => id in OPERATION_CASES).toSorted(
  (a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method),
);

test.each(withSample.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
  const sample = OPERATION_CASES[id]!;
  const params = (await sample.params?.(things)) ?? {};
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const { body } = sample;
  const request = new Request(`http://localhost/api/v1${path}`, {
    method: operation.method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const { db, secrets, logger } = world.runtime;
  const runtime = { db, secrets, logger, baseUrl, environmentKey: KEY };
  const response = await handleApiRequest(runtime, request);
  const text = await response.text();
  expect(response.status, text).toBe(operation.status);
  if (operation.mediaTypes)
    expect(operation.mediaTypes).toContain(response.headers.get('content-type')?.split(';')[0]);
  else if (!operation.response) expect(text).toBe('');
  else {
    const answer = JSON.parse(text) as { data?: unknown[] };
    expect(operation.response.safeParse(answer).error).toBeUndefined();
    if (answer.data && operation.method === 'GET') expect(answer.data, 'an empty list').not.toEqual([]);
  }
});
