// A workspace's rate applies to all web processes together, and running processes apply a changed setting.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { chain, trigger } from './testing/webhook-doors.ts';

const CONNECTIONS = 8;

let database: TestDatabase;
let db: Database;
const processes: StartedProcess[] = [];
const bases: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'rate-test' });
  for (let n = 0; n < 2; n += 1) {
    const port = await findFreePort();
    const settings = { DATABASE_URL: database.url, PORT: String(port), WEBHOOK_DOOR: 'node' };
    processes.push(await startProcess('server/web.ts', settings));
    bases.push(`http://127.0.0.1:${port}`);
  }
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await db.$client.end();
  await database.drop();
});

const insert = () => insertWorkflow(db.$client, chain(trigger()));

const limit = (workspaceId: string, rate: number | null) =>
  db.$client.query('update workspaces set webhook_rate_per_second = $2 where id = $1', [workspaceId, rate]);

const post = (base: string, token: string): Promise<Response> =>
  fetch(`${base}/webhook/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

/** Posts to both processes over some connections each. @returns the number of responses by status */
async function flood(token: string, isEnough: (answers: number) => boolean): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let answers = 0;
  const lane = async (base: string): Promise<void> => {
    while (!isEnough(answers)) {
      const { status } = await post(base, token);
      counts[status] = (counts[status] ?? 0) + 1;
      answers += 1;
    }
  };
  await Promise.all(bases.flatMap((base) => Array.from({ length: CONNECTIONS }, () => lane(base))));
  return counts;
}

test('two processes accept together what the rate allows, from the first burst on', async () => {
  const { token, workspaceId, workflowId } = await insert();
  await limit(workspaceId, 20);
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  const counts = await flood(token, (answers) => answers >= 200 && seconds() >= 3);
  const allowed = 20 * (1 + seconds());
  expect(Object.keys(counts)).toEqual(['200', '429']);
  expect(counts[200]).toBeLessThanOrEqual(allowed);
  expect(counts[200]).toBeGreaterThan(allowed / 2);
  const { rows } = await db.$client.query('select 1 from events where workflow_id = $1', [workflowId]);
  expect(rows).toHaveLength(counts[200] ?? 0);
});

test('a limit that is set, changed or removed holds in both processes soon after', async () => {
  const { token, workspaceId } = await insert();
  const hundred = () => flood(token, (answers) => answers >= 100);
  expect(Object.keys(await hundred())).toEqual(['200']);
  await limit(workspaceId, 1);
  await vi.waitFor(
    async () => {
      for (const base of bases) {
        const answers = await Promise.all(Array.from({ length: 5 }, () => post(base, token)));
        const refused = answers.filter(({ status }) => status === 429);
        expect(refused.length).toBeGreaterThanOrEqual(4);
        for (const answer of refused) expect(answer.headers.get('retry-after')).toBe('1');
      }
    },
    { timeout: 5000, interval: 50 },
  );
  await limit(workspaceId, null);
  await vi.waitFor(async () => expect(Object.keys(await hundred())).toEqual(['200']), {
    timeout: 5000,
    interval: 50,
  });
});
