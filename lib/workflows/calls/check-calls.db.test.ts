import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow } from '../create-workflow.ts';
import { deleteWorkflow, pauseWorkflow, unpublishWorkflow } from '../lifecycle.ts';
import { getWorkflow } from '../load-workflow.ts';
import { publishWorkflow } from '../publish-workflow.ts';
import { saveDraft } from '../save-draft.ts';
import { drawing } from '../testing/test-graphs.ts';
import { previewDeletion } from '../trash/trash.ts';
import { listCallers } from './check-calls.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const callOf = (id: string) => ({
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'Start', settings: {} },
    { id: 2, type: 'call_workflow', name: 'Call', settings: { called_workflow: id } },
  ],
  edges: [{ from: 1, to: 2 }],
});

const create = async (name: string): Promise<string> =>
  (await createWorkflow(context.ctx, { ...drawing(), name })).id;
const publish = (id: string) => publishWorkflow(context.ctx, { id });

async function letCall(id: string, other: string): Promise<void> {
  const { draft_revision, name } = await getWorkflow(context.ctx, { id });
  await saveDraft(context.ctx, { id, draft_revision, name, ...callOf(other) });
}

const problemOf = async (id: string): Promise<unknown> =>
  publish(id).then(
    () => null,
    (error: { problems?: { path: string; message: string }[] }) => error.problems?.[0],
  );

test('a cycle is refused when publishing, and its way is named; one that was made in the meantime, too', async () => {
  const [a, b, c] = [await create('A'), await create('B'), await create('C')];
  await publish(c);
  await letCall(b, c);
  await publish(b);
  await letCall(a, b);
  await publish(a);
  await letCall(c, a);
  expect(await problemOf(c)).toEqual({
    path: 'tasks[1].settings.called_workflow',
    message:
      'The workflows would call each other without end: C → A → B → C. Select another one, or remove the call back.',
  });
  await letCall(c, c);
  expect(await problemOf(c)).toMatchObject({ message: expect.stringContaining('C → C') as string });
  expect(await listCallers(context.ctx, { id: b })).toEqual(['A']);
  expect(await previewDeletion(context.ctx, { id: c })).toMatchObject({ calledBy: ['B'] });
  expect(await listCallers(context.stranger, { id: b })).toEqual([]);
});

test('of two workflows that call each other and are published at once, one is refused', async () => {
  const [a, b] = [await create('A'), await create('B')];
  await Promise.all([publish(a), publish(b)]);
  await letCall(a, b);
  await letCall(b, a);
  const outcomes = await Promise.all([problemOf(a), problemOf(b)]);
  expect(outcomes.filter((problem) => problem === null)).toHaveLength(1);
});

test('workflows that do not run, or that do not exist here, are problems of the setting', async () => {
  const [a, b] = [await create('A'), await create('B')];
  await letCall(a, b);
  const message = async () => (await problemOf(a)) as { message: string } | null;
  expect((await message())?.message).toContain('“B” is not published');
  await publish(b);
  await pauseWorkflow(context.ctx, { id: b });
  expect((await message())?.message).toContain('“B” is paused');
  await unpublishWorkflow(context.ctx, { id: b });
  expect((await message())?.message).toContain('not published');
  await deleteWorkflow(context.ctx, { id: b });
  expect((await message())?.message).toContain('was deleted');
  const foreign = await createWorkflow(context.stranger, drawing());
  await letCall(a, foreign.id);
  expect((await message())?.message).toContain('was deleted');
});
