import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase, openHotPool } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { newId } from '#lib/core/ids.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createAnswers } from '#lib/webhooks/answers.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/webhooks/tokens.ts';
import type { RunStatus, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type Scenario, SCENARIOS, findScriptedExecutor } from '#lib/engine/testing/scenarios.ts';

const logger = pino({ level: 'warn' });

describe('engine semantics on PostgreSQL (docs/engine.md)', () => {
  let database: TestDatabase;
  let closeAll: () => Promise<void>;
  let play: (scenario: Scenario) => Promise<Played>;

  interface Played {
    status: RunStatus;
    taskRuns: { task_id: number; iteration: string; status: TaskRunStatus }[];
    answer: { status: number; body: string } | undefined;
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    const db = openDatabase(database.url, { name: 'semantics' });
    const pool = openHotPool(database.url, { maxConnections: 3, name: 'semantics-intake' });
    const intake = createIntake(pool);
    const answers = createAnswers(pool, logger);
    const runtime = openRuntime('worker', parseSettings({ DATABASE_URL: database.url }), logger);
    const worker = await startWorker({
      pools: runtime,
      runHousekeeping: async () => undefined,
      checkConnections: async () => undefined,
      findExecutor: findScriptedExecutor,
      renderAnswer: (state, failed) => ({
        status: failed ? 500 : 200,
        contentType: 'application/json',
        body: JSON.stringify(
          [...state.all()]
            .filter((t) => t.iteration === '' && t.status === 'succeeded')
            .map((t) => t.taskId)
            .sort(),
        ),
      }),
      logger,
      maxRuns: 100,
    });
    closeAll = async () => {
      await worker.stop();
      await runtime.close();
      answers.close();
      await pool.end();
      await db.$client.end();
    };
    play = async (scenario) => {
      const { token } = await insertWorkflow(db.$client, asAwaited(scenario));
      const runId = newId();
      const body = Buffer.from('{"n":1}');
      const arrival = { eventId: newId(), runId, tokenHash: hashToken(token), kind: 'production' as const };
      const admission = await intake({
        ...arrival,
        receivedAt: new Date(),
        headers: {},
        body,
        refusal: null,
        response: { version: 1, problem: null },
      });
      expect(admission?.outcome).toBe('triggered');
      const answer = scenario.answered === undefined ? undefined : await answers.wait(runId, 10_000);
      const status = await vi.waitFor(
        async () => {
          const found = await db.$client.query<{ status: RunStatus }>(
            'select status from runs where id = $1',
            [runId],
          );
          const current = found.rows[0]?.status ?? 'queued';
          if (current !== 'succeeded' && current !== 'failed')
            throw new Error(`The run is still ${current}.`);
          return current;
        },
        { timeout: 20_000, interval: 20 },
      );
      const { rows } = await db.$client.query<Played['taskRuns'][number]>(
        'select task_id, iteration, status from task_runs where run_id = $1',
        [runId],
      );
      return { status, taskRuns: rows, answer };
    };
  });

  afterAll(async () => {
    await closeAll();
    await database.drop();
  });

  for (const scenario of SCENARIOS) {
    it.concurrent(scenario.name, async ({ expect: check }) => {
      const { status, taskRuns, answer } = await play(scenario);
      check(status).toBe(scenario.status);
      const statuses = Object.fromEntries(
        taskRuns.map((t) => [
          t.iteration === '' ? String(t.task_id) : `${t.task_id}@${t.iteration}`,
          t.status,
        ]),
      );
      if (scenario.taskRuns) check(statuses).toEqual(scenario.taskRuns);
      for (const [id, count] of Object.entries(scenario.counts ?? {})) {
        check(taskRuns.filter((t) => t.task_id === Number(id)).length, `task ${id}`).toBe(count);
      }
      if (scenario.answered === undefined) return;
      check(answer?.status).toBe(scenario.answered === false ? 500 : 200);
      if (scenario.answered) check(JSON.parse(answer?.body ?? '')).toEqual(scenario.answered);
    });
  }
});

/** The scenario's graph, whose trigger answers after the workflow where the scenario says what is answered. */
function asAwaited(scenario: Scenario): WorkflowGraph {
  const [trigger, ...others] = scenario.graph.tasks;
  if (!trigger || scenario.answered === undefined) return scenario.graph;
  const awaited = { ...trigger, settings: { response_type: 'after_workflow' } };
  return { ...scenario.graph, tasks: [awaited, ...others] };
}
