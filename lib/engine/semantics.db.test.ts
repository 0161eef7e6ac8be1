import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase, openHotPool } from '#lib/core/db/client.ts';
import { systemClock } from '#lib/core/clock.ts';
import { createFirstLegs } from '#lib/engine/first-leg.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import type { RunState } from '#lib/engine/run-state.ts';
import type { RunAnswer } from './engine-deps.ts';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import { newId } from '#lib/core/ids.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createAnswers } from '#lib/webhooks/answers.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import type { RunStatus, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type Scenario, SCENARIOS, findScriptedExecutor } from '#lib/engine/testing/scenarios.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

const logger = pino({ level: 'warn' });

/** Responds with the tasks that had succeeded by then. */
const renderAnswer = (state: RunState, failed: boolean): RunAnswer => ({
  status: failed ? 500 : 200,
  contentType: 'application/json',
  body: JSON.stringify(
    [...state.all()]
      .filter((t) => t.iteration === '' && t.status === 'succeeded')
      .map((t) => t.taskId)
      .sort(),
  ),
});

describe('engine semantics on PostgreSQL (docs/engine.md)', () => {
  let database: TestDatabase;
  let closeAll: () => Promise<void>;
  let play: (scenario: Scenario, executesLeg: boolean) => Promise<Played>;

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
    const executeLeg = createFirstLegs({
      findExecutor: findScriptedExecutor,
      isInstant: () => true,
      clock: systemClock,
      renderAnswer,
      onUnexpectedError: (error) => {
        throw error;
      },
    });
    const runtime = openRuntime('worker', parseSettings({ DATABASE_URL: database.url }), logger);
    const worker = await startWorker({
      pools: runtime,
      clock: runtime.clock,
      recurring: NOTHING_RECURS,
      findExecutor: findScriptedExecutor,
      renderAnswer,
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
    play = async (scenario, executesLeg) => {
      const graph = asAwaited(scenario);
      const { token, workflowId, workspaceId } = await insertWorkflow(db.$client, graph);
      const runId = newId();
      const body = Buffer.from('{"n":1}');
      const arrival = { eventId: newId(), runId, tokenHash: hashToken(token), kind: 'production' as const };
      const awaitsAnswer = scenario.answered !== undefined;
      const event = { id: arrival.eventId, isReplay: false, body: { n: 1 }, headers: {} };
      const run = { id: runId, epoch: 1, workspaceId, workflowId, version: 1, awaitsAnswer, event };
      const leg = executesLeg ? executeLeg(run, compileGraph(graph)) : undefined;
      const admission = await intake({
        ...arrival,
        receivedAt: new Date(),
        headers: {},
        body,
        refusal: null,
        response: { version: 1, problem: null, leg },
      });
      expect(admission?.outcome).toBe('triggered');
      if (!awaitsAnswer) expect(leg?.change.answer).toBeUndefined();
      const answer = awaitsAnswer ? (leg?.change.answer ?? (await answers.wait(runId, 10_000))) : undefined;
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
        { interval: 20 },
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

  const ways = SCENARIOS.flatMap((scenario) =>
    [false, true].map((executesLeg) => ({ scenario, executesLeg })),
  );
  for (const { scenario, executesLeg } of ways) {
    const way = executesLeg ? ', its first leg before the commit' : '';
    it.concurrent(`${scenario.name}${way}`, async ({ expect: check }) => {
      const { status, taskRuns, answer } = await play(scenario, executesLeg);
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

/** The scenario's graph, with an after-workflow response where the scenario has an expected one. */
function asAwaited(scenario: Scenario): WorkflowGraph {
  const [trigger, ...others] = scenario.graph.tasks;
  if (!trigger || scenario.answered === undefined) return scenario.graph;
  const awaited = { ...trigger, settings: { response_type: 'after_workflow' } };
  return { ...scenario.graph, tasks: [awaited, ...others] };
}
