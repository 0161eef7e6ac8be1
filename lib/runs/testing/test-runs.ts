// Shared by the tests of runs: an engine, workflows and views of a run.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { TaskError } from '#lib/engine/task-executor.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { retryRun } from '#lib/runs/change-run.ts';
import type { Run } from '#lib/runs/schema.ts';
import { done, TestEngine } from './test-engine.ts';

export let context: TestContext;
export let engine: TestEngine;

/** Creates a database and an engine for a test file. */
export function setUpRuns(): void {
  beforeAll(async () => {
    context = await createTestContext();
    engine = new TestEngine(context.ctx);
  });
  afterAll(() => context.end());
  beforeEach(() => {
    engine.call = () => done();
  });
}

export const http = (id: number, more: object = {}) => ({
  id,
  type: 'http_request',
  settings: { url: 'https://example.com/' },
  ...more,
});
export const get = (id: string) => getRun(context.ctx, { id });
export const retry = (id: string) => retryRun(context.ctx, { id, from: 'failed_task' });
export const statuses = (run: Run) =>
  Object.fromEntries(
    run.tasks.map(({ task_id, iteration, status }) => [[task_id, ...iteration].join('.'), status]),
  );

export const refuse = () => {
  throw new TaskError('refused', 'The shop said no.');
};
export const loseAnswer = () => {
  throw new TaskError('interrupted', 'The answer was lost.', { outcomeUnknown: true });
};

/** A run that no worker has taken yet. */
export async function runOf(drawn = callingGraph(), body = '{}'): Promise<string> {
  const { runId } = await engine.receive(await engine.publish(drawn), body);
  return runId;
}
