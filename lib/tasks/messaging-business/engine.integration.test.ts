// The task in real runs: a worker takes them from the queue, the platform fails, and no message is sent twice.
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import { newId } from '#lib/core/ids.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { messagingBusiness } from './definition.ts';
import { createMessagingBusinessExecutor } from './execute.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

let world: MessagingWorld;
let worker: Awaited<ReturnType<typeof startWorker>>;

beforeAll(async () => {
  world = await startMessagingWorld();
  worker = await startEngine();
});
afterAll(async () => {
  await worker.stop();
  await world.end();
});

function startEngine(): ReturnType<typeof startWorker> {
  const executor = createMessagingBusinessExecutor(async () => world.runtime);
  return startWorker({
    pools: world.runtime,
    clock: world.runtime.clock,
    recurring: NOTHING_RECURS,
    findExecutor: (type) => (type === 'messaging_business' ? executor : undefined),
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    logger: pino({ level: 'silent' }),
    maxRuns: 200,
  });
}

/** A published workflow of the trigger and one task in a separate workspace, with a connection. */
async function publish(settings: Record<string, unknown>): Promise<{ token: string; workspaceId: string }> {
  const checked = checkSettings(messagingBusiness, settings, 'publish');
  expect(checked.problems).toEqual([]);
  const graph: WorkflowGraph = {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
      { id: 2, type: 'messaging_business', name: 'Send', settings: checked.settings ?? {} },
    ],
    edges: [{ from: 1, to: 2 }],
  };
  return insertWorkflow(world.runtime.hot, graph);
}

const trigger = (token: string, body: object): Promise<string> =>
  startRun(createIntake(world.runtime.hot), token, body);

interface TaskRunRow {
  status: string;
  attempt: number;
  run_text: string;
  error: { code: string } | null;
}

/** Task 2 of each run, once all runs are over. */
async function whenOver(runIds: string[]): Promise<TaskRunRow[]> {
  await vi.waitFor(
    async () => {
      const { rows } = await world.runtime.hot.query<{ open: number }>(
        'select count(*)::int as open from runs where id = any($1::uuid[]) and finished_at is null',
        [runIds],
      );
      expect(rows[0]?.open).toBe(0);
    },
    { timeout: 60_000, interval: 50 },
  );
  const { rows } = await world.runtime.hot.query<TaskRunRow>(
    'select status, attempt, run_text, error from task_runs where run_id = any($1::uuid[]) and task_id = 2',
    [runIds],
  );
  return rows;
}

describe('sends', () => {
  /** A workflow in a separate workspace that sends with a connection of that workspace. */
  async function publishTemplate(): Promise<{ token: string; connection: string }> {
    const { token, workspaceId } = await publish({
      action: 'send_template',
      app_connection_id: '{{task_1_connection}}',
      business_account_id: PLATFORM_IDS.books,
      phone_number_id: PLATFORM_IDS.booksOrders,
      recipient: '{{task_1_to}}',
      template_name: 'hello_world',
    });
    const { access_token, refresh_token } = await world.mint();
    const { id } = await createConnection(
      { ...world.ctx, workspaceId },
      { name: 'Books', access_token, refresh_token },
    );
    return { token, connection: id };
  }

  test('docs/engine.md: accepted and then dropped, 100 times: nobody gets two, each says outcome unknown', async () => {
    const { token, connection } = await publishTemplate();
    await world.control('POST', 'faults', { kind: 'drop', path: '/messages', times: 100 });
    const recipients = Array.from({ length: 100 }, (_, index) => `1555100${String(index).padStart(4, '1')}`);
    const runIds = await Promise.all(recipients.map((to) => trigger(token, { to, connection })));
    const taskRuns = await whenOver(runIds);
    expect(taskRuns).toHaveLength(100);
    expect(new Set(taskRuns.map(({ status }) => status))).toEqual(new Set(['outcome_unknown']));
    // Without attempts: some wait, unsent, for the response to earlier ones.
    expect(new Set(taskRuns.map(({ error }) => error?.code))).toEqual(new Set(['answer_lost']));
    const received = (await world.messages()).map(({ customer }) => customer).sort();
    expect(received).toEqual([...recipients].sort());
  });

  test('429 three times with Retry-After, then success: four calls, spaced as asked', async () => {
    const { token, connection } = await publishTemplate();
    const recipient = '15552000001';
    await world.control('POST', 'faults', {
      kind: 'error',
      code: 130429,
      http_status: 429,
      retry_after: 1,
      times: 3,
      recipient,
    });
    const [taskRun] = await whenOver([await trigger(token, { to: recipient, connection })]);
    expect(taskRun).toMatchObject({
      status: 'succeeded',
      attempt: 4,
      run_text: 'Template sent successfully.',
    });
    const calls = (await world.calls('method=POST&path=messages')).filter(
      ({ body }) => body['to'] === recipient,
    );
    expect(calls.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
    const pauses = calls.slice(1).map((call, index) => call.real_at_ms - (calls[index]?.real_at_ms ?? 0));
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(1000);
      expect(pause).toBeLessThan(3000);
    }
  });

  test('trouble of the platform is tried again, and the customer gets one', async () => {
    const { token, connection } = await publishTemplate();
    const recipient = '15552000002';
    await world.control('POST', 'faults', { kind: 'error', code: 131016, recipient, times: 1 });
    const [taskRun] = await whenOver([await trigger(token, { to: recipient, connection })]);
    expect(taskRun).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(await world.messages(`to=${recipient}`)).toHaveLength(1);
  });

  test('a process that dies while it sends: flagged, not sent again (docs/engine.md, "Durable")', async () => {
    const { token, connection } = await publishTemplate();
    const recipient = '15552000003';
    const runId = newId();
    const body = Buffer.from(JSON.stringify({ to: recipient, connection }));
    const { rows } = await world.runtime.hot.query<{ workflow_id: string; workspace_id: string }>(
      'select w.id as workflow_id, w.workspace_id from webhook_tokens k join workflows w on w.id = k.workflow_id where k.token_hash = $1',
      [hashToken(token)],
    );
    const eventId = newId();
    await world.runtime.hot.query(
      `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id) values ($1, $2, $3, 'production', 'triggered', now(), '{}', $4, $5)`,
      [eventId, rows[0]?.workspace_id, rows[0]?.workflow_id, body, runId],
    );
    // The state after a worker was killed between the record before the call and the response.
    await world.runtime.hot.query(
      `insert into runs (id, workspace_id, workflow_id, version, event_id, epoch, created_at) values ($1, $2, $3, 1, $4, 1, now())`,
      [runId, rows[0]?.workspace_id, rows[0]?.workflow_id, eventId],
    );
    await world.runtime.hot.query(
      `insert into task_runs (run_id, task_id, status, state, started_at)
       values ($1, 1, 'succeeded', null, now()), ($1, 2, 'running', '{"in_flight":true}', now())`,
      [runId],
    );
    await world.runtime.hot.query(`select ${addAdvanceJob('json_build_array($1::text)')}`, [runId]);
    const [taskRun] = await whenOver([runId]);
    expect(taskRun).toMatchObject({ status: 'outcome_unknown', error: { code: 'interrupted' } });
    expect(await world.messages(`to=${recipient}`)).toHaveLength(0);
  });

  test('a process that is killed while messages wait for their turn: each is sent once, none is flagged', async () => {
    const settings = {
      ...world.variables,
      DATABASE_URL: world.database.url,
      MESSAGING_MESSAGES_PER_SECOND: '1',
    };
    await worker.stop();
    const doomed = await startProcess('server/worker.ts', settings);
    const { token, connection } = await publishTemplate();
    const recipients = ['15553000001', '15553000002', '15553000003', '15553000004'];
    const runIds = await Promise.all(recipients.map((to) => trigger(token, { to, connection })));
    const succeeded = async (): Promise<number> => {
      const { rows } = await world.runtime.hot.query<{ count: number }>(
        `select count(*)::int as count from runs where id = any($1::uuid[]) and status = 'succeeded'`,
        [runIds],
      );
      return rows[0]?.count ?? 0;
    };
    await expect.poll(succeeded, { interval: 10 }).toBe(1);
    const ended = once(doomed.child, 'exit');
    doomed.child.kill('SIGKILL');
    await ended;
    const heir = await startProcess('server/worker.ts', settings);
    const taskRuns = await whenOver(runIds);
    await heir.stop();
    for (const taskRun of taskRuns) expect(taskRun).toMatchObject({ status: 'succeeded', attempt: 1 });
    const received = (await world.messages()).map(({ customer }) => customer);
    expect(received.filter((customer) => recipients.includes(customer)).sort()).toEqual(recipients);
  });

  test('a connection to the database that breaks before a message leaves: it is sent, once, in the same attempt', async () => {
    worker = await startEngine();
    const { token, connection } = await publishTemplate();
    const recipients = Array.from({ length: 30 }, (_, index) => `1555400${String(index).padStart(4, '0')}`);
    // The row of the connection is locked, so that all wait for it.
    const lock = await world.runtime.hot.connect();
    await lock.query('begin; lock table connections in access exclusive mode');
    const runIds = await Promise.all(recipients.map((to) => trigger(token, { to, connection })));
    const waiting = async (): Promise<number> => {
      const { rows } = await world.runtime.hot.query<{ count: number }>(
        `select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%connections%'`,
      );
      return rows[0]?.count ?? 0;
    };
    await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
    await lock.query('commit');
    lock.release();
    const taskRuns = await whenOver(runIds);
    for (const taskRun of taskRuns) expect(taskRun).toMatchObject({ status: 'succeeded', attempt: 1 });
    const received = (await world.messages()).map(({ customer }) => customer);
    expect(received.filter((customer) => recipients.includes(customer)).sort()).toEqual(recipients);
  });
});
