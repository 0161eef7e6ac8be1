import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import { KEPT_DRAFT_RUNS } from '#lib/engine/store/start-draft-run.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { retryRun } from '#lib/runs/change-run.ts';
import type { Run } from '#lib/runs/schema.ts';
import { done, TestEngine } from '#lib/runs/testing/test-engine.ts';
import { copyDraft, createWorkflow } from '#lib/workflows/create-workflow.ts';
import { listVersions } from '../versions.ts';
import { listWorkflowRows } from '../list-workflow-rows.ts';
import { loadWorkflow } from '../load-workflow.ts';
import { publishWorkflow } from '../publish-workflow.ts';
import { saveDraft } from '../save-draft.ts';
import type { Workflow } from '../schema.ts';
import { drawing } from '../testing/test-graphs.ts';
import { listPinnedTasks, pinOutput, unpinOutput } from './pins.ts';
import { runDraft } from './run-draft.ts';
import { type DraftRunInput, typedDraftRunSchema } from './schema.ts';

let context: TestContext;
let engine: TestEngine;
let calls: number;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  engine.call = () => {
    calls += 1;
    return done({ status: 201, id: `n${calls}` });
  };
  calls = 0;
});
afterAll(() => context.end());

/** 1 → POST 2 → set 3 → POST 4. */
const graph = () =>
  drawing(
    [
      {
        id: 2,
        type: 'http_request',
        name: 'First',
        settings: { url: 'https://example.com/', method: 'POST' },
      },
      {
        id: 3,
        type: 'set_variables',
        settings: { variables: [{ name: 'copy', value: '{{task_2_id}}/{{task_1_n}}' }] },
      },
      {
        id: 4,
        type: 'http_request',
        name: 'Second',
        settings: { url: 'https://example.com/', method: 'POST' },
      },
    ],
    [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4 },
    ],
  );

/** With an incomplete task 5, which is only connected on request. */
const makeIncomplete = async (...edges: { from: number; to: number }[]): Promise<Workflow> => {
  const drawn = graph();
  const half = { id: 5, type: 'http_request', name: 'Half', settings: {} };
  const draft = {
    ...drawn,
    draft_revision: undefined,
    tasks: [...drawn.tasks, half],
    edges: [...drawn.edges, ...edges],
  };
  return loadWorkflow(context.ctx, (await copyDraft(context.ctx, draft)).id);
};

const make = (): Promise<Workflow> => createWorkflow(context.ctx, graph());
const run = (workflow: Workflow, more: Partial<DraftRunInput> = {}): Promise<Run> =>
  runDraft(context.ctx, {
    ...typedDraftRunSchema.parse({ id: workflow.id }),
    ...('event_id' in more || more.from ? {} : { sample_text: '{"n":1.10}' }),
    ...more,
  });
const finish = async (started: Run): Promise<Run> => {
  await engine.advance(started.id);
  return getRun(context.ctx, { id: started.id });
};
const outputOf = ({ tasks }: Run, id: number) => tasks.find(({ task_id }) => task_id === id)?.output;

describe('a run of the draft', () => {
  test('executes the unpublished graph by the engine and captures what it would change', async () => {
    const workflow = await makeIncomplete();
    const before = calls;
    const ended = await finish(await run(workflow));
    expect(ended).toMatchObject({
      status: 'succeeded',
      version: null,
      draft_revision: workflow.draft_revision,
    });
    expect(ended.tasks.map(({ task_id, captured }) => [task_id, captured.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 1],
    ]);
    expect(calls).toBe(before);
    expect((await listVersions(context.ctx, workflow)).length).toBe(0);
  });

  test('sends requests that are let through', async () => {
    const before = calls;
    expect(await finish(await run(await make(), { call_services: true }))).toMatchObject({
      status: 'succeeded',
    });
    expect(calls).toBe(before + 2);
  });

  test('is in no count of production, takes no version number, and is not started again', async () => {
    const workflow = await make();
    const ended = await finish(await run(workflow));
    await publishWorkflow(context.ctx, workflow);
    const rows = (await listWorkflowRows(context.ctx)).data;
    expect(rows.find(({ id }) => id === workflow.id)).toMatchObject({
      lastRun: null,
      runsToday: 0,
      publishedVersion: 1,
    });
    const { data } = await listRuns(context.ctx, { workflow_id: workflow.id, limit: 5 });
    expect(data).toMatchObject([{ id: ended.id, version: null, draft_revision: workflow.draft_revision }]);
    await expect(retryRun(context.ctx, { id: ended.id, from: 'start' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('draft') as string,
    });
  });

  test('a task that is not complete fails when its turn comes, with the words of the publish check', async () => {
    const ended = await finish(await run(await makeIncomplete({ from: 4, to: 5 })));
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'invalid_settings', task_id: 5 } });
    expect(ended.error?.message).toMatch(/URL/);
  });

  test('a loop of several items at once fails if a task in it waits, with the words of the publish check', async () => {
    const tasks = [
      { id: 2, type: 'loop', settings: { count: 3, at_once: 3 } },
      { id: 3, type: 'delay', name: 'Rest', settings: { amount: 5 } },
    ];
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
    ];
    const ended = await finish(await run(await createWorkflow(context.ctx, drawing(tasks, edges))));
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'invalid_settings', task_id: 2 } });
    expect(ended.error?.message).toMatch(/^Items at once: Only tasks .* "Rest" \(task 3\) waits/);
  });

  test('runs with an event of its workflow, and no other', async () => {
    const workflow = await make();
    const { eventId } = await engine.receive(workflow, '{"n":7}', { kind: 'test' });
    expect(outputOf(await finish(await run(workflow, { event_id: eventId })), 1)).toEqual({ n: 7 });
    const rejects = (input: Partial<DraftRunInput>, code: string) =>
      expect(run(workflow, input)).rejects.toMatchObject({ code });
    const rejected = await engine.receive(workflow, '{', { refusal: 'Unexpected end' });
    await rejects({ event_id: rejected.eventId }, 'invalid_request');
    await rejects(
      { event_id: (await engine.receive(await make(), '{}', { kind: 'test' })).eventId },
      'not_found',
    );
    await rejects({ event_id: undefined }, 'invalid_request');
    for (const sample_text of ['{"a":', '[1]', '1']) await rejects({ sample_text }, 'invalid_request');
    await rejects({ send_to: 'me' }, 'invalid_request');
    await rejects({ draft_revision: 99 }, 'conflict');
    await expect(
      runDraft(context.stranger, { ...typedDraftRunSchema.parse({ id: workflow.id }), sample_text: '{}' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('keeps running what it started with while the draft is edited', async () => {
    const workflow = await make();
    const started = await run(workflow);
    const drawn = graph();
    await saveDraft(context.ctx, {
      ...drawn,
      id: workflow.id,
      draft_revision: workflow.draft_revision,
      edges: [],
    });
    expect((await finish(started)).tasks).toHaveLength(4);
    expect((await finish(await run(workflow))).tasks).toHaveLength(1);
  });

  test('only the newest ones are kept', async () => {
    const workflow = await make();
    const first = await finish(await run(workflow));
    for (let n = 0; n < KEPT_DRAFT_RUNS; n += 1) await run(workflow, { event_id: first.event_id });
    await expect(getRun(context.ctx, { id: first.id })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('from a task on', () => {
  test('takes over what the tasks before it gave in an earlier run', async () => {
    const workflow = await make();
    const first = await finish(await run(workflow, { call_services: true }));
    const before = calls;
    const from = { run_id: first.id, task_id: 3 };
    const again = await finish(await run(workflow, { from, call_services: true }));
    expect(again).toMatchObject({ status: 'succeeded', event_id: first.event_id });
    expect(outputOf(again, 2)).toEqual(outputOf(first, 2));
    expect(JSON.stringify(outputOf(again, 3))).toBe(JSON.stringify(outputOf(first, 3)));
    expect(calls).toBe(before + 1);
    await expect(run(workflow, { from: { run_id: newId(), task_id: 3 } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(run(workflow, { from: { run_id: first.id, task_id: 5 } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('a pinned output', () => {
  test('stands for its task in runs of the draft until it is unpinned', async () => {
    const workflow = await make();
    const first = await finish(await run(workflow, { call_services: true }));
    const pin = { id: workflow.id, task_id: 2, run_id: first.id };
    await pinOutput(context.ctx, pin);
    expect(await listPinnedTasks(context.ctx, workflow)).toEqual([2]);
    const before = calls;
    const pinned = await finish(await run(workflow, { call_services: true }));
    expect(calls).toBe(before + 1);
    expect(outputOf(pinned, 2)).toEqual(outputOf(first, 2));
    await unpinOutput(context.ctx, pin);
    expect(await listPinnedTasks(context.ctx, workflow)).toEqual([]);
    await expect(pinOutput(context.stranger, pin)).rejects.toMatchObject({ code: 'not_found' });
    await expect(pinOutput(context.ctx, { ...pin, task_id: 1 })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
