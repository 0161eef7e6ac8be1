// The database's cost of resuming a run must not grow with the finished items of its loops.
import type { QueryResult } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewWorkflow } from '#lib/workflows/schema.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { type Call, done, TestEngine } from '#lib/runs/testing/test-engine.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { compileGraph } from '../graph.ts';
import type { WorkflowGraph } from '../graph-types.ts';
import { loadTaskRunsAround } from './load.ts';

const ITEM_COUNT = 60;
const NOTE = 'x'.repeat(200);

interface Traffic {
  rows: number;
  charactersRead: number;
  charactersWritten: number;
}

let context: TestContext;
let engine: TestEngine;
let traffic: Traffic;

beforeAll(async () => {
  context = await createTestContext();
  const pool = context.ctx.db.$client;
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<QueryResult>;
  Object.assign(pool, {
    async query(...given: unknown[]) {
      const result = await query(...given);
      const { values } = (given[0] ?? {}) as { values?: unknown };
      traffic.rows += result.rows?.length ?? 0;
      traffic.charactersRead += JSON.stringify(result.rows ?? []).length;
      traffic.charactersWritten += JSON.stringify(values ?? []).length;
      return result;
    },
  });
  traffic = { rows: 0, charactersRead: 0, charactersWritten: 0 };
  engine = new TestEngine(context.ctx);
});
afterAll(() => context.end());

/** Ends the current delay of a run, and advances the run. */
async function wake(runId: string): Promise<Traffic> {
  const { $client: pool } = context.ctx.db;
  await pool.query('update runs set resume_at = now() where id = $1', [runId]);
  await pool.query(`update task_runs set resume_at = now() where run_id = $1 and status = 'waiting'`, [
    runId,
  ]);
  traffic = { rows: 0, charactersRead: 0, charactersWritten: 0 };
  await engine.advance(runId);
  return traffic;
}

async function startRun(): Promise<string> {
  const loop = { id: 2, type: 'loop', settings: { items: '{{task_1_items}}' } };
  const delay = { id: 3, type: 'delay', settings: { mode: 'for', amount: 1, unit: 'hours' } };
  const call = { id: 4, type: 'http_request', settings: { url: 'https://example.com/' } };
  const edges = [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'each' },
    { from: 3, to: 4 },
  ];
  const items = Array.from({ length: ITEM_COUNT }, (_, n) => ({ n, note: NOTE }));
  const workflow = await engine.publish(drawing([loop, delay, call], edges));
  const { runId } = await engine.receive(workflow, JSON.stringify({ items }));
  expect(await engine.advance(runId)).toBe('waiting');
  return runId;
}

async function startRunOf(drawn: NewWorkflow) {
  const workflow = await engine.publish(drawn);
  const { runId } = await engine.receive(workflow);
  expect(await engine.advance(runId)).toBe('succeeded');
  return { runId, graph: compileGraph(drawn as WorkflowGraph) };
}

describe('a loop with a delay inside', () => {
  it('reads and writes at its last items what it did at its first, and none of the items', async () => {
    engine.call = () => done();
    const runId = await startRun();
    const wakes: Traffic[] = [];
    for (let n = 0; n < ITEM_COUNT - 1; n += 1) wakes.push(await wake(runId));
    const [early, late] = [wakes[10], wakes.at(-1)];
    expect(late?.rows).toBe(early?.rows);
    expect(late?.charactersRead).toBeLessThan((early?.charactersRead ?? 0) + 50);
    expect(late?.charactersWritten).toBeLessThan((early?.charactersWritten ?? 0) + 50);
    expect(late?.charactersRead).toBeLessThan(ITEM_COUNT * NOTE.length);
    expect(late?.charactersWritten).toBeLessThan(ITEM_COUNT * NOTE.length);
  });

  it('gives every task its item, whichever process continues', async () => {
    const seen: unknown[] = [];
    const call: Call = ({ scope }) => {
      seen.push([
        scope.resolve('task_2_index'),
        scope.resolve('task_2_item_n'),
        scope.resolve('task_2_item_note'),
      ]);
      return done();
    };
    const runId = await startRun();
    for (let n = 0; n < ITEM_COUNT; n += 1) {
      if (n % 3 === 0) engine = new TestEngine(context.ctx);
      engine.call = call;
      await wake(runId);
    }
    expect(seen).toEqual(Array.from({ length: ITEM_COUNT }, (_, n) => [n, n, NOTE]));
    const run = await getRun(context.ctx, { id: runId });
    expect(run.status).toBe('succeeded');
    expect(run.tasks).toHaveLength(2 + 2 * ITEM_COUNT);
    expect(run.tasks.find(({ task_id }) => task_id === 2)?.output).toEqual({
      count: ITEM_COUNT,
      failed_count: 0,
    });
  });

  it('continues from a state that holds the items itself, as it once did', async () => {
    const runId = await startRun();
    const { $client: pool } = context.ctx.db;
    await pool.query(
      `update task_runs set items = null,
        state = json_build_object('loop', (state::jsonb -> 'loop' || jsonb_build_object('items', items::jsonb)) - 'pastTaskRuns')::text
      where run_id = $1 and task_id = 2`,
      [runId],
    );
    const seen: unknown[] = [];
    for (let wakes = 0; wakes < 2; wakes += 1) {
      engine = new TestEngine(context.ctx);
      engine.call = ({ scope }) => {
        seen.push(scope.resolve('task_2_item_n'));
        return done();
      };
      await wake(runId);
    }
    expect(seen).toEqual([0, 1]);
  });
});

describe('the task runs around one', () => {
  it('are those of the same items, and of them alone', async () => {
    const loop = (id: number, count: number) => ({ id, type: 'loop', settings: { count } });
    const call = { id: 4, type: 'http_request', settings: { url: 'https://example.com/' } };
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 3, to: 4, branch: 'each' },
    ];
    engine.call = ({ iteration }) => done({ iteration });
    const { runId, graph } = await startRunOf(drawing([loop(2, 3), loop(3, 4), call], edges));
    const around = async (iteration: string) =>
      (await loadTaskRunsAround(context.ctx.db.$client, runId, graph, iteration))
        .map((taskRun) => `${taskRun.taskId}@${taskRun.iteration}`)
        .toSorted();
    expect(await around('')).toEqual(['1@', '2@']);
    expect(await around('1')).toEqual(['1@', '2@', '3@1']);
    expect(await around('2.3')).toEqual(['1@', '2@', '3@2', '4@2.3']);
  });
});
