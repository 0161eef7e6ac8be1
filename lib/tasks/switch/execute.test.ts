import { describe, expect, it } from 'vitest';
import { checkSettings, loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { branchesOf } from '#lib/tasks/exits.ts';
import { taskContext } from '#lib/tasks/testing/task-context.ts';
import { switchTask } from './definition.ts';
import { switchExecutor } from './execute.ts';

const CASES = [
  { right: 'paid' },
  { operator: 'in_list', right: 'sent, delivered', label: 'On its way' },
  { operator: 'greater_than', right: '{{task_1_limit}}' },
];

function take(body: Record<string, unknown>, cases: unknown[] = CASES) {
  const context = taskContext(switchTask, { value: '{{task_1_status}}', cases }, { body: body as never });
  const result = switchExecutor.execute(context);
  if (result instanceof Promise || result.kind !== 'done') throw new Error('It answers at once.');
  return result;
}

describe('switch (docs/engine.md)', () => {
  it('takes the branch of the first case that fits, and says which', () => {
    expect(take({ status: 'paid' })).toEqual({
      kind: 'done',
      output: { case: 'paid', number: 1 },
      branch: 'case_1',
      runText: 'Case 1 fits: paid.',
    });
    expect(take({ status: 'delivered' })).toMatchObject({
      branch: 'case_2',
      output: { case: 'On its way', number: 2 },
    });
    expect(take({ status: 12, limit: 10 }).branch).toBe('case_3');
    expect(take({ status: 'paid' }, [{ right: 'paid' }, { right: 'paid', label: 'Again' }]).branch).toBe(
      'case_1',
    );
  });

  it('takes the other exit where none fits, and where the value is missing', () => {
    const otherwise = {
      branch: 'otherwise',
      output: { case: 'Otherwise', number: 0 },
      runText: 'No case fits.',
    };
    expect(take({ status: 'lost' })).toMatchObject(otherwise);
    expect(take({})).toMatchObject(otherwise);
    expect(take({}, [{ operator: 'is_empty' }]).branch).toBe('case_1');
  });

  it('has an exit for each case, also of a draft', () => {
    const exits = branchesOf(switchTask, { cases: [...CASES, {}, null, 7] });
    expect(exits.map(({ name, label }) => `${name} ${label}`)).toEqual([
      'case_1 paid',
      'case_2 On its way',
      'case_3 is greater than {{task_1_limit}}',
      'case_4 (empty)',
      'otherwise Otherwise',
    ]);
  });

  it.each([
    [{ value: '', cases: [{ right: 'a' }] }, 'settings.value', 'Enter a value.'],
    [{ value: 'a', cases: [] }, 'settings.cases', 'Add a case.'],
    [
      { value: 'a', cases: Array.from({ length: 21 }, () => ({ right: 'a' })) },
      'settings.cases',
      'At most 20 cases.',
    ],
    [
      { value: 'a', cases: [{ operator: 'contains' }] },
      'settings.cases[0].right',
      'Enter a value to compare with.',
    ],
    [{ value: 'a', cases: [{ operator: 'matches', right: 'a(' }] }, 'settings.cases[0].right', /not valid/],
  ])('%j is refused at %s', async (settings, path, message) => {
    const further = await loadFurtherChecks([{ type: 'switch', settings }]);
    const { problems } = checkSettings(switchTask, settings, 'publish', further);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.message).toMatch(message);
  });
});
