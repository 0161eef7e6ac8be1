// Acknowledged webhooks survive kill -9 of any process; processes share the work (docs/webhooks.md and docs/engine.md).
import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type StartedProcess, startProcess as start } from '#lib/testing/start-process.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { buildIfNeeded } from './launcher/build.ts';

/** `npm run chaos` kills hundreds of times; here a few, with little load. */
const KILLS = 6;
const POSTERS = 4;
const SCHEDULES = 40;
/** Few, as what they execute takes the processor from the worker that takes them over. */
const HELD_RUNS = 4;
/** Of all starts one after another. */
const ALL_KILLS_MS = 15 * 60_000;
const PATIENCE_MS = 120_000;
const root = new URL('..', import.meta.url).pathname;

let database: TestDatabase;
let db: Database;
const running: StartedProcess[] = [];

async function startProcess(...parameters: Parameters<typeof start>): Promise<StartedProcess> {
  const started = await start(...parameters);
  running.push(started);
  return started;
}

beforeAll(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createTestDatabase();
  db = openDatabase(database.url, { name: 'kills-test' });
});

/** Those of a test that failed would share the work of the next one. */
afterEach(() => Promise.all(running.splice(0).map((started) => started.kill())));

afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

const GRAPH: WorkflowGraph = {
  tasks: [
    {
      id: 1,
      type: 'inbound_webhook',
      name: 'In',
      settings: {
        response_type: 'immediate',
        response_body: '{"n":{{n}}}',
        response_format: 'auto',
        redirect_url: '',
      },
    },
    {
      id: 2,
      type: 'loop',
      name: 'Thrice',
      settings: { items: [1, 2, 3], pause_seconds: 0, on_item_failure: 'stop' },
    },
    {
      id: 3,
      type: 'set_variables',
      name: 'Set',
      settings: { variables: [{ name: 'text', value: '{{task_1_n}}/{{task_2_item}}' }] },
    },
    {
      id: 4,
      type: 'set_variables',
      name: 'End',
      settings: { variables: [{ name: 'count', value: '{{task_2_count}}' }] },
    },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 2, to: 4, branch: 'done' },
  ],
};

function post(
  agent: Agent,
  port: number,
  path: string,
  body: string,
): Promise<{ status: number; eventId: string } | undefined> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const req = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (res) => {
      res.resume();
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, eventId: String(res.headers['x-event-id']) }),
      );
      res.on('error', () => resolve(undefined));
    });
    req.on('error', () => resolve(undefined));
    req.end(body);
  });
}

const unfinished = async (): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from runs where status not in ('succeeded', 'failed', 'cancelled')`,
  );
  return rows[0]?.count ?? 0;
};

describe('kill -9', { timeout: ALL_KILLS_MS }, () => {
  it(`of web or worker under load, ${KILLS} times: every acknowledged webhook has one event and one run that finishes`, async () => {
    const { token } = await insertWorkflow(db.$client, GRAPH);
    const port = await findFreePort();
    let webs = 0;
    const startWeb = () =>
      startProcess('server/web.ts', {
        DATABASE_URL: database.url,
        PORT: String(port),
        FIRST_LEG: webs++ % 2 === 0 ? 'on' : 'off',
      });
    const startWorker = () => startProcess('server/worker.ts', { DATABASE_URL: database.url });
    let [web, worker] = await Promise.all([startWeb(), startWorker()]);
    const acknowledged: string[] = [];
    let posting = true;
    const agent = new Agent({ keepAlive: true, maxSockets: POSTERS });
    const posters = Array.from({ length: POSTERS }, async (_, poster) => {
      for (let n = 0; posting; n += 1) {
        const answer = await post(agent, port, `/webhook/${token}`, JSON.stringify({ n: poster * 1e6 + n }));
        if (answer?.status === 200) acknowledged.push(answer.eventId);
        else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    for (let round = 0; round < KILLS; round += 1) {
      const before = acknowledged.length;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 30), {
        timeout: PATIENCE_MS,
        interval: 10,
      });
      if (round % 2 === 0) {
        await web.kill();
        web = await startWeb();
      } else {
        await worker.kill();
        worker = await startWorker();
      }
    }
    posting = false;
    await Promise.all(posters);
    agent.destroy();
    await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: PATIENCE_MS, interval: 100 });
    const { rows } = await db.$client.query<{ events: number; runs: number; succeeded: number }>(
      `select count(distinct e.id)::int as events, count(r.id)::int as runs,
         count(*) filter (where r.status = 'succeeded')::int as succeeded
       from unnest($1::uuid[]) as acknowledged(id) join events e using (id) join runs r on r.event_id = e.id`,
      [acknowledged],
    );
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(rows[0]).toEqual({
      events: acknowledged.length,
      runs: acknowledged.length,
      succeeded: acknowledged.length,
    });
    await Promise.all([web.stop(), worker.stop()]);
  });

  it(`of workers around the times of ${SCHEDULES} schedules: each time starts its workflow once`, async () => {
    const tasks = [
      { id: 1, type: 'schedule_trigger', name: 'Schedule', settings: {} },
      { id: 2, type: 'set_variables', name: 'Set', settings: { variables: [{ name: 'a', value: '1' }] } },
    ];
    const startWorker = () => startProcess('server/worker.ts', { DATABASE_URL: database.url });
    const workers = await Promise.all([startWorker(), startWorker()]);
    for (let n = 0; n < SCHEDULES; n += 1) {
      const { workflowId, workspaceId } = await insertWorkflow(db.$client, {
        tasks,
        edges: [{ from: 1, to: 2 }],
      });
      await db.$client.query(
        `insert into schedules (workflow_id, workspace_id, cron, when_missed, next_at)
         values ($1, $2, '0 0 1 1 *', 'once', now() + $3 * interval '150 milliseconds')`,
        [workflowId, workspaceId, n],
      );
    }
    const started = async (): Promise<number> => {
      const { rows } = await db.$client.query<{ count: number }>(
        `select count(*)::int as count from events where kind = 'schedule'`,
      );
      return rows[0]?.count ?? 0;
    };
    for (let round = 0; round < KILLS && (await started()) < SCHEDULES; round += 1) {
      const before = await started();
      await vi.waitFor(async () => expect(await started()).toBeGreaterThan(before), {
        timeout: PATIENCE_MS,
        interval: 5,
      });
      await workers[round % 2]?.kill();
      workers[round % 2] = await startWorker();
    }
    await vi.waitFor(
      async () => {
        expect(await started()).toBeGreaterThanOrEqual(SCHEDULES);
        expect(await unfinished()).toBe(0);
      },
      { timeout: PATIENCE_MS, interval: 50 },
    );
    const { rows } = await db.$client.query<{ events: number; runs: number }>(
      `select count(distinct e.id)::int as events, count(r.id) filter (where r.status = 'succeeded')::int as runs
       from schedules s left join events e on e.workflow_id = s.workflow_id left join runs r on r.event_id = e.id
       group by s.workflow_id`,
    );
    expect(rows).toEqual(Array.from({ length: SCHEDULES }, () => ({ events: 1, runs: 1 })));
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('runs of a dead worker continue in another one', async () => {
    const slow: WorkflowGraph = { ...GRAPH, tasks: GRAPH.tasks.map((task) => ({ ...task })) };
    const loop = slow.tasks[1];
    if (loop) loop.settings = { count: 100_000 / 10, pause_seconds: 0, on_item_failure: 'stop' };
    const { token } = await insertWorkflow(db.$client, slow);
    const port = await findFreePort();
    const web = await startProcess('server/web.ts', { DATABASE_URL: database.url, PORT: String(port) });
    const doomed = await startProcess('server/worker.ts', { DATABASE_URL: database.url });
    const agent = new Agent({ keepAlive: true });
    for (let n = 0; n < HELD_RUNS; n += 1) await post(agent, port, `/webhook/${token}`, '{"n":1}');
    agent.destroy();
    await vi.waitFor(
      async () => {
        const { rows } = await db.$client.query(`select 1 from runs where status = 'running'`);
        expect(rows.length).toBeGreaterThan(0);
      },
      { timeout: PATIENCE_MS, interval: 5 },
    );
    await doomed.kill();
    const { rows: held } = await db.$client.query<{ id: string }>(
      `select id from runs where status = 'running'`,
    );
    const heir = await startProcess('server/worker.ts', { DATABASE_URL: database.url });
    expect(held.length).toBeGreaterThan(0);
    await vi.waitFor(
      async () => {
        const { rows } = await db.$client.query(`select 1 from runs where id = any($1) and epoch < 2`, [
          held.map((run) => run.id),
        ]);
        expect(rows).toHaveLength(0);
      },
      { timeout: PATIENCE_MS, interval: 50 },
    );
    await vi.waitFor(async () => expect(await unfinished()).toBe(0), { timeout: PATIENCE_MS, interval: 100 });
    await Promise.all([web.stop(), heir.stop()]);
  });
});

describe('several processes on one database', () => {
  it('two web and two worker processes share the work, and obey each other on the next request', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, GRAPH);
    const ports = [await findFreePort(), await findFreePort()];
    const webs = await Promise.all(
      ports.map((port) =>
        startProcess('server/web.ts', { DATABASE_URL: database.url, PORT: String(port), FIRST_LEG: 'off' }),
      ),
    );
    const workers = await Promise.all(
      [0, 1].map(() => startProcess('server/worker.ts', { DATABASE_URL: database.url })),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const path = `/webhook/${token}`;
    let posted = 0;
    const share = async (): Promise<number[]> => {
      const { rows } = await db.$client.query<{ count: number }>(
        'select count(*)::int as count from runs where workflow_id = $1 group by worker_id',
        [workflowId],
      );
      return rows.map(({ count }) => count);
    };
    // One worker alone may be quick enough for the first ones.
    for (let shares: number[] = []; shares.length < 2; shares = await share()) {
      expect(posted, 'runs that one worker alone took').toBeLessThan(40_000);
      const statuses = await Promise.all(
        Array.from(
          { length: 2000 },
          async (_, n) => (await post(agent, ports[n % 2] ?? 0, path, `{"n":${n}}`))?.status,
        ),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      posted += statuses.length;
      await vi.waitFor(async () => expect(await unfinished()).toBe(0), {
        timeout: PATIENCE_MS,
        interval: 50,
      });
    }
    const shares = await share();
    expect(shares).toHaveLength(2);
    expect(shares.reduce((sum, count) => sum + count, 0)).toBe(posted);
    for (const [active, expected] of [
      [false, 409],
      [true, 200],
    ] as const) {
      await db.$client.query('update workflows set active = $2 where id = $1', [workflowId, active]);
      for (const port of ports) expect((await post(agent, port, path, '{"n":1}'))?.status).toBe(expected);
    }
    agent.destroy();
    await Promise.all([...webs, ...workers].map((started) => started.stop()));
  });
});
