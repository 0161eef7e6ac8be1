// The defects that chaos injects, on one run: a worker is suspended while it sends, another one takes over the run, and the
// first resumes.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import { type Database, openDatabase, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { RunHost } from '#lib/engine/queue/run-host.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { sentMessages } from '#lib/messaging/schema/messaging.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { EPOCH_CHECK, withoutRecord } from '../protections.ts';
import { check, type SentMessage } from './check.ts';
import type { Product } from './product.ts';
import { isProven } from './report.ts';
import type { SABOTAGES } from './sabotages.ts';
import { MESSAGES_OF_AN_ORDER } from './workflows.ts';

const ORDER = 'C-1';
const DELIVERED = {
  connectionId: newId(),
  phoneNumberId: '1',
  recipient: '15550101002',
  status: 'delivered' as const,
  statusAt: new Date(),
  timeline: [],
};

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 4 });
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

interface Engine {
  pool: () => Pool;
  change: (executor: TaskExecutor) => TaskExecutor;
}

const WHOLE: Engine = { pool: () => db.$client, change: (executor) => executor };
const WITHOUT: Record<keyof typeof SABOTAGES, Engine> = {
  record: { ...WHOLE, change: withoutRecord },
  epoch: { ...WHOLE, pool: () => rewriting(db.$client, EPOCH_CHECK) },
};

/** A pool that removes a part of statements. */
function rewriting(pool: Pool, part: string): Pool {
  const query = ({ text, values }: { text: string; values: unknown[] }) =>
    pool.query(text.replace(part, ''), values);
  return { query } as unknown as Pool;
}

/** A worker that is suspended in its first send, after the platform accepted the message. */
async function startWorker({ pool, change }: Engine, journal: SentMessage[]) {
  const workerId = newId();
  await db.$client.query(`insert into processes (id, kind) values ($1, 'worker')`, [workerId]);
  const [sends, continues, lets] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const send: TaskExecutor = {
    ifInterrupted: () => 'flag',
    async execute(context) {
      await context.recordSideEffect();
      const text = `${ORDER}.${context.taskId - 1}`;
      const id = newId();
      await db.insert(sentMessages).values({ ...DELIVERED, messageId: id, workspaceId: newId() });
      journal.push({ id, text, status: DELIVERED.status });
      sends?.resolve();
      await continues?.promise;
      return { kind: 'done', output: null, runText: 'Sent.' };
    },
  };
  const host = new RunHost({
    store: createRunStore(pool(), workerId),
    claims: { claim: async () => undefined, release: async () => lets?.resolve() },
    findExecutor: () => change(send),
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    maxRuns: 1,
  });
  return {
    /** Waits until it is suspended. */
    async take(runId: string) {
      await host.advance([runId]);
      await sends?.promise;
    },
    loseHeartbeat: () =>
      db.$client.query(`update processes set heartbeat_at = now() - interval '1 minute' where id = $1`, [
        workerId,
      ]),
    /** Waits until it has released the run. */
    async continue() {
      continues?.resolve();
      await lets?.promise;
    },
  };
}

async function play(engine: Engine) {
  const pool = db.$client;
  const { token, workflowId } = await insertWorkflow(pool, {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      ...Array.from({ length: MESSAGES_OF_AN_ORDER }, (_, index) => ({
        id: index + 2,
        type: 'send',
        name: 'Send',
        settings: {},
        on_failure: 'continue' as const,
      })),
    ],
    edges: Array.from({ length: MESSAGES_OF_AN_ORDER }, (_, index) => ({ from: index + 1, to: index + 2 })),
  });
  const runId = await startRun(createIntake(pool), token, { id: ORDER });
  const journal: SentMessage[] = [];
  const first = await startWorker(engine, journal);
  await first.take(runId);
  await first.loseHeartbeat();
  const second = await startWorker(engine, journal);
  await second.take(runId);
  await first.continue();
  await second.continue();
  const { rows } = await pool.query<{ event_id: string }>('select event_id from runs where id = $1', [runId]);
  const workflow = { id: workflowId, webhook: { production_url: '' } };
  const other = { ...workflow, id: newId() };
  const verdict = await check(
    { db, calls: { control: async () => ({ data: journal }) } as unknown as Product['calls'] },
    {
      acknowledged: [{ eventId: rows[0]?.event_id ?? '', id: ORDER }],
      written: [],
      workflows: { sending: workflow, computing: other, answering: other },
    },
  );
  return { ...verdict, isProven: isProven({ ...verdict, refused: 0, orphans: 0, recoveries: [] }) };
}

test('the engine as it is flags one message, and sends none twice', async () => {
  const { doubled, contradictions, stuck, flagged, isProven } = await play(WHOLE);
  expect({ doubled, contradictions, stuck, flagged, isProven }).toEqual({
    doubled: 0,
    contradictions: [],
    stuck: 0,
    flagged: 1,
    isProven: true,
  });
});

test.each(Object.entries(WITHOUT))(
  'without its protection “%s” messages are sent twice',
  async (_, engine) => {
    const { doubled, isProven } = await play(engine);
    expect(doubled).toBeGreaterThan(0);
    expect(isProven).toBe(false);
  },
);
