import { expect, test } from 'vitest';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { listPayloadUses } from './variable-fields.ts';

const task = (
  id: number,
  type: string,
  settings: Record<string, unknown>,
  more: Partial<WorkflowTask> = {},
): WorkflowTask => ({ id, type, name: `Task ${id}`, settings, ...more });

const setting = (id: number, value: string, more: Partial<WorkflowTask> = {}): WorkflowTask =>
  task(id, 'set_variables', { variables: [{ name: 'x', value }] }, more);

const inRow = (...tasks: WorkflowTask[]): WorkflowGraph => ({
  tasks,
  edges: tasks.slice(1).map(({ id }, index) => ({ from: tasks[index]?.id ?? 0, to: id })),
});

const uses = (graph: WorkflowGraph): Record<string, number[]> =>
  Object.fromEntries(listPayloadUses(graph).map(({ label, tasks }) => [label, tasks.map(({ id }) => id)]));

test('names fields of the body with the tasks that use them, however they are written', () => {
  const trigger = task(1, 'inbound_webhook', { response_body: '{"order":"{{order.number}}"}' });
  const first = setting(2, '{{task_1_phone}} {{task_1.JSON.items[0].name}} {{task_1_run}} {{$now}}');
  const second = setting(3, '{{task_1_phone}} {{task_1_phone}} {{task_2_x}} {{task_1.HEADERS.host}}');
  expect(uses(inRow(trigger, first, second))).toEqual({
    'order.number': [1],
    phone: [2, 3],
    'items[0].name': [2],
  });
});

test('guards, defaults, conditions and disabled tasks are no use', () => {
  const trigger = task(1, 'inbound_webhook', {});
  const guarded = setting(2, '{{#if task_1_a}}{{task_1_a}} {{task_1_b}}{{/if}}{{default task_1_c "you"}}');
  const condition = task(3, 'if_condition', { conditions: [{ left: '{{task_1_d}}', operator: 'equals' }] });
  const disabled = setting(4, '{{task_1_e}}', { disabled: true });
  expect(uses(inRow(trigger, guarded, condition, disabled))).toEqual({});
});

test('what a condition before it asked is answered by the workflow; what one behind it asks is not', () => {
  const trigger = task(1, 'inbound_webhook', {});
  const before = setting(2, '{{task_1_phone}}');
  const condition = task(3, 'if_condition', {
    conditions: [{ left: '{{task_1_phone}}', operator: 'is_not_empty' }],
  });
  const behind = setting(4, '{{task_1_phone}} {{task_1_name}}');
  expect(uses(inRow(trigger, before, condition, behind))).toEqual({ phone: [2], name: [4] });
});

test('of the gallery', () => {
  const shop = STARTERS.find(({ id }) => id === 'order-confirmation');
  expect(uses(shop?.graph ?? { tasks: [], edges: [] })).toEqual({
    'order.number': [1],
    customer_name: [3],
    order_number: [3],
  });
});
