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

test('a loop of several items at once contains neither tasks that wait nor loops, but for disabled ones', () => {
  const several = { items: '{{task_1_items}}', at_once: 5 };
  const make = (at_once: number, disabled?: true) =>
    drawing(
      [
        task(1, 'inbound_webhook'),
        task(2, 'loop', { settings: { ...several, at_once } }),
        task(3, 'if_condition', condition),
        task(4, 'delay', { ...delay, disabled }),
        task(5, 'loop', { settings: { ...several, items: '{{task_2_item}}' } }),
        task(6, 'set_variables', { settings: { variables: [{ name: 'a', value: 'b' }] } }),
        task(7, 'delay', delay),
      ],
      [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
        { from: 3, to: 4, branch: 'true' },
        { from: 4, to: 5 },
        { from: 5, to: 6, branch: 'each' },
        { from: 2, to: 7, branch: 'done' },
      ],
    );
  const message = (reasons: string) =>
    `Only tasks that finish without waiting can run for several items at once: ${reasons} out of the loop.`;
  const both = '"delay 4" (task 4) waits, "loop 5" (task 5) is a loop. Set this to 1, or move them';
  expect(findProblems(make(5))).toEqual([
    { taskId: 2, field: 'settings.at_once', message: message(both), severity: 'error' },
  ]);
  expect(findProblems(make(5, true)).map((problem) => problem.message)).toEqual([
    message('"loop 5" (task 5) is a loop. Set this to 1, or move it'),
  ]);
  expect(findProblems(make(1))).toEqual([]);
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
