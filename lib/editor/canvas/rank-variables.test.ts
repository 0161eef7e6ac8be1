// Which variable is first for typed text.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PickerVariable, VariableGroup } from './available-variables.ts';
import { rankVariables } from './rank-variables.ts';

const variable = (label: string, taskId = 1, value?: string): PickerVariable => ({
  path: `task_${taskId}_${label}`,
  label,
  description: undefined,
  value,
  keys: [label],
});

const group = (taskId: number, title: string, labels: readonly string[]): VariableGroup => ({
  taskId,
  title,
  type: undefined,
  variables: labels.map((label) => variable(label, taskId)),
});

const paths = (groups: readonly VariableGroup[], search: string) =>
  rankVariables(groups, search).map(({ variable: { path } }) => path);

test('the status of a task is not offered for "text": it is none of its fields', () => {
  const groups = [group(3, 'Wait', ['run', 'run_text']), group(1, 'Order', ['message_text', 'id', 'text'])];
  expect(paths(groups, 'text')).toEqual(['task_1_text', 'task_1_message_text', 'task_3_run_text']);
  expect(paths(groups, 'run_t')[0]).toBe('task_3_run_text');
});

test('"prior" is the beginning of a word of item_priority; a value that has it comes later', () => {
  const loop: VariableGroup = {
    ...group(2, 'Each ticket', ['item_id']),
    variables: [variable('item', 2, '{"priority":"high"}'), variable('item_priority', 2, 'high')],
  };
  expect(paths([loop], 'prior')).toEqual(['task_2_item_priority', 'task_2_item']);
});

test('an exact name of a task further away comes before a part of a name of the parent', () => {
  const groups = [group(2, 'Customer', ['customer_phone']), group(1, 'Order', ['phone', 'phone_type'])];
  expect(paths(groups, 'phone')).toEqual(['task_1_phone', 'task_1_phone_type', 'task_2_customer_phone']);
});

test('written paths, names of tasks and several words find variables too', () => {
  const groups = [group(2, 'Customer', ['name', 'city']), group(1, 'Order', ['name'])];
  expect(paths(groups, 'task_1_')).toEqual(['task_1_name']);
  expect(paths(groups, 'customer name')[0]).toBe('task_2_name');
  expect(paths(groups, 'nothing like it')).toEqual([]);
});

const label = fc
  .array(fc.constantFrom('order', 'item', 'id', 'text', 'run', 'phone', 'name', '0'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) => words.join('_'));
const anyGroups = fc
  .array(fc.uniqueArray(label, { maxLength: 8 }), { maxLength: 4 })
  .map((lists) => lists.map((labels, index) => group(index + 1, `Task ${index + 1}`, labels)));
const anySearch = fc.oneof(label, fc.constantFrom('te', 'o', 'ph', 'm_i', 'zzz'));

test('everything whose name has the search is found, exact names first, then beginnings, each nearest first', () => {
  fc.assert(
    fc.property(anyGroups, anySearch, (groups, search) => {
      const ranked = rankVariables(groups, search);
      const all = groups.flatMap(({ variables }) => variables);
      const found = new Set(ranked.map(({ variable: { path } }) => path));
      for (const each of all) if (each.label.includes(search)) expect(found).toContain(each.path);

      const classOf = ({ label }: PickerVariable) =>
        label === search ? 0 : label.startsWith(search) ? 1 : 2;
      const places = ranked.map((each) => [classOf(each.variable), each.group.taskId ?? 0] as const);
      const classes = places.map(([rank]) => rank);
      expect(classes).toEqual([...classes].sort((a, b) => a - b));
      for (const rank of [0, 1]) {
        const tasks = places.filter(([own]) => own === rank).map(([, taskId]) => taskId);
        expect(tasks).toEqual([...tasks].sort((a, b) => a - b));
      }
    }),
  );
});

test('without a search everything is there in its order', () => {
  fc.assert(
    fc.property(anyGroups, (groups) => {
      const all = groups.flatMap(({ variables }) => variables.map(({ path }) => path));
      expect(paths(groups, ' ')).toEqual(all);
    }),
  );
});
