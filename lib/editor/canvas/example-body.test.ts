import { expect, test } from 'vitest';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { listFields } from '#lib/variables/flatten.ts';
import { exampleBody } from './example-body.ts';

const task = (id: number, type: string, settings: Record<string, unknown>): WorkflowTask => ({
  id,
  type,
  name: `Task ${id}`,
  settings,
});

const trigger = (response_body: string) => task(1, 'inbound_webhook', { response_body });
const variables = (...values: string[]) =>
  task(2, 'set_variables', { variables: values.map((value, index) => ({ name: `v${index}`, value })) });

test('every field that the workflow uses is there, nested ones where they are known to be', () => {
  const tasks = [
    trigger('{"order":"{{order.number}}","at":"{{$now}}"}'),
    variables(
      '{{task_1_order_number}} {{task_1_customer_phone}} {{task_1_run_text}}',
      '{{task_1.JSON.a[0].b}}',
    ),
  ];
  expect(exampleBody({ tasks })).toEqual({
    order: { number: 'A-1001' },
    customer_phone: '15550101001',
    a: [{ b: 'sample' }],
  });
});

test('lists: by their place, and by what a loop over them uses', () => {
  const tasks = [
    trigger('{}'),
    variables('{{task_1_items_0_name}}'),
    task(3, 'loop', { items: '{{task_1_lines}}' }),
    task(4, 'set_variables', { variables: [{ name: 'x', value: '{{task_3_item_quantity}}' }] }),
  ];
  expect(exampleBody({ tasks })).toEqual({ items: [{ name: 'Sample Guest' }], lines: [{ quantity: 42 }] });
});

test('conditions say which values take the request further', () => {
  const conditions = [
    { left: '{{task_1_status}}', operator: 'equals', right: 'paid' },
    { left: '{{task_1_status}}', operator: 'equals', right: 'open' },
    { left: '{{ task_1_type }}', operator: 'in_list', right: 'text, button' },
    { left: '{{task_1_kind}}', operator: 'in_list', right: '["a","b"]' },
    { left: '{{task_1_total}}', operator: 'greater_than', right: '100' },
    { left: '{{task_1_customer.vip}}', operator: 'is_true', right: '' },
    { left: '{{task_1_name}}', operator: 'equals', right: '{{task_1_other}}' },
    { left: '{{task_1_email}}', operator: 'not_equals', right: 'x' },
  ];
  expect(exampleBody({ tasks: [trigger('{}'), task(2, 'if_condition', { conditions })] })).toEqual({
    status: 'paid',
    type: 'text',
    kind: 'a',
    total: 101,
    customer: { vip: true },
    name: 'Sample Guest',
    other: 'sample',
    email: 'guest@example.com',
  });
});

test('a workflow that uses nothing, or cannot be read, has no example', () => {
  expect(exampleBody({ tasks: [trigger('{"status":"received"}'), variables('{{task_1_')] })).toBeUndefined();
});

test.each(STARTERS.map(({ id, graph }) => [id, graph] as const))(
  'of the starter %s it provides what the tasks read',
  (_id, graph) => {
    const names = listFields(exampleBody(graph) ?? {}, 1000).map(({ name }) => name);
    const text = JSON.stringify(graph.tasks.map(({ settings }) => settings));
    for (const [, field = ''] of text.matchAll(/\{\{task_1_([a-z0-9_]+)\}\}/g))
      expect(names).toContain(field);
  },
);
