import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStatusField, parseTaskName, replaceTaskIds, splitTaskPath, taskName } from './task-names.ts';

test('a written name is read back', () => {
  const id = fc.integer({ min: 0, max: 999_999_999_999_999 });
  const field = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
  fc.assert(
    fc.property(id, field, (taskId, name) => {
      expect(parseTaskName(taskName(taskId, name))).toEqual({ taskId, field: name });
    }),
  );
});

test.each([
  'task_',
  'task_x',
  'task_01',
  'task_1x',
  'task_1_',
  'Task_1',
  'customer',
  'task_1234567890123456',
])('%s is no name of a task', (name) => expect(parseTaskName(name)).toBeUndefined());

test('a path is split behind its task', () => {
  expect(splitTaskPath('task_1_order_id')).toEqual({ taskId: 1, rest: 'order_id' });
  expect(splitTaskPath('task_12.JSON.items[0]')).toEqual({ taskId: 12, rest: 'JSON.items[0]' });
  expect(splitTaskPath('task_1')).toBeUndefined();
});

test('ids are replaced where a name stands, and nowhere else', () => {
  const next = (id: number) => (id === 1 ? 9 : undefined);
  expect(replaceTaskIds('{{upper task_1_name}}', next)).toBe('{{upper task_9_name}}');
  expect(replaceTaskIds('{{task_1.JSON.task_1}}', next)).toBe('{{task_9.JSON.task_1}}');
  expect(replaceTaskIds('{{my_task_1}} {{task_11}} {{task_2}}', next)).toBe(
    '{{my_task_1}} {{task_11}} {{task_2}}',
  );
});

test('run and run_text are the status', () => {
  expect(['run', 'run_text', 'runs'].map(isStatusField)).toEqual([true, true, false]);
});
