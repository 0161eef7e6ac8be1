import { expect, test } from 'vitest';
import { readJson } from '#lib/core/json/read-json.ts';
import { listVariables } from '#lib/variables/variable-names.ts';
import { readPayloads } from '#lib/variables/testing/payloads.ts';
import type { PickerVariable, VariableGroup } from './available-variables.ts';
import { toVariableTree, typeOf, type VariableNode, withoutRepeats } from './variable-tree.ts';

const variablesOf = (json: string): PickerVariable[] =>
  listVariables(1, readJson(json, 100)).map(({ name, ...each }) => ({
    ...each,
    label: name.replace('task_1_', ''),
    description: undefined,
  }));

const outline = (nodes: readonly VariableNode[]): unknown[] =>
  nodes.map(({ label, type, children }) =>
    children.length === 0 ? `${label}: ${type}` : [`${label}: ${type}`, ...outline(children)],
  );

test('nested as in the payload, a list as one entry with its first element', () => {
  const json =
    '{"id":7,"customer":{"name":"Kim","vip":true,"note":null},"lines":[{"sku":"A"},{"sku":"B"}],"tags":[]}';
  expect(outline(toVariableTree(variablesOf(json)))).toEqual([
    'id: number',
    ['customer: object', 'name: text', 'vip: boolean', 'note: nothing'],
    ['lines: list', ['First item: object', 'sku: text']],
    'tags: list',
  ]);
});

test('a field that nobody has seen yet stands at the top under its name', () => {
  const missing: PickerVariable = {
    path: 'task_2_message_id',
    label: 'message_id',
    description: 'Assigned by the platform.',
    value: undefined,
    keys: ['message_id'],
  };
  expect(outline(toVariableTree([missing]))).toEqual(['message_id: nothing']);
});

test('what is found in every element of a list is listed once, numbers as keys of objects are not elements', () => {
  const all = variablesOf('{"lines":[{"sku":"A"},{"sku":"B"}],"by":{"0":{"sku":"C"},"1":{"sku":"D"}}}');
  const group: VariableGroup = { taskId: 1, title: 'Order', type: undefined, variables: all };
  const found = all.filter(({ label }) => label.endsWith('sku')).map((variable) => ({ group, variable }));
  expect(withoutRepeats(found).map(({ variable }) => variable.label)).toEqual([
    'lines_0_sku',
    'by_0_sku',
    'by_1_sku',
  ]);
  const second = found.filter(({ variable }) => variable.value === 'B');
  expect(withoutRepeats(second)).toEqual(second);
});

test('property: every node of real payloads has the path of its value, and no list has more than one child', () => {
  for (const { text } of readPayloads(1)) {
    const walk = (nodes: readonly VariableNode[]): void => {
      for (const { variable, type, children } of nodes) {
        expect(typeOf(variable.value)).toBe(type);
        if (type === 'list') expect(children.length).toBeLessThanOrEqual(1);
        for (const child of children) expect(child.variable.keys.slice(0, -1)).toEqual(variable.keys);
        walk(children);
      }
    };
    walk(toVariableTree(variablesOf(text)));
  }
});
