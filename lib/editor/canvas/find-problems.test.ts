import { expect, test } from 'vitest';
import { loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { findProblems } from './find-problems.ts';
import { drawing, task } from './testing/test-documents.ts';

const delay = { settings: { amount: 5 } };
const condition = { settings: { conditions: [{ left: '{{task_1_paid}}', operator: 'is_true' }] } };

test('a complete workflow has none', () => {
  const document = drawing([
    task(1, 'inbound_webhook'),
    task(2, 'if_condition', condition),
    task(3, 'delay', delay),
  ]);
  expect(findProblems(document)).toEqual([]);
});

test('each problem names its task and its field, once', () => {
  const document = drawing([
    task(1, 'inbound_webhook'),
    task(2, 'if_condition', condition),
    task(3, 'delay'),
  ]);
  expect(findProblems(document)).toEqual([
    { taskId: 3, field: 'settings.amount', message: 'Enter a duration.', severity: 'error' },
  ]);
});

test('variables are still checked while other tasks hang loose', () => {
  const lost = { settings: { until: '{{task_9_x}}', mode: 'until' } };
  const document = drawing([
    task(1, 'inbound_webhook'),
    task(2, 'if_condition', condition),
    task(3, 'delay', lost),
    task(4, 'delay', delay),
  ]);
  const problems = findProblems(document);
  expect(problems.map(({ taskId, severity }) => [taskId, severity])).toEqual([
    [4, 'error'],
    [3, 'warning'],
  ]);
  expect(problems[1]?.field).toBe('settings.until');
});

test('a cycle is a problem, not a crash', () => {
  const document = drawing(
    [task(1, 'inbound_webhook'), task(2, 'delay', delay), task(3, 'delay', delay)],
    [
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 2 },
    ],
  );
  expect(findProblems(document)[0]?.message).toMatch(/form a cycle/);
});

test('a pattern that no run could use is found at its field, with the checks that only such workflows need', async () => {
  const matches = { left: '', operator: 'matches', right: '(49' };
  const document = drawing([
    task(1, 'inbound_webhook'),
    task(2, 'if_condition', { settings: { conditions: [...condition.settings.conditions, matches] } }),
    task(3, 'delay', delay),
  ]);
  const furtherChecks = await loadFurtherChecks(document.tasks);
  expect(await loadFurtherChecks(document.tasks)).toBe(furtherChecks);
  const unfinished = {
    taskId: 2,
    field: 'settings.conditions[1].left',
    message: 'Enter a value.',
    severity: 'error',
  };
  expect(findProblems(document)).toEqual([unfinished]);
  expect(findProblems(document, furtherChecks)).toEqual([
    unfinished,
    {
      taskId: 2,
      field: 'settings.conditions[1].right',
      message: expect.stringContaining('The pattern "(49" is not valid') as string,
      severity: 'error',
    },
  ]);
  for (const conditions of [undefined, 'x', [null], condition.settings.conditions])
    expect(await loadFurtherChecks([task(2, 'if_condition', { settings: { conditions } })])).toBeUndefined();
});
