import { expect, test } from 'vitest';
import { checkGraph } from '#lib/workflows/check-graph.ts';
import { makeFlow } from './workflows.ts';

test.each([1, 5, 20, 50])('a flow of %i tasks can be published, whenever it is answered', async (tasks) => {
  for (const mode of ['immediate', 'after'] as const) {
    const checked = await checkGraph(makeFlow(tasks, mode), 'publish');
    expect(checked.tasks).toHaveLength(tasks);
  }
});

test.each([
  [5, 'task_5_text'],
  [20, 'task_20_note'],
  [50, 'task_49_text'],
])('after %i tasks callers get the last variable, %s', (tasks, variable) => {
  expect(makeFlow(tasks, 'after').tasks[0]?.settings.response_body).toBe(`{"text":"{{${variable}}}"}`);
});

test('only the branch of a condition has a name', () => {
  const { edges } = makeFlow(6, 'immediate');
  expect(edges.filter(({ branch }) => branch === 'true')).toEqual([{ from: 2, to: 3, branch: 'true' }]);
  expect(edges.map(({ from, to }) => [from, to])).toEqual([1, 2, 3, 4, 5].map((id) => [id, id + 1]));
});
