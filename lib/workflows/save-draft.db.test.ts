import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TaskExecutor } from '#lib/engine/task-executor.ts';
import { createHttpRequestExecutor } from '#lib/tasks/http-request/execute.ts';
import { setVariablesExecutor } from '#lib/tasks/set-variables/execute.ts';
import type { Context } from '#lib/identity/context.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow } from './create-workflow.ts';
import { getVersion, listVersions } from './versions.ts';
import { getWorkflow } from './load-workflow.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { replaceDraft, saveDraft } from './save-draft.ts';
import { draftSchema, type Workflow } from './schema.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { tryTask, type TryTaskInput } from '#lib/editor/try-task.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const make = (): Promise<Workflow> => createWorkflow(context.ctx, callingGraph());
const trigger = { id: 1, type: 'inbound_webhook', name: 'Inbound webhook', settings: {} };
const call = { id: 2, type: 'http_request', name: 'HTTP request', settings: { url: 'https://example.com/' } };

const save = (id: string, draft_revision: number, tasks: unknown[], edges: unknown[] = []) => {
  const draft = draftSchema.parse({ name: 'Orders', tasks, edges });
  return saveDraft(context.ctx, { ...draft, id, draft_revision });
};

describe('the editor keeps drafts between two thoughts', () => {
  test('up to 4 MB, by the API too; above, it says so and keeps what was there', async () => {
    const { id } = await make();
    const body = 'x'.repeat(60_000);
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...call,
        id: 2 + index,
        settings: { ...call.settings, body },
      }));
    const edges = (count: number) => calls(count).map((task) => ({ from: 1, to: task.id }));
    await save(id, 1, [trigger, ...calls(65)], edges(65));
    const refusal = {
      code: 'invalid_workflow',
      problems: [{ path: '', message: expect.stringContaining('the limit of 4 MB') as string }],
    };
    await expect(save(id, 2, [trigger, ...calls(75)], edges(75))).rejects.toMatchObject(refusal);
    const draft = { name: 'Large', tasks: [trigger, ...calls(75)], edges: edges(75) };
    const replaced = replaceDraft(context.ctx, { ...draftSchema.parse(draft), id });
    await expect(replaced).rejects.toMatchObject(refusal);
    expect((await getWorkflow(context.ctx, { id })).draft_revision).toBe(2);
  });

  test('tasks that hang loose, settings that lack or are wrong: all is kept as it is', async () => {
    const { id } = await make();
    const loose = { id: 3, type: 'delay', name: 'Wait', settings: { amount: 'soon', nonsense: true } };
    expect(await save(id, 1, [trigger, call, loose])).toMatchObject({ revision: 2, nextTaskId: 4 });
    const kept = await getWorkflow(context.ctx, { id });
    expect(kept.tasks).toEqual([trigger, call, loose]);
    expect(kept.edges).toEqual([]);
  });

  test.each([
    ['an id twice', [trigger, call, { ...call }], []],
    ['no trigger', [call], []],
    ['another trigger', [trigger, { ...trigger, id: 7 }], []],
    ['an unknown type', [trigger, { ...call, type: 'teleport' }], []],
    ['an edge to nowhere', [trigger, call], [{ from: 1, to: 9 }]],
    ['the id of a task of another type', [trigger, { ...call, type: 'delay', settings: {} }], []],
  ])('%s is refused, and nothing is written', async (_what, tasks, edges) => {
    const { id } = await make();
    await expect(save(id, 1, tasks, edges)).rejects.toMatchObject({ code: 'invalid_workflow' });
    expect((await getWorkflow(context.ctx, { id })).draft_revision).toBe(1);
  });

  test('undo brings a removed task back under its id; new tasks never get it', async () => {
    const { id } = await make();
    await save(id, 1, [trigger]);
    expect((await getWorkflow(context.ctx, { id })).next_task_id).toBe(3);
    await save(id, 2, [trigger, call]);
    expect((await getWorkflow(context.ctx, { id })).tasks).toHaveLength(2);
  });

  test('an id that was published stands for its type for good', async () => {
    const { id } = await make();
    await publishWorkflow(context.ctx, { id });
    await save(id, 1, [trigger]);
    const other = { ...call, type: 'delay', settings: {} };
    await expect(save(id, 2, [trigger, other])).rejects.toMatchObject({ code: 'invalid_workflow' });
  });

  test('of two editors with one revision the second writes nothing (docs/api.md)', async () => {
    const { id } = await make();
    const outcomes = await Promise.allSettled([save(id, 1, [trigger]), save(id, 1, [trigger, call])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict' },
    });
    expect((await getWorkflow(context.ctx, { id })).draft_revision).toBe(2);
  });

  test('another workspace finds nothing', async () => {
    const { id } = await make();
    const draft = { ...draftSchema.parse({ name: 'Orders', tasks: [trigger] }), draft_revision: 1 };
    await expect(saveDraft(context.stranger, { ...draft, id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(getVersion(context.stranger, { id, version: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(listVersions(context.stranger, { id })).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('versions: newest first, with who published them and their drawing', async () => {
  const { id } = await make();
  await publishWorkflow(context.ctx, { id });
  await save(id, 1, [trigger]);
  await publishWorkflow(context.ctx, { id });
  const versions = await listVersions(context.ctx, { id });
  expect(versions.map(({ version, taskCount, author }) => [version, taskCount, author])).toEqual([
    [2, 1, 'the API'],
    [1, 2, 'the API'],
  ]);
  const first = await getVersion(context.ctx, { id, version: 1 });
  expect(first.tasks.map((task) => task.id)).toEqual([1, 2]);
  await expect(getVersion(context.ctx, { id, version: 3 })).rejects.toMatchObject({ code: 'not_found' });
});

describe('trying one task', () => {
  const input = { event_id: undefined, tried: {}, confirmed: false };
  const executors = new Map<string, TaskExecutor>([
    ['http_request', createHttpRequestExecutor({ allowedPrivateHosts: [] })],
    ['set_variables', setVariablesExecutor],
  ]);
  const execute = (ctx: Context, given: TryTaskInput) => tryTask(ctx, given, (type) => executors.get(type));

  test('what changes something outside is asked about first; what does not is executed', async () => {
    const { id } = await make();
    const posting = { ...call, settings: { url: 'https://example.com/', method: 'POST' } };
    const naming = {
      id: 3,
      type: 'set_variables',
      name: 'Names',
      settings: { variables: [{ name: 'whole', value: '{{task_2_status}}!' }] },
    };
    const edges = [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ];
    await save(id, 1, [trigger, posting, naming], edges);
    expect(await execute(context.ctx, { ...input, id, task_id: 2 })).toMatchObject({ kind: 'asks' });
    const tried = { '2': '{"status":204}' };
    expect(await execute(context.ctx, { ...input, id, task_id: 3, tried })).toMatchObject({
      kind: 'succeeded',
      outputText: '{"whole":"204!"}',
    });
  });

  test('settings with problems name their fields, and no other workspace can try', async () => {
    const { id } = await make();
    await save(id, 1, [trigger, { ...call, settings: {} }], [{ from: 1, to: 2 }]);
    await expect(execute(context.ctx, { ...input, id, task_id: 2 })).rejects.toMatchObject({
      code: 'invalid_request',
      problems: [{ path: 'settings.url' }],
    });
    await expect(execute(context.stranger, { ...input, id, task_id: 2 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
