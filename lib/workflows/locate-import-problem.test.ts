import { expect, test } from 'vitest';
import { locateImportProblem, toImportProblems } from './import-schema.ts';
import { newWorkflowSchema } from './schema.ts';

const FILE = {
  name: 'Orders',
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In' },
    { id: 2, type: 'http_request', name: 'Call the shop', settings: { url: 7 } },
    { id: 3, type: 'delay' },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 9 },
  ],
};
const whereIs = (path: string) => locateImportProblem({ path, message: 'x' }, FILE).where;

test('a problem is found by task and field', () => {
  expect(whereIs('tasks[1].settings.url')).toBe('Task "Call the shop", URL');
  expect(whereIs('tasks[1].type')).toBe('Task "Call the shop", Type');
  expect(whereIs('tasks[2]')).toBe('Task 3 (Delay)');
  expect(whereIs('edges[0]')).toBe('Connection from "In" to "Call the shop"');
  expect(whereIs('edges[1].to')).toBe('Connection 2, from "Call the shop", End');
  expect(whereIs('tasks')).toBe('Tasks');
  expect(whereIs('')).toBeUndefined();
});

test('what the schema refuses is said in the product’s words', () => {
  const file = { name: 'X', tasks: [{ id: 'one', type: 'delay', name: 'Wait', speed: 3 }], extra: true };
  const issues = newWorkflowSchema.safeParse(file).error?.issues ?? [];
  expect(issues.flatMap((issue) => toImportProblems(issue, file))).toEqual(
    expect.arrayContaining([
      { path: 'tasks[0].id', where: 'Task "Wait", ID', message: 'This must be a number.' },
      { path: 'tasks[0]', where: 'Task "Wait"', message: 'There is no field "speed" here: remove it.' },
      { path: '', where: undefined, message: 'There is no field "extra" here: remove it.' },
    ]),
  );
});
