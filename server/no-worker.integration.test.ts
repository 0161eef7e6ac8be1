// A web process without workers reports it, and a process whose metrics port is taken works without metrics.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type MailServer, startMailServer } from '#lib/testing/mail-server.ts';
import { buildIfNeeded } from './launcher/build.ts';
import { waitingFlow } from './testing/waiting-flow.ts';

const root = new URL('..', import.meta.url).pathname;
const API_KEY = 'an-api-key-of-a-test-0123456789abcdef';
const TOLD_MS = 60_000;

let database: TestDatabase;
let client: Client;
let mail: MailServer;
let settings: Record<string, string>;
let url: string;
let web: StartedProcess;
let worker: StartedProcess | undefined;
beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  mail = await startMailServer();
  const port = await findFreePort();
  url = `http://localhost:${port}`;
  settings = {
    ...mail.settings,
    DATABASE_URL: database.url,
    PORT: String(port),
    BASE_URL: url,
    PATCHBAY_API_KEY: API_KEY,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LOG_LEVEL: 'fatal',
    MISSING_WORKER_SECONDS: '5',
  };
  web = await startProcess('server/web.ts', settings);
}, 300_000);
afterAll(async () => {
  await worker?.stop();
  await web.stop();
  await mail.close();
  await client.end();
  await database.drop();
});

const post = (path: string, body: object) =>
  fetch(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const one = async <Row extends object>(text: string): Promise<Row | undefined> =>
  (await client.query<Row>(text)).rows[0];

test(
  'without a worker the owner gets a mail and the run waits; a worker that starts executes it, and all is well again',
  async () => {
    await client.query(`
      with owner as (insert into users (id, email) values (gen_random_uuid(), 'owner@example.com') returning id)
      insert into memberships (workspace_id, user_id, role) select w.id, owner.id, 'owner' from workspaces w, owner`);
    const created = await post(`${url}/api/v1/workflows`, waitingFlow('Waits', 1));
    const { webhook } = (await created.json()) as { webhook: { production_url: string } };
    expect((await post(webhook.production_url, { who: 'Guest' })).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { workers: 0 }]);

    await vi.waitFor(() => expect(mail.received).toHaveLength(1), { timeout: TOLD_MS, interval: 200 });
    expect(mail.received[0]).toContain('To: owner@example.com');
    // Lines of quoted-printable joined.
    const text = mail.received[0]?.replaceAll('=\r\n', '');
    expect(text).toContain('<title>No worker is running');
    expect(text).toContain('Messages wait; nothing is lost.');
    expect(await one(`select status from runs`)).not.toEqual({ status: 'succeeded' });

    // The metrics port is taken: the worker still works.
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    let output = '';
    worker = await startProcess(
      'server/worker.ts',
      { ...settings, LOG_LEVEL: 'error', METRICS_PORT: String(port) },
      { onOutput: (text) => (output += text) },
    );
    await vi.waitFor(async () =>
      expect(await one(`select status from runs`)).toEqual({ status: 'succeeded' }),
    );
    expect(output).toContain(`port ${port} (METRICS_PORT)`);
    await new Promise((closed) => taken.close(closed));
    await vi.waitFor(async () =>
      expect(await one(`select told_of from alert_states where matter = 'queue:workers'`)).toEqual({
        told_of: null,
      }),
    );
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(mail.received).toHaveLength(1);
  },
  2 * TOLD_MS,
);
