// While the database is unavailable, the processes log each kind of failure once, then count.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { chain, trigger } from './testing/webhook-doors.ts';

const REFUSED = 500;
const PATIENCE = { interval: 100 };
/** One stack for each kind of failure in two processes, and some counts. */
const MAX_OUTPUT_CHARACTERS = 20_000;

interface Line {
  level: number;
  msg: string;
  err?: { stack: string };
  count?: number;
}

let database: TestDatabase;
let db: Database;
let proxy: FaultProxy;
let base: string;
const processes: StartedProcess[] = [];
let output = '';

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'outage-test' });
  const { hostname, port: databasePort } = new URL(database.url);
  proxy = await startFaultProxy({ host: hostname, port: Number(databasePort) });
  const port = await findFreePort();
  base = `http://127.0.0.1:${port}`;
  const settings = { DATABASE_URL: proxy.through(database.url), PORT: String(port), WEBHOOK_DOOR: 'node' };
  const onOutput = (text: string): void => void (output += text);
  processes.push(await startProcess('server/worker.ts', settings, { onOutput }));
  processes.push(await startProcess('server/web.ts', settings, { onOutput }));
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await db.$client.end();
  await database.drop();
});

const readLines = (): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

const linesOf = (message: string): Line[] => readLines().filter(({ msg }) => msg.startsWith(message));

/** Number of failures in the log. */
const total = (message: string): number =>
  linesOf(message).reduce((sum, { msg, count }) => sum + (count ?? (msg === message ? 1 : 0)), 0);

test('refused webhooks and missed heartbeats are counted, not each written', async () => {
  const { token } = await insertWorkflow(db.$client, chain(trigger()));
  const post = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${base}/webhook/${token}`, { method: 'POST', headers, body: '{}' })).status;
  };
  expect(await post()).toBe(200);
  await proxy.cut();
  for (let sent = 0; sent < REFUSED; sent += 1) expect(await post()).toBe(503);
  await vi.waitFor(() => expect(total('a webhook could not be received')).toBe(REFUSED), PATIENCE);
  await vi.waitFor(
    () => expect(total('the heartbeat could not reach the database')).toBeGreaterThan(5),
    PATIENCE,
  );
  await proxy.restore();
  await vi.waitFor(async () => expect(await post()).toBe(200), PATIENCE);
  await vi.waitFor(() => expect(linesOf('a webhook could not be received (over)')).toHaveLength(1), PATIENCE);
  expect(linesOf('a webhook could not be received').filter(({ err }) => err?.stack)).toHaveLength(1);
  expect(output.length).toBeLessThan(MAX_OUTPUT_CHARACTERS);
});
