import { expect, test } from 'vitest';
import { listAnsweringTasks, listFirstWaits } from './graph-paths.ts';
import { drawing, task } from '#lib/editor/canvas/testing/test-documents.ts';

const after = task(1, 'inbound_webhook', { settings: { response_type: 'after_workflow' } });

test('a caller who waits for the end is answered at the first Delay', () => {
  const tasks = [after, task(2, 'if_condition'), task(3, 'delay'), task(4, 'delay')];
  const edges = [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
    { from: 3, to: 4 },
  ];
  expect(listAnsweringTasks(drawing(tasks, edges))).toEqual([3]);
});

test('a task that waits only with some settings answers the caller only with these', () => {
  const send = (settings: Record<string, unknown>) => [after, task(2, 'messaging_business', { settings })];
  const edges = [{ from: 1, to: 2 }];
  expect(listAnsweringTasks(drawing(send({ action: 'send_text', wait_until: 'read' }), edges))).toEqual([2]);
  expect(listAnsweringTasks(drawing(send({ action: 'send_text' }), edges))).toEqual([]);
});

test('each branch has its own, and a disabled one is passed by', () => {
  const tasks = [
    after,
    task(2, 'if_condition'),
    task(3, 'delay', { disabled: true }),
    task(4, 'delay'),
    task(5, 'delay'),
    task(6, 'delay'),
  ];
  const edges = [
    { from: 1, to: 2 },
    { from: 2, to: 3, branch: 'true' },
    { from: 3, to: 4 },
    { from: 2, to: 5, branch: 'false' },
  ];
  expect(listAnsweringTasks(drawing(tasks, edges))).toEqual([4, 5]);
});

test('where callers are answered at once no task answers them', () => {
  expect(listAnsweringTasks(drawing())).toEqual([]);
  expect(listFirstWaits(drawing())).toEqual([3]);
});

test('a drawing that goes round in circles, or has no trigger', () => {
  const tasks = [after, task(2, 'set_variables'), task(3, 'set_variables')];
  const edges = [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 3, to: 2 },
  ];
  expect(listAnsweringTasks(drawing(tasks, edges))).toEqual([]);
  expect(listAnsweringTasks(drawing([task(3, 'delay')], []))).toEqual([]);
});
