// Links and the runs that wait for them, on PostgreSQL with a worker.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { openRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { cancelRun } from '#lib/engine/store/cancel-run.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { resumeRun } from '#lib/engine/store/reopen-run.ts';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { createApprovalLinkExecutor } from '#lib/tasks/approval-link/execute.ts';
import { createWaitForApprovalExecutor } from '#lib/tasks/wait-for-approval/execute.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { findLink, pruneLinks } from './links.ts';
import { stateOf } from './approval-link.ts';
import { recordDecision } from './record-decision.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

const logger = pino({ level: 'silent' });
const ANSWER = { status: 200, contentType: 'text/plain', body: '' };
const APPROVE = { decision: 'approved', comment: '', body: '{"decision":"approve"}' } as const;

let database: TestDatabase;
let runtime: ProcessRuntime;
let worker: { stop(): Promise<void> };
/** Closed gates: a task of a run waits at each until it is opened. */
const gates = new Map<string, PromiseWithResolvers<void>>();

/** The steps before it are recorded; its run continues when the gate of its name is opened. */
const gate: TaskExecutor = {
  async execute(context) {
    const { settings } = context;
    await context.recordSideEffect();
    await gates.get(String(settings['name']))?.promise;
    return { kind: 'done', output: {}, runText: 'Passed.' };
  },
};
const closeGate = (name: string) => {
  const opening = Promise.withResolvers<void>();
  gates.set(name, opening);
  return opening.resolve;
};

beforeAll(async () => {
  database = await createTestDatabase();
  runtime = openRuntime('worker', parseSettings({ DATABASE_URL: database.url }), logger);
  const executors: Record<string, TaskExecutor> = {
    approval_link: createApprovalLinkExecutor(async () => runtime),
    wait_for_approval: createWaitForApprovalExecutor(async () => runtime),
    gate,
  };
  worker = await startWorker({
    pools: runtime,
    recurring: NOTHING_RECURS,
    findExecutor: (type) => executors[type],
    renderAnswer: () => ANSWER,
    clock: runtime.clock,
    logger,
    maxRuns: 100,
  });
});
afterAll(async () => {
  await worker.stop();
  await runtime.close();
  await database.drop();
});

const link = (settings: JsonObject = {}): Omit<WorkflowTask, 'id'> => ({
  type: 'approval_link',
  name: 'Link',
  settings: { question: 'Refund {{task_1_total}}?', ...settings },
});
const wait = (settings: JsonObject = {}): Omit<WorkflowTask, 'id'> => ({
  type: 'wait_for_approval',
  name: 'Wait',
  settings: { link_id: '{{task_2_link_id}}', ...settings },
});
const gateNamed = (name: string): Omit<WorkflowTask, 'id'> => ({
  type: 'gate',
  name: 'Gate',
  settings: { name },
});
/** Milliseconds as the wait's setting. */
const within = (milliseconds: number): JsonObject => ({
  wait_amount: milliseconds / 60_000,
  wait_unit: 'minutes',
});

interface Started {
  id: string;
  workspaceId: string;
  token: string;
}

/** A run of these tasks, numbered from 2, one after the other for all exits. @returns the token of its link. */
async function start(tasks: readonly Omit<WorkflowTask, 'id'>[]): Promise<Started> {
  const trigger: WorkflowTask = { id: 1, type: 'inbound_webhook', name: 'In', settings: {} };
  const numbered = tasks.map((task, index) => ({ ...task, id: index + 2 }));
  const exits = (type: string) =>
    type === 'wait_for_approval' ? ['approved', 'rejected', 'no_decision'] : [undefined];
  const edges = [{ from: 1, to: 2 }].concat(
    numbered.slice(1).flatMap(({ id }, index) =>
      exits(numbered[index]?.type ?? '').map((branch) => ({
        from: id - 1,
        to: id,
        ...(branch === undefined ? {} : { branch }),
      })),
    ),
  );
  const { token: webhook, workspaceId } = await insertWorkflow(runtime.hot, {
    tasks: [trigger, ...numbered],
    edges,
  });
  const id = await startRun(createIntake(runtime.hot), webhook, { total: '20 EUR' });
  const { url } = (await outputOf(id, 2)) as { url: string };
  return { id, workspaceId, token: url.split('/').at(-1) ?? '' };
}

const statusOf = async (id: string): Promise<string | undefined> =>
  (await runtime.hot.query<{ status: string }>('select status from runs where id = $1', [id])).rows[0]
    ?.status;
const reaches = (id: string, status: string) =>
  expect.poll(() => statusOf(id), { interval: 10 }).toBe(status);

/** Waits for the output of a task. */
async function taskRunOf(
  runId: string,
  taskId: number,
): Promise<{ branch: string | null; output: JsonObject }> {
  const values = [runId, taskId];
  const text = `select branch, output, status from task_runs where run_id = $1 and task_id = $2`;
  const find = async () =>
    (
      await runtime.hot.query<{ branch: string | null; output: string; status: string }>(text, values)
    ).rows.find(({ status }) => status === 'succeeded');
  await expect.poll(find, { interval: 10 }).toBeDefined();
  const found = await find();
  return { branch: found?.branch ?? null, output: JSON.parse(found?.output ?? '{}') as JsonObject };
}
const outputOf = async (runId: string, taskId: number) => (await taskRunOf(runId, taskId)).output;

const decide = (token: string, decision = APPROVE as Parameters<typeof recordDecision>[2]) =>
  recordDecision(runtime.db.$client, token, decision);
const stateNow = async (token: string) => {
  const found = await findLink(runtime.hot, token);
  return found && stateOf(found);
};

describe('a decision', () => {
  test('resumes the run that waits for it, with comment and body', async () => {
    const run = await start([link(), wait()]);
    await reaches(run.id, 'waiting');
    const body = '{"decision":"reject","ticket":12345678901234567890}';
    const { decidedAt } = await decide(run.token, { decision: 'rejected', comment: 'Too late', body });
    await reaches(run.id, 'succeeded');
    expect(await taskRunOf(run.id, 3)).toEqual({
      branch: 'rejected',
      output: {
        decision: 'rejected',
        comment: 'Too late',
        body: JSON.parse(body) as unknown,
        decided_at: decidedAt.toISOString(),
      },
    });
    const { rows } = await runtime.hot.query<{ output: string }>(
      'select output from task_runs where run_id = $1 and task_id = 3',
      [run.id],
    );
    expect(rows[0]?.output).toContain('12345678901234567890');
    expect((await runtime.hot.query('select from signal_waits where run_id = $1', [run.id])).rows).toEqual(
      [],
    );
  });

  test('of several at once counts only one; the others are told which', async () => {
    const run = await start([link(), wait()]);
    await reaches(run.id, 'waiting');
    const decisions = await Promise.allSettled(Array.from({ length: 6 }, () => decide(run.token)));
    const refused = decisions.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(5);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^This was already approved at 20/) as string,
      });
    await reaches(run.id, 'succeeded');
    expect(await taskRunOf(run.id, 3)).toMatchObject({ branch: 'approved' });
  });

  test('that comes before the run waits is not lost', async () => {
    const open = closeGate('early');
    const run = await start([link(), gateNamed('early'), wait()]);
    await decide(run.token);
    open();
    await reaches(run.id, 'succeeded');
    expect(await taskRunOf(run.id, 4)).toMatchObject({ branch: 'approved' });
  });

  test('at the deadline counts once: what the sender is told is what the run takes', async () => {
    const runs = await Promise.all(Array.from({ length: 24 }, () => start([link(), wait(within(400))])));
    await Promise.all(
      runs.map(async ({ id, token }, index) => {
        const { rows } = await runtime.hot.query<{ ms: number }>(
          `select extract(epoch from resume_at - now()) * 1000 as ms from task_runs
           where run_id = $1 and task_id = 3`,
          [id],
        );
        const deadline = Number(rows[0]?.ms ?? 0);
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, deadline + (index - 12) * 4)));
        const told = await decide(token).then(
          () => 'approved',
          (error: unknown) => (error as { code: string }).code,
        );
        await reaches(id, 'succeeded');
        const { branch } = await taskRunOf(id, 3);
        expect([told, branch]).toEqual(
          told === 'approved' ? ['approved', 'approved'] : ['gone', 'no_decision'],
        );
      }),
    );
  });

  test('after the deadline is refused; a later task may wait for the same link again', async () => {
    const open = closeGate('reminder');
    const run = await start([link(), wait(within(50)), gateNamed('reminder'), wait()]);
    expect(await taskRunOf(run.id, 3)).toMatchObject({
      branch: 'no_decision',
      output: { decision: '', body: null },
    });
    await expect(decide(run.token)).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringMatching(
        /^Nobody decided by .*Z, so the workflow continued without a decision\.$/,
      ) as string,
    });
    open();
    await reaches(run.id, 'waiting');
    await decide(run.token);
    await reaches(run.id, 'succeeded');
    expect(await taskRunOf(run.id, 5)).toMatchObject({ branch: 'approved' });
  });
});

describe('a link', () => {
  test('that has expired ends the wait and takes no decision; a month later it is unknown', async () => {
    const run = await start([link({ valid_amount: 0.001, valid_unit: 'minutes' }), wait()]);
    expect(await taskRunOf(run.id, 3)).toMatchObject({ branch: 'no_decision' });
    await reaches(run.id, 'succeeded');
    await expect(decide(run.token)).rejects.toMatchObject({ code: 'gone' });
    await pruneLinks(runtime.hot);
    expect(await stateNow(run.token)).toBe('not_needed');
    await runtime.hot.query(`update approval_links set expires_at = expires_at - interval '31 days'`);
    await pruneLinks(runtime.hot);
    expect(await stateNow(run.token)).toBeUndefined();
    await expect(decide(run.token)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of a run that was cancelled is not needed; of one that is retried it is again', async () => {
    const run = await start([link(), wait()]);
    await reaches(run.id, 'waiting');
    await runtime.db.transaction((tx) => cancelRun(tx, run, ANSWER));
    await expect(decide(run.token)).rejects.toMatchObject({
      code: 'gone',
      message: 'A decision is no longer needed: the run has ended.',
    });
    const { rows } = await runtime.hot.query<{ workflow_id: string }>(
      'select workflow_id from runs where id = $1',
      [run.id],
    );
    const graph = await loadGraph(runtime.hot, rows[0]?.workflow_id ?? '', 1);
    await runtime.db.transaction((tx) => resumeRun(tx, run, graph));
    await reaches(run.id, 'waiting');
    await decide(run.token);
    await reaches(run.id, 'succeeded');
    expect(await taskRunOf(run.id, 3)).toMatchObject({ branch: 'approved' });
  });

  test('that does not exist, or is another workspace’s, fails the task with what to enter', async () => {
    const other = await start([link(), wait()]);
    const { link_id: foreign } = (await outputOf(other.id, 2)) as { link_id: string };
    for (const id of [newId(), foreign, 'https://example.com/resume/x', '']) {
      const run = await start([link(), wait({ link_id: id || '{{task_1_nothing}}' })]);
      await reaches(run.id, 'failed');
      const { rows } = await runtime.hot.query<{ error: { code: string; message: string } }>(
        'select error from task_runs where run_id = $1 and task_id = 3',
        [run.id],
      );
      expect(rows[0]?.error).toMatchObject({
        code: 'unknown_link',
        message: expect.stringContaining('Enter a variable such as {{task_2_link_id}}.') as string,
      });
    }
    await decide(other.token);
    await reaches(other.id, 'succeeded');
  });

  test('keeps no token', async () => {
    const run = await start([link(), wait()]);
    const { rows } = await runtime.hot.query<{ row: string }>('select l::text as row from approval_links l');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(run.token))).toBe(false);
    await decide(run.token);
    await reaches(run.id, 'succeeded');
  });
});
